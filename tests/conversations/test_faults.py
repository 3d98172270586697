"""Every fault of a model's server against a whole conversation: real HTTP, the real adapter, the real run (T76, T77).

The server counts what it is asked; the log tells what the person saw. Waits between retries are left out, except where
a stop ends one.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from django.utils.translation import gettext_lazy

from agents import cooling, outside, trouble
from agents.catalogue import save_agent, save_model
from agents.providers import clients
from conversations import actions, steps
from conversations.engine import Moving, advance
from conversations.models import Message, Run
from platform_site import bell
from platform_site.db import db
from platform_site.env import env
from platform_site.models import Tenant, User
from platform_site.wire import Event
from tests.agents.wire.adapters import OPENAI_CHAT
from tests.agents.wire.files import Wire, load
from tests.agents.wire.server import Seen, WireServer
from tests.conversations.conftest import HAPPENED, NAMES, Talk

HEADERS = (("content-type", "text/event-stream"),)


def streamed(*chunks: dict[str, Any], finish: str = "stop", end: Any = "keep") -> Wire:
    """A stream of chat completion chunks, and its regular end unless it is to end otherwise."""
    ends: list[dict[str, Any]] = [{"delta": {}, "finish_reason": finish}] if end == "keep" else []
    lines = [
        json.dumps(
            {"object": "chat.completion.chunk", "model": "answering", "choices": [{"index": 0, **chunk}]}
        )
        for chunk in [*[{"delta": chunk} for chunk in chunks], *ends]
    ]
    body = "".join(f"data: {line}\n\n" for line in lines) + ("data: [DONE]\n\n" if end == "keep" else "")
    return Wire(200, HEADERS, (body.encode(),), end)


def says(text: str) -> Wire:
    return streamed({"role": "assistant", "content": text})


def calls(*items: str, name: str = "look") -> Wire:
    made = [
        {"index": n, "id": f"c{n}", "type": "function",
         "function": {"name": name, "arguments": json.dumps({"item": item})}}
        for n, item in enumerate(items)
    ]  # fmt: skip
    return streamed({"role": "assistant", "content": None, "tool_calls": made}, finish="tool_calls")


def fault(case: str) -> Wire:
    return load(OPENAI_CHAT.folder, case)


HELLO = says("Hello")
Answers = Wire | Sequence[Wire] | dict[str, Sequence[Wire]]
Beside = Callable[[Moving, WireServer], Coroutine[Any, Any, None]]
"""What goes on while the run moves."""


@dataclass
class Wired:
    """Bob's conversation with an agent whose models, `one` and then `two`, are asked over HTTP."""

    talk: Talk
    monkeypatch: pytest.MonkeyPatch
    seen: list[Seen] = field(default_factory=list)

    def agent(self, *models: str) -> None:
        definition = {
            "slug": "wired",
            "name": "Wired",
            "instructions": "Help.",
            "tools": list(NAMES),
            "max_rounds": 4,
        }
        save_agent({**definition, "models": list(models)}, None)
        self.talk.conversation = actions.create_conversation(self.talk.actor, "wired")

    def turn(self, text: str, answers: Answers) -> Run:
        """Say something and see the run through; `answers` in order, or by the model's name."""
        return self.move(self.talk.say(text), answers)

    def move(
        self,
        run: Run,
        answers: Answers,
        meanwhile: Beside | None = None,
    ) -> Run:
        async def scenario() -> None:
            async with WireServer(_by_model(answers) if isinstance(answers, dict) else answers) as server:
                OPENAI_CHAT.point(self.monkeypatch, server.url)
                self.seen = server.seen
                turn = await db(steps.claim, run.pk, "tests")
                assert turn
                moving = Moving(turn)
                try:
                    beside = asyncio.create_task(meanwhile(moving, server)) if meanwhile else None
                    await advance(moving)
                    await (beside or asyncio.sleep(0))
                finally:
                    await clients.close()

        asyncio.run(scenario())
        run.refresh_from_db()
        return run

    @property
    def asked(self) -> str:
        """Which models were asked, in order: `1` and `2`."""
        return "".join(one.json["model"][-1] for one in self.seen)

    def told(self, name: str) -> list[dict[str, Any]]:
        """The values of our own events of that name."""
        return [event["value"] for event in self.talk.log() if event.get("name") == name]

    def ends(self) -> list[dict[str, Any]]:
        return [event["metadata"] for event in self.talk.log() if event["type"] == "TEXT_MESSAGE_END"]

    def error(self) -> Event:
        (error,) = [event for event in self.talk.log() if event["type"] == "RUN_ERROR"]
        return error

    def said(self) -> list[tuple[str, str]]:
        """Messages of the agent: how each ended, and its text."""
        rows = Message.objects.filter(role="assistant").order_by("position")
        return [
            (row.finish, "".join(part["text"] for part in row.parts if part["kind"] == "text"))
            for row in rows
        ]


