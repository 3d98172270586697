"""A debate of the demo model without a server: every request as the engine would make it, every answer kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents import debate_words
from agents.debate import SUMMARY, Said, Settings, Speak, Summarise, Voice, next_step
from agents.demo.script import Scripted
from agents.demo.scripts import decide
from agents.messages import ModelMessage, Picture, Request, TextPart, ToolCallPart, ToolResultPart
from conversations.debate import notepad, telling
from conversations.debate.notepad import Change, Notepad
from tests.agents.talk import tool
from tools.spec import ToolSpec

NOTES = tool(debate_words.NOTES, "action", optional=("entry", "kind", "text"))
NOTHING = tool(debate_words.NOTHING, "reason")
COGNITO, MUSE, AUTHOR = Voice("cognito", "Cognito"), Voice("muse", "Muse"), Voice("debate", "Debate")


@dataclass
class Debate:
    """One debate, moved turn by turn. `requests`: all that was asked of the model."""

    question: str
    mode: str = "fixed"
    rounds: int = 3
    locale: str = "en"
    model: str = "demo"
    images: Mapping[str, Picture] = field(default_factory=dict)
    tools: tuple[ToolSpec, ...] = ()
    answers: Mapping[str, Any] = field(default_factory=dict)
    """What other tools than the debate's own answer."""
    turns: dict[int, str] = field(default_factory=dict)
    settled: set[int] = field(default_factory=set)
    stepped: list[tuple[int, str]] = field(default_factory=list)
    """After which turn somebody said what."""
    pad: Notepad = field(default_factory=lambda: Notepad("d"))
    requests: list[Request] = field(default_factory=list)
    own: dict[int, list[ModelMessage]] = field(default_factory=dict)
    """The replies of each turn, with their calls and results."""

    @property
    def settings(self) -> Settings:
        return Settings((COGNITO, MUSE), AUTHOR, self.mode, self.rounds, self.rounds)  # type: ignore[arg-type]

    def whole(self) -> Debate:
        """To its summary, which is turn 0."""
        while SUMMARY not in self.turns:
            self.step()
        return self

    def step(self, wish: str = "") -> str:
        """One more turn."""
        said = [Said(turn, True, turn in self.settled) for turn in self.turns]
        asked = next_step(self.settings, said, wish)  # type: ignore[arg-type]
        assert isinstance(asked, Speak | Summarise)
        turn = asked.turn if isinstance(asked, Speak) else SUMMARY
        self.turns[turn] = self._spoken(asked, turn)
        return self.turns[turn]

    def say(self, text: str, name: str = "Ann") -> Debate:
        """A person steps in."""
        self.stepped.append((max(self.turns, default=0), debate_words.stepped_in(name, text)))
        return self

    @property
    def notes(self) -> list[notepad.Entry]:
        return list(self.pad.entries)

    @property
    def summary(self) -> str:
        return self.turns[SUMMARY]

    def _spoken(self, step: Speak | Summarise, turn: int) -> str:
        own: list[ModelMessage] = []
        text = ""
        while not text:
            reply = decide(self._request(step, own))
            assert reply.text or reply.calls, "the model said nothing"
            text = reply.text
            own += self._answered(reply, step, turn)
        self.own[turn] = own
        return text

    def _request(self, step: Speak | Summarise, own: list[ModelMessage]) -> Request:
        notes = notepad.as_state(self.pad)["entries"]
        told = {"debate": telling.of_request(self.settings, step, self.question, notes)}
        tools = (NOTES, *((NOTHING,) if self.mode == "ai" else ()), *self.tools)
        request = Request(
            self.model, "…", [*self._told(step), *own], tools if isinstance(step, Speak) else (),
            self.locale, told, self.images,
        )  # fmt: skip
        self.requests.append(request)
        return request

    def _told(self, step: Speak | Summarise) -> list[ModelMessage]:
        me = step.persona.slug if isinstance(step, Speak) else ""
        messages: list[ModelMessage] = []
        heard = [self.question]
        for turn in [0, *(turn for turn in self.turns if turn != SUMMARY)]:
            voice = self.settings.personas[(turn - 1) % 2]
            if turn and voice.slug == me:
                messages += [_user(heard), *self.own[turn]]
                heard = []
            elif turn:
                heard.append(debate_words.said_by(voice.name, turn, self.turns[turn]))
            heard += [text for after, text in self.stepped if after == turn]
        pad = notepad.markdown(self.pad, {"cognito": "Cognito", "muse": "Muse"})
        return [*messages, _user([*heard, debate_words.now(self.settings, step, pad)])]

    def _answered(self, reply: Scripted, step: Speak | Summarise, turn: int) -> list[ModelMessage]:
        calls = [(f"c{turn}.{nth}", call) for nth, call in enumerate(reply.calls)]
        asked = tuple(ToolCallPart(id_, call.name, call.arguments) for id_, call in calls)
        results = tuple(
            ToolResultPart(id_, call.name, self._done(call.name, call.arguments, step, turn), "succeeded")
            for id_, call in calls
        )
        own = [ModelMessage("assistant", (TextPart(reply.text), *asked))]
        return [*own, ModelMessage("tool", results)] if results else own

    def _done(self, name: str, arguments: str, step: Speak | Summarise, turn: int) -> str:
        if name == debate_words.NOTHING:
            self.settled.add(turn)
        if name != debate_words.NOTES:
            return json.dumps(self.answers.get(name, {}))
        assert isinstance(step, Speak)
        given = json.loads(arguments)
        entry = given.get("entry") or len(self.pad.entries) + 1
        old = self.pad.entry(entry)
        change = Change(
            self.pad.version + 1, entry, given["action"], given.get("kind") or (old.kind if old else ""),
            given.get("text") or (old.text if old else ""), step.persona.slug, turn,
        )  # fmt: skip
        self.pad = notepad.after(self.pad, change)
        return json.dumps({"ok": True})


def _user(texts: list[str]) -> ModelMessage:
    return ModelMessage("user", tuple(TextPart(text) for text in texts))
