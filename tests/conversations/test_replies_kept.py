"""What is kept of a reply besides its text: thoughts for people, native content for the model that gave it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import pytest

from agents import providers
from agents.messages import Native, Request
from agents.spec import ModelSpec
from agents.stream import Finish, StreamEvent, TextDelta, ThinkingDelta
from conversations.api_shapes import MessageShape
from conversations.models import Message
from conversations.runner import Runner
from tests.conversations.conftest import Talk

SIGNED = {"role": "model", "parts": [{"text": "Four.", "thoughtSignature": "c2lnbmVk"}]}


@dataclass
class Thinker:
    """Thinks, answers, and wants its reply back as it gave it."""

    name, is_demo = "demo", True
    native: Any = None
    asked: list[Request] = field(default_factory=list)

    async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        self.asked.append(request)
        yield ThinkingDelta("Two and two.")
        yield TextDelta("Four.")
        yield Finish("stop", "thinker-2026", native=self.native)


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> Thinker:
    made = Thinker(SIGNED)
    monkeypatch.setattr(providers, "get", lambda _: made)
    return made


def test_the_model_gets_its_reply_back_as_it_gave_it(talk: Talk, thinker: Thinker) -> None:
    talk.turn("what is two and two?")
    talk.turn("and three?")
    (_, answered, _clock, _) = thinker.asked[-1].messages
    assert answered.native == Native("demo", "demo", SIGNED)


def test_nobody_is_shown_what_only_the_model_understands(talk: Talk, thinker: Thinker) -> None:
    talk.turn("what is two and two?")
    row = Message.objects.select_related("author").get(role="assistant")
    assert "c2lnbmVk" in json.dumps(row.parts)
    shown = MessageShape.of(row)
    assert [part["kind"] for part in shown.parts] == ["thinking", "text"]
    assert "c2lnbmVk" not in shown.model_dump_json()
    assert "c2lnbmVk" not in json.dumps(talk.log())


def test_a_reply_without_it_is_stored_as_before(talk: Talk, thinker: Thinker) -> None:
    thinker.native = None
    talk.turn("what is two and two?")
    assert [part["kind"] for part in Message.objects.get(role="assistant").parts] == ["thinking", "text"]


def test_a_stop_after_an_answer_does_not_say_the_answer_again(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next reply has begun and nothing of it has come: what the last one said is not its text."""
    from conversations import steps

    settle = steps.settle

    def settle_and_stop(*args: Any, **more: Any) -> None:
        settle(*args, **more)
        assert talk.moving
        talk.moving.why = "person"

    monkeypatch.setattr(steps, "settle", settle_and_stop)
    run = talk.turn('call look {"item": "hat"}')
    assert run.outcome == "cancelled"
    texts = [
        "".join(part.get("text", "") for part in row.parts)
        for row in Message.objects.filter(role="assistant").order_by("position")
    ]
    assert texts == ["Calling `look`.", ""]


def test_a_bug_of_ours_ends_the_run_and_what_was_seen_stays(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from conversations import no_answer

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(no_answer, "what_is_wrong", broken)
    run = talk.say("echo hello there")

    async def scenario() -> None:
        await Runner()._move(run.pk, str(run.tenant_id))

    import asyncio

    asyncio.run(scenario())
    run.refresh_from_db()
    assert (run.status, run.error_code) == ("failed", "internal")
    assert "bug" not in run.error_message
    assert talk.texts() == ["hello there"]
