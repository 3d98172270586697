"""Long histories: the older part is summarised once, in view; nothing is cut between a call and its result."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents import aside_words
from agents.catalogue import save_model
from agents.messages import ModelMessage, TextPart, ToolCallPart, ToolResultPart
from agents.models import LanguageModel
from agents.providers.base import ProviderError
from conversations import branches, compaction
from conversations.compaction import Unit
from conversations.kept_models import Summary
from conversations.models import Message, Run
from tests.conversations.conftest import Talk
from tests.conversations.test_branches import what_the_model_read
from tools.catalogue import save_tool
from tools.models import ToolCall
from tools.registry import find

LONG = "word " * 300
"""About 375 tokens."""


@pytest.fixture
def small(talk: Talk) -> Talk:
    """Bob talks to a model that takes in 4,000 tokens; the tools and instructions take some 500 of them."""
    save_model({"slug": "demo", "provider": "demo", "name": "demo", "context": 4_000})
    assert LanguageModel.objects.get().context == 4_000
    return talk


def fill(talk: Talk, turns: int) -> None:
    for number in range(turns):
        talk.turn(f"echo {number} {LONG}")


def markers(talk: Talk) -> list[dict[str, Any]]:
    return [event["value"] for event in talk.log() if event.get("name") == "conversation.summarised"]


def test_a_short_talk_is_told_word_by_word(small: Talk) -> None:
    fill(small, 1)
    assert markers(small) == []


def test_a_long_one_is_summarised_in_view_and_goes_on(small: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(small, 4)
    read = what_the_model_read(small, monkeypatch)
    assert small.turn("echo the end").outcome == "success"
    marker = markers(small)[-1]
    kept = Summary.objects.get(upto=marker["messageId"])
    assert kept.text == marker["text"] != ""
    assert kept.text in read[-1]
    assert aside_words.NOTE in read[-1]
    assert "echo 0" not in read[-1].split(kept.text)[1]
    assert "echo the end" in read[-1]


def test_it_is_made_once(small: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(small, 4)
    small.turn("echo the end")
    made = Summary.objects.count()
    read = what_the_model_read(small, monkeypatch)
    small.turn("echo again")
    assert Summary.objects.count() == made
    assert len(read) == 1


def test_when_no_summary_can_be_had_the_older_part_is_left_out_in_view(
    small: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise ProviderError("blocked", "no")

    monkeypatch.setattr("agents.asides.ask", fail)
    fill(small, 4)
    read = what_the_model_read(small, monkeypatch)
    assert small.turn("echo the end").outcome == "success"
    assert {marker["text"] for marker in markers(small)} == {""}
    assert "were left out: it became too long" in read[-1]
    assert "echo 0 " not in read[-1]


def test_what_was_read_from_outside_stays_outside_text(small: Talk) -> None:
    """T29: the page is only in the summary by now; a SAFE write asks all the same."""
    look = find("tests.look")
    assert look
    save_tool(look.definition() | {"untrusted": True}, None)
    small.turn('call look {"item": "page"}')
    fill(small, 5)
    assert markers(small)
    run = small.turn('call crash {"item": "x"}')
    assert run.outcome == "interrupt"
    assert ToolCall.objects.get(name="crash").status == "held"


def test_a_branch_from_before_the_cut_reads_its_own_words(
    small: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A summary belongs to the branch it was made of, and to those that part from it later."""
    fill(small, 5)
    assert markers(small)
    second = Message.objects.filter(role="user").order_by("position")[1]
    posted = branches.edit_message(
        small.actor, small.conversation.pk, second.pk, branches.Rewording("echo new")
    )
    read = what_the_model_read(small, monkeypatch)
    small.move(Run.objects.get(pk=posted.run))
    assert "summarised (a report" not in read[-1]
    assert "echo 0 " in read[-1]


def test_a_turn_too_long_for_the_window_keeps_what_the_person_said(
    small: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut inside a turn, between replies: the question stands word by word, no call is parted from its result."""
    item = "hat " * 600
    read = what_the_model_read(small, monkeypatch)
    steps = "\nthen\n".join(f'call look {{"item": "{number} {item}"}}' for number in range(3))
    small.turn(steps)
    assert markers(small)
    assert "call look" in read[-1]


def unit(name: str, size: int, *, said: bool = False) -> Unit:
    return Unit(name, (ModelMessage("user" if said else "assistant", (TextPart("x" * size * 4),)),), said)


def test_the_cut_is_at_the_beginning_of_a_turn_if_it_can_be() -> None:
    units = [unit("a", 50, said=True), unit("b", 50), unit("c", 50, said=True), unit("d", 50)]
    assert compaction.where(units, 170) == 2
    assert compaction.where(units, 60) == 3
    assert compaction.where(units, 1_000) == 0
    assert compaction.where(units[:1], 1) == 0


def test_a_call_and_its_result_are_one_unit() -> None:
    call, result = ToolCallPart("k", "look", "{}"), ToolResultPart("k", "look", "x" * 400, "succeeded")
    both = Unit("b", (ModelMessage("assistant", (call,)), ModelMessage("tool", (result,))), said=False)
    assert compaction.where([unit("a", 10, said=True), both, unit("c", 5)], 20) == 2


def test_what_exceeds_one_request_is_summarised_in_parts() -> None:
    old = [ModelMessage("user", (TextPart("字" * 500),)), ModelMessage("assistant", (TextPart("ok " * 400),))]
    parts = list(compaction.pieces(old, 200))
    assert len(parts) > 2
    assert all(compaction.tokens.of_text(part) <= 200 for part in parts)
    assert "".join(parts).count("字") == 500


def test_the_marker_is_json_a_client_can_show(small: Talk) -> None:
    fill(small, 5)
    for marker in markers(small):
        assert json.loads(json.dumps(marker)).keys() == {"messageId", "messages", "text"}
