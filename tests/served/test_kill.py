"""kill -9 at eleven points of a shopping flow: every run ends, nothing happens twice, no event number is lost.

The judge of what happened is the shop's own log, not ours. The plain suite kills at three of the points; with
SLUICE_KILLS=flow at all of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx2
import pytest

from tests.gate_evidence.rounds import KILLS
from tests.served.talk import PASSWORD, Refused, Talk, Transcript, talk
from tests.served.up import Up

Point = Callable[[Transcript], object]


def seen(kind: str, name: str = "", **fields: Any) -> Point:
    """A point of the flow: an event of this kind has been told."""

    def reached(told: Transcript) -> bool:
        return any(
            fields.items() <= {**event, **event.get("value", {})}.items() for event in told.of(kind, name)
        )

    return reached


def writing(nth: int) -> Point:
    """A point of the flow: the agent's nth text has begun and not ended."""

    def reached(told: Transcript) -> bool:
        begun = [message for message, text in told.texts.items() if text]
        return len(begun) >= nth and begun[nth - 1] not in told.lengths

    return reached


POINTS = 11
FEW = {3, 7, 9}
"""A search has been called; a yes is on its way; an order was approved."""


class Shopper:
    """A person with a browser tab that reconnects: goes on from what the log says, whatever happened to the server."""

    def __init__(self, up: Up) -> None:
        self.up = up
        self.told = Transcript()
        self.conversation = ""
        self.points = 0
        self.person: Talk | None = None

    async def open(self) -> Talk:
        token = await asyncio.to_thread(self.up.token, "member")
        self.person = await talk(self.up.url, token, "mall")
        if self.conversation:
            await self.person.follow(self.conversation, self.told)
        else:
            self.conversation = await self.person.start("mall-guide")
            self.told = self.person.transcripts[self.conversation]
        return self.person

    async def kill(self) -> None:
        """-9, then up again, then the tab comes back."""
        self.points += 1
        if not KILLS and self.points not in FEW:
            return
        await asyncio.to_thread(self.up.kill)
        await self.close()
        await asyncio.to_thread(self.up.start)
        await self.open()

    async def close(self) -> None:
        if self.person:
            await self.person.close()

    async def reach(self, point: Point) -> None:
        """Go on until the flow is at `point`, wherever the server has just been."""
        assert self.person
        await self.person.until(self.conversation, point)

    async def say(self, text: str, key: str) -> None:
        assert self.person
        await self.person.say(self.conversation, text, key)

    async def idle(self) -> None:
        """Until every run that was started has ended."""
        await self.reach(lambda told: told.ended() and told.ended() == len(told.of("RUN_STARTED")))

    async def asked(self, tool: str) -> dict[str, Any]:
        """Until `tool` waits for us; its confirmation."""
        await self.reach(lambda told: self._question(told, tool))
        question = self._question(self.told, tool)
        assert question
        return question

    @staticmethod
    def _question(told: Transcript, tool: str) -> dict[str, Any] | None:
        names = {event["toolCallId"]: event["toolCallName"] for event in told.of("TOOL_CALL_START")}
        for event in told.of("CUSTOM", "tool_call.checked"):
            waits = event["value"]["confirmation"]
            if waits in told.open_confirmations() and names[event["value"]["toolCallId"]] == tool:
                return dict(waits)
        return None

    async def approve(self, question: dict[str, Any], *, wait: bool = True) -> None:
        assert self.person
        proof = {"proof": {"password": PASSWORD}} if question["ceremony"] == "password" else {}
        answer = self.person.ask(
            "confirmation.decide",
            confirmation=question["id"],
            decision="approve",
            digest=question["digest"],
            **proof,
        )
        if wait:
            await answer
            return
        task = asyncio.create_task(answer)
        await asyncio.sleep(0.005)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


def effects(up: Up) -> list[dict[str, Any]]:
    """What the shop's backend says it has done."""
    headers = {"X-Admin-Key": up.mall_admin_key}
    answer = httpx2.get(f"{up.mall_url}/admin/effects?after=0", headers=headers, trust_env=False)
    rows: list[dict[str, Any]] = answer.raise_for_status().json()["effects"]
    return rows


