"""A debate of two personas on a model that plays what a test says, and Bob who asks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from agents.catalogue import save_agent
from agents.messages import ImagePart, Request, TextPart
from agents.providers.base import ProviderError
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, StreamEvent, TextDelta
from conversations import actions, exact
from conversations.debate import rows, steering
from conversations.debate.models import Debate
from conversations.debate.notepad import Notepad
from conversations.models import Message, Run
from platform_site.db import db
from tests.conversations.conftest import HAPPENED, NAMES, PASSWORD, Talk, bobs, talk

Beat = StreamEvent | Callable[[], Any]
"""What a model sends, or what happens while it speaks."""
Reply = Sequence[Beat]
Play = Callable[[Request], Reply]


def says(text: str, *calls: tuple[str, dict[str, Any]], finish: str = "stop") -> Reply:
    """A reply with words and calls."""
    made: list[Beat] = [TextDelta(text)] if text else []
    for at, (name, arguments) in enumerate(calls):
        made.append(CallDelta(at, f"c{at}", name, json.dumps(arguments)))
    return [*made, Finish(finish, "scripted")]  # type: ignore[arg-type]


def note(text: str, kind: str = "fact") -> tuple[str, dict[str, Any]]:
    return "notepad_update", {"action": "add", "kind": kind, "text": text}


def nothing(reason: str = "All is said.") -> tuple[str, dict[str, Any]]:
    return "nothing_to_add", {"reason": reason}


def fails(code: str = "bad_request") -> Reply:
    raise ProviderError(code, "The model did not want to.")  # type: ignore[arg-type]


def place(request: Request) -> dict[str, Any]:
    """Where in the debate a request stands."""
    return dict(request.settings["debate"])


def text_of(request: Request) -> str:
    """Everything a model was told, instructions apart."""
    parts = [part for message in request.messages for part in message.parts]
    return "\n".join(part.text for part in parts if isinstance(part, TextPart))


def by_turn(request: Request) -> Reply:
    """Each turn says its number, the summary cites."""
    where = place(request)
    if where["stage"] == "summary":
        return says("Both agree [T1], [T2].")
    return says(f"{where['name']} in turn {where['turn']}.")


@dataclass
class Stage:
    """The model of the debate: plays `replies` first, then `then`; keeps what it was asked."""

    replies: list[Reply | Play] = field(default_factory=list)
    then: Play = by_turn
    requests: list[Request] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    models: list[ModelSpec] = field(default_factory=list)
    name: str = "demo"
    is_demo: bool = True

    async def stream(self, request: Request, model: ModelSpec) -> AsyncIterator[StreamEvent]:
        self.loop = asyncio.get_running_loop()
        self.requests.append(request)
        self.bodies.append(json.dumps(exact.to_json(request, [model]), sort_keys=True).encode())
        self.models.append(model)
        play = self.replies.pop(0) if self.replies else self.then
        for beat in play(request) if callable(play) else play:
            if callable(beat):
                await db(beat)
                await asyncio.sleep(0)
            else:
                yield beat

    def pictures(self) -> list[int]:
        """How many pictures each request carried."""
        return [
            sum(isinstance(part, ImagePart) for message in request.messages for part in message.parts)
            for request in self.requests
        ]


class Debated(Talk):
    """Bob's conversation with a debate."""

    stage: Stage

    def plays(self, *replies: Reply | Play) -> None:
        """What the model says next; after that it goes on by turns."""
        self.stage.replies = list(replies)

    def stops(self) -> None:
        """The person presses stop at this moment."""
        assert self.moving
        self.stage.loop.call_soon_threadsafe(self.moving.stop, "person")

    def turn_with(self, text: str, **options: Any) -> Run:
        """Ask with options, and see the debate through."""
        return self.move(self.say(text, options=options))

    def events(self, name: str) -> list[dict[str, Any]]:
        """The values of our own events of that name."""
        return [event["value"] for event in self.log() if event.get("name") == name]

    def steer(self, do: Any) -> steering.Steered:
        return steering.steer(self.actor, self.conversation.pk, do)

    def debate(self) -> Debate:
        return Debate.objects.order_by("created_at", "pk").last()  # type: ignore[return-value]

    def pad(self) -> Notepad:
        return rows.notepad_of(self.debate().pk)

    def spoken(self) -> list[tuple[str, int, str]]:
        """(speaker, turn, finish) of every reply, in the order they were told."""
        found = Message.objects.filter(role="assistant").order_by("position")
        return list(found.values_list("speaker", "turn", "finish"))

    def turns(self) -> list[tuple[str, int]]:
        return [(speaker, turn) for speaker, turn, _finish in self.spoken()]


def definition(**more: Any) -> dict[str, Any]:
    """The debate agent's entry."""
    debate = {"personas": ["cognito", "muse"], "mode": "fixed", "rounds": 2, "most_rounds": 4}
    return {
        "slug": "debate", "name": "Debate", "instructions": "Sum up.", "models": ["demo"], "tools": [],
        "kind": "debate", "debate": debate, **more,
    }  # fmt: skip


def persona(slug: str, **more: Any) -> dict[str, Any]:
    return {
        "slug": slug, "name": slug.title(), "instructions": f"You are {slug}.", "models": ["demo"],
        "tools": list(NAMES), "avatar": slug[0].upper(), "max_rounds": 4, **more,
    }  # fmt: skip


@pytest.fixture
def debate(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> Debated:
    """Cognito and Muse, two rounds, every tool of the tests."""
    for entry in (persona("cognito"), persona("muse"), definition()):
        save_agent(entry, None)
    made = Debated(talk.actor, actions.create_conversation(talk.actor, "debate"))
    made.stage = Stage()
    monkeypatch.setattr("agents.providers.get", lambda _: made.stage)
    return made


__all__ = ["HAPPENED", "PASSWORD", "bobs", "talk"]
