"""How a debate stands: each move is one conditional update with its event, in the caller's transaction.

Used by the engine's steps and by the verbs people have (`steering`); nothing here queues a run.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone
from django.utils.translation import gettext_lazy

from agents import catalogue
from agents.debate import Wish
from conversations import tree
from conversations.debate import rows, telling
from conversations.debate.models import DEBATE_ARROWS, Debate, DebateStatus, Steer
from conversations.debate.notepad import whole_patch
from conversations.models import Conversation, Message, Run, RunStatus
from platform_site import ledger, lifecycle, wire

NOT_HERE = gettext_lazy("Somebody who takes part in this debate has been switched off.")
OVER = (DebateStatus.DONE, DebateStatus.STOPPED)
WISHES: Mapping[str, Wish] = {"": "", "pause": "pause", "summarise": "summarise"}


def move(log: ledger.Log, debate: Debate, status: str, steer: str = Steer.NOTHING) -> bool:
    """Change its status, and with it what is wished of it; False when it stands there already, or was moved first."""
    if debate.status == status or status not in DEBATE_ARROWS.get(debate.status, frozenset()):
        return False
    values = {"steer": steer, "ended_at": timezone.now() if status in OVER else None}
    if not lifecycle.move(debate, debate.status, status, DEBATE_ARROWS, **values):
        return False
    if status in OVER:
        log.tell(telling.ended(debate.pk, status))
    else:
        tell(log, debate)
    return True


def wish(log: ledger.Log, debate: Debate, steer: str) -> None:
    """Write down what is to be done between two turns, or that nothing is."""
    if Debate.objects.filter(pk=debate.pk).exclude(steer=steer).update(steer=steer):
        debate.steer = steer
        tell(log, debate)


def tell(log: ledger.Log, debate: Debate) -> None:
    turns = Message.objects.filter(debate=debate).order_by("-turn").values_list("turn", flat=True)
    log.tell(telling.changed(debate.pk, debate.status, turns.first() or 0, debate.steer))


def stop_shown(log: ledger.Log) -> None:
    """A person stopped what moved or waited here: so the debate ends, unless it is over. What was said stays."""
    debate = rows.shown(log.topic)
    if debate and move(log, debate, DebateStatus.STOPPED):
        place(log, debate)


def stop_after(log: ledger.Log, run: Run) -> None:
    """Nothing moves here any more: a debate that this run moved last, and that rests or waits, ends."""
    later = Run.objects.filter(conversation=run.conversation_id, created_at__gt=run.created_at)
    if not later.exists():
        stop_shown(log)


def place(log: ledger.Log, debate: Debate) -> bool:
    """What people said meanwhile takes its place after what was said last; whether there was anything."""
    before = tree.head_of(log.topic)
    tree.place_waiting(log)
    head = tree.head_of(log.topic)
    if head == before:
        return False
    new: list[str] = []
    for row in reversed(rows.path_of(log.topic, head)):
        if row.id == before:
            break
        new.append(row.id)
    Message.objects.filter(pk__in=new).update(debate=debate)
    return True


def is_debated(conversation: Conversation) -> bool:
    """Whether what is asked here is debated."""
    current = conversation.agent.current
    return current is not None and catalogue.spec_of(current).kind == "debate"


def heard_by(log: ledger.Log, conversation: Conversation, after: str | None, *, wakes: bool) -> Debate | None:
    """The debate that hears what is said after this message, if one goes on; `wakes`: one that rests goes on."""
    debate = rows.debate_at(log.topic, after) if is_debated(conversation) else None
    if debate and wakes and debate.status == DebateStatus.PAUSED:
        move(log, debate, DebateStatus.ACTIVE)
    return debate if debate and debate.status not in OVER else None


def tell_notepad(log: ledger.Log) -> None:
    """The notepad of the debate that is shown now, after another one was."""
    if debate := rows.shown(log.topic):
        log.tell(wire.state_delta(whole_patch(rows.notepad_of(debate.pk))))


def taking_words(topic: str) -> Run | None:
    """The run that hears what a person says now between its turns; None where it would begin a debate of its own."""
    live = Run.objects.filter(conversation=topic, status__in=[RunStatus.QUEUED, RunStatus.RUNNING])
    running = live.filter(status=RunStatus.RUNNING).first()
    run = running or live.order_by("-created_at").first()
    if run is None or run.stop_requested:
        return None
    debate = rows.shown(topic)
    if running is None and run.cause == "message":
        return run
    if debate is None or debate.status != DebateStatus.ACTIVE:
        return None
    return None if rows.begun(run).get("stage") == "summary" else run