def _by_model(answers: dict[str, Sequence[Wire]]) -> Callable[[Seen], Wire]:
    left = {name: list(wires) for name, wires in answers.items()}

    def answer(seen: Seen) -> Wire:
        wires = left[seen.json["model"]]
        return wires.pop(0) if len(wires) > 1 else wires[0]

    return answer


@pytest.fixture
def wired(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> Wired:
    monkeypatch.setattr(env, "model_stall_s", 0.1)
    for number in (1, 2):
        save_model({"slug": f"m{number}", "provider": "openai", "name": f"model-{number}"})
    made = Wired(talk, monkeypatch)
    made.agent("m1")
    return made


def check_history(messages: Sequence[dict[str, Any]]) -> None:
    """A history that every server takes: each call answered once, right behind it, in order; a person speaks last."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
        else:
            assert not waiting
            waiting = [call["id"] for call in message.get("tool_calls") or []]
    assert not waiting
    assert messages[-1]["role"] == "user"


# What each fault comes to when it does not pass: how often the server is asked, RUN_ERROR's code, what stays visible.
LASTING = {
    "429_rate": (4, "rate_limited", ""),
    "429_quota": (1, "quota_exhausted", ""),
    "500": (4, "overloaded", ""),
    "503": (4, "overloaded", ""),
    "401": (1, "auth", ""),
    "400_context": (1, "bad_request", ""),
    "html": (1, "bad_request", ""),
    "cut_in_call": (4, "network", ""),
    "malformed_call": (4, "empty_reply", ""),
    "error_in_stream": (1, "overloaded", "Hel"),
    "bad_json": (1, "network", "Hel"),
    "clean_cut": (1, "network", "The answer is"),
    "dropped": (1, "network", "The answer is"),
    "stall": (1, "timeout", "The answer is"),
    "empty": (1, "empty_reply", ""),
    "refusal": (1, "blocked", ""),
    "content_filter": (1, "blocked", "It is "),
    "blocked_before": (1, "blocked", ""),
    "blocked_during": (1, "blocked", "First you "),
}
FALLS_THROUGH = {"429_rate", "429_quota", "500", "503", "cut_in_call"}


@pytest.mark.parametrize("case", LASTING)
def test_a_fault_that_lasts(wired: Wired, case: str) -> None:
    """Asked as often as it makes sense, then the run fails with its code and can be retried; the talk goes on."""
    times, code, visible = LASTING[case]
    run = wired.turn("hello", fault(case))
    assert (len(wired.seen), run.status, run.error_code) == (times, "failed", code)
    assert wired.said() == [("error", visible)]
    assert wired.error()["metadata"] == {"run": run.pk, "retryable": True}
    assert [note["attempt"] for note in wired.told("run.retrying")] == list(range(1, times))
    assert HAPPENED == []
    assert wired.turn("and now?", HELLO).outcome == "success"
    check_history(wired.seen[-1].json["messages"])


@pytest.mark.parametrize("case", LASTING)
def test_only_what_another_model_can_help_with_goes_to_another_model(wired: Wired, case: str) -> None:
    """G1: on exhausted quota at once, on what did not pass after the retries; nothing falls through silently."""
    times, code, _ = LASTING[case]
    wired.agent("m1", "m2")
    run = wired.turn("hello", {"model-1": [fault(case)], "model-2": [HELLO]})
    if case not in FALLS_THROUGH:
        assert (wired.asked, run.error_code) == ("1" * times, code)
        assert wired.told("run.switched") == []
        return
    assert (wired.asked, run.outcome) == ("1" * times + "2", "success")
    assert wired.said() == [("stop", "Hello")]
    switched = {"model": "m2", "was": "m1", "code": code}
    assert wired.told("run.switched") == [{"run": run.pk, **switched}]
    assert wired.ends()[-1]["fallback"] == switched
    assert wired.ends()[-1]["model"] == "answering"


@pytest.mark.parametrize("case", ["429_rate", "500", "503", "cut_in_call", "malformed_call"])
def test_a_fault_that_passes_is_told_and_forgotten(wired: Wired, case: str) -> None:
    run = wired.turn("hello", [fault(case), fault(case), HELLO])
    assert (len(wired.seen), run.outcome) == (3, "success")
    assert wired.said() == [("stop", "Hello")]
    told = wired.told("run.retrying")
    assert [(note["attempt"], note["of"], note["model"]) for note in told] == [(1, 3, "m1"), (2, 3, "m1")]
    assert {note["code"] for note in told} <= {LASTING[case][1], "malformed"}
    assert "fallback" not in wired.ends()[-1]
    assert wired.talk.calls() == []
    # What it was asked is the same each time, to the byte.
    assert len({one.body for one in wired.seen}) == 1


def test_the_servers_wish_to_wait_is_obeyed(wired: Wired, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(outside, "THE_WORLD", replace(outside.THE_WORLD, sleep=sleep))
    wired.turn("hello", [fault("429_rate"), HELLO])
    assert len(slept) == 1
    assert 7 <= slept[0] <= 8
    assert wired.told("run.retrying")[0]["waitSeconds"] == pytest.approx(slept[0], abs=0.01)


def test_a_used_up_model_is_left_alone_by_the_next_turn(wired: Wired) -> None:
    """G1: it cools down for everybody, and the label says why another one wrote."""
    wired.agent("m1", "m2")
    wired.turn("hello", {"model-1": [fault("429_quota")], "model-2": [HELLO]})
    wired.turn("again", {"model-1": [HELLO], "model-2": [HELLO]})
    assert wired.asked == "2"
    assert [end["fallback"]["code"] for end in wired.ends()] == ["quota_exhausted"] * 2


def test_a_turn_of_several_replies_says_once_that_another_model_writes(wired: Wired) -> None:
    wired.agent("m1", "m2")
    run = wired.turn("look", {"model-1": [fault("429_quota")], "model-2": [calls("hat"), says("Red")]})
    assert (wired.asked, run.outcome) == ("122", "success")
    assert len(wired.told("run.switched")) == 1
    assert all("fallback" in end for end in wired.ends())


def test_a_model_that_is_down_is_waited_for_once_a_turn(wired: Wired) -> None:
    wired.agent("m1", "m2")
    run = wired.turn("look", {"model-1": [fault("503")], "model-2": [calls("hat"), says("Red")]})
    assert (wired.asked, run.outcome) == ("111122", "success")
    assert len(wired.told("run.retrying")) == 3


def test_where_the_first_model_is_back_the_label_is_gone(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cooling, "cooling", lambda models: {})
    wired.agent("m1", "m2")
    wired.turn("look", {"model-1": [fault("429_quota"), says("Red")], "model-2": [calls("hat")]})
    assert wired.asked == "121"
    assert ["fallback" in end for end in wired.ends()] == [True, False]


def test_a_call_is_carried_out_once_however_often_the_next_request_fails(wired: Wired) -> None:
    """T76."""
    run = wired.turn(
        "look at the hat", [calls("hat"), fault("503"), fault("cut_in_call"), says("It is red.")]
    )
    assert (len(wired.seen), run.outcome) == (4, "success")
    assert HAPPENED == [("look", "hat")]


def test_calls_that_ran_are_not_run_again_by_a_retry_of_the_failed_run(wired: Wired) -> None:
    """D6, T76."""
    failed = wired.turn("look at the hat", [calls("hat"), fault("503")])
    assert (failed.status, HAPPENED) == ("failed", [("look", "hat")])
    again = wired.move(actions.retry_run(wired.talk.actor, failed.pk), says("It is red."))
    assert again.outcome == "success"
    assert HAPPENED == [("look", "hat")]
    assert wired.said()[-1] == ("stop", "It is red.")


def test_calls_of_an_answer_without_an_end_never_run(wired: Wired) -> None:
    """T15, T76: nor when its text was seen and stays."""
    begun = {
        "index": 0,
        "id": "x",
        "type": "function",
        "function": {"name": "look", "arguments": '{"item": "hat"}'},
    }
    run = wired.turn("hello", streamed({"content": "I will"}, {"tool_calls": [begun]}, end="close"))
    assert (run.status, run.error_code) == ("failed", "network")
    assert (HAPPENED, wired.talk.calls()) == ([], [])
    assert wired.said() == [("error", "I will")]
    assert wired.talk.texts() == ["I will"]
    assert "message.restarted" not in wired.talk.kinds()


def test_an_answer_cut_off_at_the_limit_says_so_and_is_kept(wired: Wired) -> None:
    run = wired.turn("hello", fault("length"))
    assert run.outcome == "success"
    assert wired.said() == [("length", "Once upon a")]


def test_blocked_empty_and_used_up_by_thinking_are_told_apart(wired: Wired) -> None:
    """G5."""
    told = {}
    thought = streamed({"reasoning_content": "Hm. " * 5}, finish="length")
    for name, wire in {"blocked": fault("refusal"), "empty": fault("empty"), "thought": thought}.items():
        told[name] = wired.turn("hello", wire).error_message
    assert len(set(told.values())) == 3
    assert "safety filter" in told["blocked"] and "nothing" in told["empty"] and "limit" in told["thought"]


def test_the_person_reads_it_in_their_language_and_never_the_providers_words(
    wired: Wired, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "credential" in wired.turn("hello", fault("401")).error_message
    bob.locale = "zh-hans"
    bob.save(update_fields=["locale"])
    monkeypatch.setattr(trouble, "WORDS", {**trouble.WORDS, "auth": gettext_lazy("Sign out")})
    assert wired.turn("hello", fault("401")).error_message == "退出登录"
    assert "Incorrect" not in str(wired.talk.log()) and "api_key" not in str(wired.talk.log())


def test_a_refused_key_reaches_the_admins_once(
    wired: Wired, tenant: Tenant, alice: User, adam: User, rita: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T68: not once a turned-away member, and nobody who could not do anything about it."""
    from agents.alerts import open_alerts

    rung: list[bell.Notice] = []
    monkeypatch.setattr(bell, "notify", rung.append)
    wired.turn("hello", fault("401"))
    wired.turn("hello again", fault("401"))
    alarms = [notice for notice in rung if notice.kind == "alert"]
    assert {notice.user for notice in alarms} == {alice.pk, adam.pk}
    assert len(alarms) == 2
    (alert,) = open_alerts()
    assert (alert.provider, alert.model, alert.credential) == ("openai", "m1", "")
    wired.turn("now?", HELLO)
    assert open_alerts() == []


def test_thoughts_are_kept_told_before_the_text_and_not_given_back(wired: Wired) -> None:
    run = wired.turn("hello", streamed({"reasoning_content": "Let me see."}, {"content": "Four."}))
    assert run.outcome == "success"
    kinds = wired.talk.kinds()
    assert kinds[kinds.index("REASONING_START") :] == [
        "REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END",
        "REASONING_END", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED",
    ]  # fmt: skip
    message = Message.objects.get(role="assistant")
    assert message.parts == [{"kind": "thinking", "text": "Let me see."}, {"kind": "text", "text": "Four."}]
    wired.turn("and?", HELLO)
    assert "Let me see." not in wired.seen[-1].body.decode()


def test_thoughts_of_a_request_that_failed_are_void(wired: Wired) -> None:
    broken = streamed({"reasoning_content": "Hm, first."}, end="close")
    run = wired.turn("hello", [broken, streamed({"reasoning_content": "Again."}, {"content": "Four."})])
    assert (len(wired.seen), run.outcome) == (2, "success")
    assert Message.objects.get(role="assistant").parts[0] == {"kind": "thinking", "text": "Again."}


# Stop


def test_stop_in_the_middle_of_an_answer_hangs_up_at_once(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured at the server: the request is really cancelled, and what came stays."""
    monkeypatch.setattr(env, "model_stall_s", 30)
    stopped: list[float] = []

    async def stop(moving: Moving, server: WireServer) -> None:
        while not moving.reply.text_so_far():  # noqa: ASYNC110  # as a person would look
            await asyncio.sleep(0.005)
        stopped.append(time.monotonic())
        moving.stop("person")
        await asyncio.wait_for(server.seen[0].gone.wait(), 2)

    run = wired.move(wired.talk.say("hello"), fault("stall"), stop)
    gone = wired.seen[0].gone_at
    assert gone is not None
    assert gone - stopped[0] < 0.25
    assert (run.outcome, wired.said()) == ("cancelled", [("cancelled", "The answer is")])


def test_stop_in_a_wait_between_retries_ends_it_at_once(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "THE_WORLD", replace(outside.THE_WORLD, sleep=asyncio.sleep))
    stopped: list[float] = []

    async def stop(moving: Moving, server: WireServer) -> None:
        while not await db(lambda: wired.told("run.retrying")):  # noqa: ASYNC110  # as a person would look
            await asyncio.sleep(0.005)
        stopped.append(time.monotonic())
        moving.stop("person")

    run = wired.move(wired.talk.say("hello"), [fault("429_rate"), HELLO], stop)
    assert time.monotonic() - stopped[0] < 0.5
    assert (len(wired.seen), run.outcome) == (1, "cancelled")
    assert wired.turn("go on", HELLO).outcome == "success"
    check_history(wired.seen[-1].json["messages"])