async def effect_of(up: Up, operation: str) -> None:
    """Until the shop has done it, whatever we know of it."""
    while not any(  # noqa: ASYNC110  # the shop's log is looked at as an outsider would
        operation in row["operation"] for row in await asyncio.to_thread(effects, up)
    ):
        await asyncio.sleep(0.01)


@pytest.mark.timeout(400)
def test_kill_at_eleven_points_loses_nothing_and_repeats_nothing(own_up: Up) -> None:
    """T73, T74, T46."""
    own_up.environment["DEMO_PACE_MS"] = "15"
    own_up.start()
    shopper = Shopper(own_up)

    async def scenario() -> None:
        await shopper.open()
        await shopper.say("Nike running shoes under 500", "first")
        await shopper.kill()
        for point in (
            seen("RUN_STARTED"),
            seen("TOOL_CALL_START", toolCallName="search_products"),
            seen("TOOL_CALL_RESULT"),
            writing(2),
        ):
            await shopper.reach(lambda told, point=point: point(told) or told.ended())
            await shopper.kill()
        await shopper.idle()
        await shopper.say("size 42", "second")
        question = await shopper.asked("add_to_cart")
        await shopper.kill()
        await shopper.approve(question, wait=False)
        await shopper.kill()
        if still := shopper._question(shopper.told, "add_to_cart"):
            with suppress(Refused):  # the log was still being read: the first answer had arrived
                await shopper.approve(still)
        await asyncio.wait_for(effect_of(own_up, "cart"), 20)
        await shopper.kill()
        await shopper.idle()
        await shopper.say("order it", "third")
        question = await shopper.asked("create_order")
        await shopper.approve(question)
        await shopper.kill()
        await asyncio.wait_for(effect_of(own_up, "order"), 20)
        await shopper.kill()
        await shopper.reach(lambda told: (told.said() and "order" in told.said()[-1].lower()) or told.ended())
        await shopper.kill()
        await shopper.idle()
        await shopper.close()

    asyncio.run(scenario())
    assert shopper.points == POINTS
    judge(own_up, shopper)


def judge(up: Up, shopper: Shopper) -> None:
    """What must be true after any number of crashes."""
    token = up.token("member")
    told = shopper.told
    assert told.gaps == []
    done = effects(up)
    assert max(Counter(row["idempotency_key"] for row in done).values()) == 1
    operations = Counter(row["operation"] for row in done)
    assert (
        sum(count for operation, count in operations.items() if "cart" in operation and "add" in operation)
        == 1
    )
    assert sum(count for operation, count in operations.items() if "order" in operation) == 1
    with up.api(token) as api:
        base = f"/api/v1/t/mall/conversations/{shopper.conversation}"
        rows = api.get(f"{base}/events?after=0&limit=100").json()["results"]
        calls = api.get(f"{base}/export").json()["calls"]
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert len(told.of("RUN_STARTED")) == told.ended()
    assert {call["status"] for call in calls} <= {"succeeded", "failed", "rejected", "denied", "unknown"}
    assert told.said()
    for message, length in told.lengths.items():
        assert len(told.texts[message]) == length


def test_a_wrong_digest_or_password_runs_nothing(served: Up) -> None:
    """T01, T02: what is approved is what was shown, by who can prove it."""

    async def scenario() -> None:
        person = await talk(served.url, served.token("member"), "mall")
        conversation = await person.start("mall-guide")
        await person.turn(conversation, "Nike running shoes under 500")
        told = await person.turn(conversation, "size 42")
        (question,) = told.open_confirmations()
        try:
            await person.ask(
                "confirmation.decide", confirmation=question["id"], decision="approve", digest="0" * 64
            )
        except Refused as refused:
            assert refused.code == "digest_mismatch"
        else:
            raise AssertionError("a wrong digest was taken")
        assert told.open_confirmations() == [question]
        await person.ask(
            "confirmation.decide", confirmation=question["id"], decision="reject", digest=question["digest"]
        )
        told = await person.until(conversation, lambda told: told.ended() == 3)
        assert told.open_confirmations() == []
        await person.close()

    asyncio.run(scenario())
