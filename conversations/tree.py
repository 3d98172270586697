"""A conversation as a tree of messages: the path that is shown, and how a message takes its place in it.

The first functions are pure, over a table of parents; the others read and write rows inside the caller's transaction.
`branches` has the verbs people use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django.db.models import Q

from conversations.models import Conversation, Message, Run, RunStatus
from platform_site import ledger, wire

Parents = Mapping[str, str | None]
"""Message ids in the order they were told, each with its parent; None for one that begins a branch."""


def path(parents: Parents, head: str | None) -> list[str]:
    """The branch that ends with `head`, from its first message. Raises `LookupError` for what is no tree."""
    found: list[str] = []
    while head is not None:
        found.append(head)
        if head not in parents or len(found) > len(parents):
            raise LookupError(f"{head} is not in the tree")
        head = parents[head]
    return found[::-1]


def leaf(parents: Parents, message: str) -> str:
    """Where the branch through `message` that moved last ends: the newest child, and its newest, to the end."""
    newest = {parent: child for child, parent in parents.items() if parent is not None}
    while message in newest:
        message = newest[message]
    return message


def below(parents: Parents, message: str) -> set[str]:
    """`message` and everything that was said after it, in whichever branch."""
    children: dict[str | None, list[str]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    found, open_ends = {message}, [message]
    while open_ends:
        news = children.get(open_ends.pop(), [])
        found.update(news)
        open_ends += news
    return found


def parents_of(conversation: str) -> dict[str, str | None]:
    """The messages that have their place."""
    placed = Message.objects.filter(conversation=conversation, waiting=False)
    return dict(placed.order_by("position").values_list("pk", "parent_id"))


def head_of(conversation: str) -> str | None:
    return Conversation.objects.values_list("head_id", flat=True).get(pk=conversation)


def shown_path(conversation: str) -> list[str]:
    """The ids of the messages of the branch that is shown, oldest first."""
    return path(parents_of(conversation), head_of(conversation))


def move_head(conversation: str, head: str | None) -> None:
    Conversation.objects.filter(pk=conversation).update(head=head)


def tell_head(log: ledger.Log, head: str | None) -> None:
    """Another branch is shown from now on."""
    move_head(log.topic, head)
    log.tell(wire.custom("conversation.branch", {"head": head}))


def place_waiting(log: ledger.Log, upto: Run | None = None) -> None:
    """What was said while the agent worked, and whose turn it is or never will be, follows what was said so far.

    `upto`: a run that begins; what was said after its message waits on.
    """
    ready = Message.objects.filter(conversation=log.topic, waiting=True).exclude(run__status=RunStatus.QUEUED)
    if upto is not None:
        ready = ready.filter(
            Q(run__created_at__lte=upto.created_at) | Q(run=None, created_at__lte=upto.created_at)
        )
    waiting = list(ready.order_by("position").values_list("pk", flat=True))
    if not waiting:
        return
    head = head_of(log.topic)
    for message, parent in _chained(waiting, head):
        Message.objects.filter(pk=message).update(parent=parent, waiting=False)
        log.tell(wire.custom("message.placed", {"messageId": message, "parent": parent}))
    move_head(log.topic, waiting[-1])


def _chained(messages: Iterable[str], after: str | None) -> Iterator[tuple[str, str | None]]:
    for message in messages:
        yield message, after
        after = message
