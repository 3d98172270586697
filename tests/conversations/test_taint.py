"""T29: what came from outside counts for the rest of its conversation, whatever becomes of the text itself."""

from __future__ import annotations

import pytest

from conversations import actions
from conversations.kept_models import Summary
from conversations.models import Message
from tests.conversations.conftest import HAPPENED, Talk, bobs, talk
from tools.catalogue import save_tool
from tools.models import ToolCall
from tools.registry import find

__all__ = ["bobs", "talk"]
WRITE = 'call jot {"item": "milk"}'


@pytest.fixture
def read(talk: Talk) -> Talk:
    """A page from outside has been read, in the first turn; `jot` writes and is SAFE."""
    definition = outside(True)
    save_tool(definition | {"name": "jot", "read_only": False, "untrusted": False}, None)
    version = talk.conversation.agent.current
    assert version
    tools = [*version.definition["tools"], "jot"]
    type(version).objects.filter(pk=version.pk).update(definition={**version.definition, "tools": tools})
    talk.turn('call look {"item": "page"}')
    return talk


def outside(untrusted: bool) -> dict[str, object]:
    """`look`, whose results are (or are not) outside text."""
    handler = find("tests.look")
    assert handler
    definition = handler.definition() | {"untrusted": untrusted}
    save_tool(definition, None)
    return definition


def jotted() -> ToolCall:
    return ToolCall.objects.filter(name="jot").latest("proposed_at")


def marked(call: ToolCall) -> list[str]:
    return [flag["detail"] for flag in call.flags if flag["name"] == "after_untrusted"]


def test_many_turns_later_it_still_counts(read: Talk) -> None:
    for number in range(3):
        read.turn(f"echo {number}")
    assert read.turn(WRITE).outcome == "interrupt"
    assert (jotted().status, jotted().risk, marked(jotted())) == ("held", "CONFIRM", ["look"])


def test_a_summary_in_its_place_makes_it_no_better(read: Talk) -> None:
    """The model reads a summary, without any sign of where it came from; the calls are still there."""
    read.turn("echo on")
    upto = Message.objects.filter(role="assistant").order_by("created_at").first()
    assert upto
    Summary.objects.create(
        conversation=read.conversation, upto=upto, text="They looked at a page.", messages=2
    )
    assert read.turn(WRITE).outcome == "interrupt"
    assert marked(jotted()) == ["look"]


def test_trusting_the_tool_later_does_not_wash_what_was_read(read: Talk) -> None:
    """What counts is the version that was carried out."""
    outside(False)
    assert read.turn(WRITE).outcome == "interrupt"


def test_a_retry_is_the_same_conversation(read: Talk) -> None:
    run = read.turn("echo on")
    type(run).objects.filter(pk=run.pk).update(status="failed")
    actions.retry_run(read.actor, run.pk)
    read.move()
    assert read.turn(WRITE).outcome == "interrupt"


def test_another_conversation_has_read_nothing(read: Talk) -> None:
    """What a person carries over themselves is their own word: there is no other way from one to another."""
    read.conversation = actions.create_conversation(read.actor, "helper", "")
    assert read.turn(WRITE).outcome == "success"
    assert (jotted().status, marked(jotted())) == ("succeeded", [])
    assert HAPPENED[-1] == ("look", "milk")
