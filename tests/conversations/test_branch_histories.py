"""Any history of saying, editing, regenerating, going back, failing and retrying leaves a sound tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.messages import ToolCallPart, ToolResultPart
from agents.providers.base import ProviderError
from conversations import actions, branches, tree
from conversations.models import Message, Run
from conversations.turn import read_history
from platform_site.errors import Problem
from tests.conversations.conftest import Talk
from tests.conversations.folding import check_folds
from tools.models import ToolCall

VERBS = ("say", "look", "buy", "edit", "anew", "go", "fail", "retry", "stop", "queue")
histories = st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 50)), min_size=3, max_size=7)


@given(histories)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_history_leaves_a_sound_tree(talk: Talk, history: list[tuple[str, int]]) -> None:
    talk.conversation = actions.create_conversation(talk.actor, "helper")
    for verb, number in history:
        do(talk, verb, number)
        check(talk)


def do(talk: Talk, verb: str, number: int) -> None:
    here = Message.objects.filter(conversation=talk.conversation).order_by("position")
    match verb:
        case "say":
            talk.turn(f"echo {number}")
        case "look" | "buy":
            talk.turn(f'call {verb} {{"item": "{number}"}}')
        case "queue":
            talk.say(f"echo {number}")
            stopped = talk.say("echo waits")
            actions.stop_run(talk.actor, stopped.pk)
            talk.move()
        case "stop":
            actions.stop_run(talk.actor, talk.say(f"echo {number}").pk)
        case "edit" if said := one_of(here.filter(role="user"), number):
            branches.edit_message(
                talk.actor, talk.conversation.pk, said.pk, branches.Rewording(f"echo e{number}")
            )
            talk.move()
        case "anew" if reply := one_of(here.filter(role="assistant"), number):
            branches.regenerate(talk.actor, talk.conversation.pk, reply.pk)
            talk.move()
        case "go" if message := one_of(here.all(), number):
            branches.switch(talk.actor, talk.conversation.pk, message.pk)
        case "fail":
            with down():
                talk.turn(f"echo {number}")
        case "retry" if failed := Run.objects.filter(conversation=talk.conversation, status="failed").last():
            try:
                actions.retry_run(talk.actor, failed.pk)
            except Problem:
                return
            talk.move()


def one_of(rows: Any, number: int) -> Any:
    count = rows.count()
    return rows[number % count] if count else None


@contextmanager
def down() -> Iterator[None]:
    class Down:
        name, is_demo = "demo", True

        async def stream(self, request: Any, model: Any) -> Any:
            raise ProviderError("bad_request", "no")
            yield

    with mock.patch("agents.providers.get", lambda _: Down()):
        yield


def check(talk: Talk) -> None:
    """The log says what the rows say; the branch ends at its head; each call in it is answered right behind it."""
    check_folds(talk.conversation.pk)
    head = tree.head_of(talk.conversation.pk)
    shown = tree.shown_path(talk.conversation.pk)
    assert shown[-1:] == ([head] if head else [])
    calls = list(
        ToolCall.objects.filter(topic=talk.conversation.pk).select_related("confirmation", "version")
    )
    told = read_history(talk.conversation.pk, head, calls)
    for at, message in enumerate(told):
        made = [part.call for part in message.parts if isinstance(part, ToolCallPart)]
        follows = told[at + 1].parts if made else ()
        assert [part.call for part in follows if isinstance(part, ToolResultPart)] == made
    assert not Run.objects.filter(conversation=talk.conversation, status__in=["queued", "running"]).exists()
    assert not ToolCall.objects.filter(topic=talk.conversation.pk, status__in=["cleared", "claimed"]).exists()
    if any(call.status == "held" for call in calls):
        held = [call.message for call in calls if call.status == "held"]
        assert set(held) <= set(shown)


def test_a_tree_with_a_hole_is_noticed() -> None:
    """The check can fail."""
    with pytest.raises(LookupError):
        tree.path({"b": "a"}, "b")
    with pytest.raises(LookupError):
        tree.path({"a": "b", "b": "a"}, "a")
