"""The server's side of a debate, played by the test: the page sees exactly these events and says what it wants.

`Stage` answers the page's websocket in the server's place, so a test shows any moment of a debate without waiting for
one. What a debate's events look like stands in docs/protocol.md; whole debates, on the real server: `test_debate.py`.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from tests.browser.person import WAIT_MS, Person

Event = dict[str, Any]

TALK = "d" * 32
DEBATE = "b" * 32
RUN = "run1"
PERSONAS = [
    {"slug": "cognito", "name": "Cognito", "avatar": "C", "colour": "teal", "model": "demo"},
    {"slug": "muse", "name": "Muse", "avatar": "M", "colour": "violet", "model": "demo-fast"},
]
CARD: Event = {
    "slug": "debate",
    "name": "Debate",
    "suggestions": ["Should our town ban cars from its centre?", "Is it better to rent or to buy a flat?"],
    "scenarios": [],
    "isDemo": True,
    "seesImages": True,
    "models": [],
    "presets": ["premium", "standard"],
    "debate": {
        "personas": [{**one, "models": ["demo", "demo-fast"]} for one in PERSONAS],
        "mode": "fixed",
        "rounds": 3,
        "mostRounds": 8,
        "presets": ["premium", "standard"],
    },
}
ALONE: Event = {"people": [], "invitations": [], "answers": "always"}
AS_DEBATE = """
const parse = JSON.parse;
JSON.parse = (...given) => {
  const read = parse(...given);
  if (read?.agents && read.tenant) Object.assign(read, { agents: [CARD], conversation: TALK });
  return read;
};"""


def custom(event: str, /, **value: Any) -> Event:
    return {"type": "CUSTOM", "name": event, "value": value}


class Stage:
    """A conversation that is a list of events. `heard`: the frames of the page but for its subscriptions."""

    def __init__(self, person: Person, card: Event = CARD) -> None:
        self.person = person
        self.events: list[Event] = []
        self.heard: list[Event] = []
        self.sockets: list[WebSocketRoute] = []
        self.user: Event = {"id": 0, "name": "Dana"}
        self.personas = card["debate"]["personas"]
        self.head: str | None = None
        self.notes: list[Event] = []
        talk = {"id": TALK, "title": "", "agent": card["slug"], "updated_at": "2026-11-21T10:00:00Z"}
        person.page.add_init_script(
            AS_DEBATE.replace("CARD", json.dumps(card)).replace("TALK", json.dumps(talk))
        )
        person.page.route_web_socket(re.compile("/ws/t/"), self._connected)
        person.page.route(f"**/conversations/{TALK}/people", lambda route: route.fulfill(json=ALONE))

    def _connected(self, socket: WebSocketRoute) -> None:
        self.sockets = [socket]
        socket.on_message(lambda text: self._take(socket, json.loads(text)))

    def _take(self, socket: WebSocketRoute, frame: Event) -> None:
        answer: Event = {"type": "ack", "id": frame["id"]}
        match frame["type"]:
            case "conversation.create":
                answer["conversation"] = {"id": TALK}
            case "subscribe":
                answer["seq"] = len(self.events)
            case "message.send":
                answer |= {"message": f"said{len(self.events)}", "run": ""}
        if frame["type"] not in ("subscribe", "unsubscribe", "ping"):
            self.heard.append(frame)
        socket.send(json.dumps(answer))
        if frame["type"] == "subscribe":
            for seq in range(frame["after"], len(self.events)):
                self._send(seq)

    def _send(self, seq: int) -> None:
        numbered = {"type": "event", "conversation": TALK, "seq": seq + 1, "event": self.events[seq]}
        for socket in self.sockets:
            socket.send(json.dumps(numbered))

    def hears(self, kind: str) -> Event:
        """The next frame of this kind that the page sent and nobody asked for yet."""
        until = time.monotonic() + WAIT_MS / 1000
        while time.monotonic() < until:
            for frame in self.heard:
                if frame["type"] == kind:
                    self.heard.remove(frame)
                    return frame
            self.person.page.evaluate("() => new Promise(requestAnimationFrame)")
        raise AssertionError(f"the page sent no {kind}, but {self.heard}")

    def tell(self, *events: Event) -> Stage:
        for event in events:
            self.events.append(event)
            self._send(len(self.events) - 1)
        return self

    def open(self) -> Page:
        """The conversation's page, before or after anything was said in it."""
        self.person.page.goto("/t/mall/")
        self.user = self.person.page.evaluate(
            "JSON.parse(document.getElementById('page-data').textContent).user"
        )
        return self.person.page

    # What happens

    def asked(self, text: str, attachments: list[Event] | None = None, **settings: Any) -> Stage:
        """The question, and the debate begins."""
        self._user("question", text, None, attachments or [])
        shown = {"personas": self.personas, "mode": "fixed", "rounds": 3, "most_rounds": 8, "budget": ""}
        pad = {"debate": DEBATE, "version": 0, "entries": [], "changes": []}
        return self.tell(
            {"type": "RUN_STARTED", "threadId": TALK, "runId": RUN, "metadata": {"cause": "message"}},
            custom("debate.started", debate=DEBATE, question="question", **{**shown, **settings}),
            {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/notepad", "value": pad}]},
        )

    def _user(self, id_: str, text: str, parent: str | None, attachments: list[Event], **more: Any) -> None:
        said = {"messageId": id_, "text": text, "author": self.user, "attachments": attachments}
        self.tell(custom("message.user", **said, parent=parent, queued=False, **more))
        self.head = id_

    def steps_in(self, text: str) -> Stage:
        self._user(f"step{len(self.events)}", text, self.head, [], debate=DEBATE)
        return self

    def begins(self, turn: int, run: str = RUN) -> str:
        """A turn's message before its first word; 0 is the summary."""
        id_ = f"m{len(self.events)}"
        speaker = self.personas[(turn - 1) % 2]["slug"] if turn else ""
        place = {"debate": DEBATE, "speaker": speaker, "turn": turn, "round": (turn + 1) // 2}
        meta = {"run": run, "parent": self.head, **place, "stage": "turn" if turn else "summary"}
        self.tell({"type": "TEXT_MESSAGE_START", "messageId": id_, "role": "assistant", "metadata": meta})
        self.head = id_
        return id_

    def ends(self, id_: str, text: str, **meta: Any) -> Stage:
        told = {"length": len(text), "model": "demo", "demo": True, "finish": "stop", **meta}
        content = {
            "type": "TEXT_MESSAGE_CONTENT",
            "messageId": id_,
            "delta": text,
            "metadata": {"offset": 0},
        }
        return self.tell(
            *([content] if text else []), {"type": "TEXT_MESSAGE_END", "messageId": id_, "metadata": told}
        )

    def speaks(self, turn: int, text: str) -> Stage:
        return self.ends(self.begins(turn), text)

    def notes_down(
        self, turn: int, text: str, kind: str = "fact", action: str = "add", entry: int = 0
    ) -> Stage:
        """A change of the notepad by who has the turn."""
        n = entry or 1 + len({one["entry"] for one in self.notes})
        by = self.personas[(turn - 1) % 2]["slug"]
        change = {
            "version": len(self.notes) + 1, "entry": n, "action": action, "kind": kind, "text": text,
            "by": by, "turn": turn, "at": "2026-11-21T10:00:00+00:00",
        }  # fmt: skip
        self.notes.append(change)
        new = {"n": n, "kind": kind, "text": text, "by": by, "turn": turn, "struck": action == "strike"}
        where = "entries/-" if action == "add" else f"entries/{n - 1}"
        return self.tell(
            {
                "type": "STATE_DELTA",
                "delta": [
                    {
                        "op": "add" if action == "add" else "replace",
                        "path": f"/notepad/{where}",
                        "value": new,
                    },
                    {"op": "replace", "path": "/notepad/version", "value": change["version"]},
                    {"op": "add", "path": "/notepad/changes/-", "value": change},
                ],
            }
        )

    def changed(self, status: str = "active", steer: str = "", round: int = 1) -> Stage:
        return self.tell(custom("debate.changed", debate=DEBATE, status=status, round=round, steer=steer))

    def run_ends(self, outcome: str = "success", run: str = RUN) -> Stage:
        return self.tell(
            {"type": "RUN_FINISHED", "threadId": TALK, "runId": run, "outcome": {"type": outcome}}
        )

    def done(self) -> Stage:
        return self.tell(custom("debate.ended", debate=DEBATE, status="done")).run_ends()
