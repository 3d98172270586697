"""The websocket from outside: who gets in, what a bad frame is told, and that nobody disturbs anybody."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.served.talk import Refused, talk
from tests.served.up import Up


def run(scenario: Any) -> Any:
    return asyncio.run(scenario)


async def closed_with(up: Up, tenant: str, headers: dict[str, str]) -> int:
    """The code a fresh socket is closed with, having sent us nothing before."""
    async with connect(up.socket_url(tenant), additional_headers=headers, proxy=None) as socket:
        try:
            frame = await asyncio.wait_for(socket.recv(), 10)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
    raise AssertionError(f"got {frame!r} before anybody signed in")


def test_who_is_not_signed_in_is_closed_before_anything_is_said(served: Up) -> None:
    """T43."""
    assert run(closed_with(served, "mall", {"Origin": served.url})) == 4401
    assert run(closed_with(served, "mall", {"Authorization": "Bearer slc_nonsense"})) == 4401


def test_who_is_no_member_is_closed_like_at_a_tenant_that_does_not_exist(served: Up) -> None:
    """T32, T35."""
    bearer = {"Authorization": f"Bearer {served.token('member', 'mall')}"}
    assert run(closed_with(served, "desk", bearer)) == 4403
    assert run(closed_with(served, "no-such-tenant", bearer)) == 4403
    assert run(closed_with(served, "MALL", bearer)) == 4403


def signed_in_cookie(up: Up) -> str:
    """The session cookie of a browser that has signed in as the demo member."""
    with httpx2.Client(base_url=up.url, follow_redirects=True) as browser:
        browser.get("/accounts/login/")
        form = {"login": "member@mall.test", "password": "demo-pass-1234"}
        form["csrfmiddlewaretoken"] = browser.cookies["csrftoken"]
        browser.post("/accounts/login/", data=form, headers={"Referer": f"{up.url}/accounts/login/"})
        return f"sessionid={browser.cookies['sessionid']}"


async def handshake(up: Up, headers: dict[str, str]) -> int:
    try:
        async with connect(up.socket_url(), additional_headers=headers, proxy=None, origin=None) as socket:
            await socket.send(json.dumps({"type": "ping", "id": "1"}))
            await socket.recv()
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def test_a_cookie_counts_only_from_our_own_pages(served: Up) -> None:
    """T42: foreign, null and missing Origin are refused in the handshake; our own is let in."""
    cookie = {"Cookie": signed_in_cookie(served)}
    for origin in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {}):
        assert run(handshake(served, cookie | origin)) == 403
    assert run(handshake(served, cookie | {"Origin": served.url})) == 101


def test_a_program_with_a_token_needs_no_origin(served: Up) -> None:
    """T42, the can."""
    assert run(handshake(served, {"Authorization": f"Bearer {served.token('member')}"})) == 101


BAD = [
    ("{not json", "bad_frame"),
    ("[]", "bad_frame"),
    ('{"type":"ping"}', "bad_frame"),
    ('{"type":"no.such","id":"1"}', "unknown_frame"),
    ('{"type":"subscribe","id":"1","conversation":7}', "bad_frame"),
    ('{"type":"subscribe","id":"1","conversation":"absent"}', "not_found"),
    ('{"type":"conversation.create","id":"1","agent":"absent"}', "not_found"),
    ('{"type":"run.stop","id":"1","run":"absent"}', "not_found"),
    ('{"type":"run.retry","id":"1","run":"absent"}', "not_found"),
    ('{"type":"input.submit","id":"1","interrupt":"absent","cancel":true}', "not_found"),
    (
        '{"type":"confirmation.decide","id":"1","confirmation":"absent","decision":"approve","digest":"d"}',
        "not_found",
    ),
    ('{"type":"message.send","id":"1","conversation":"absent","text":"x"}', "not_found"),
    ('{"type":"ping","id":"1","x":' + "[" * 5000 + "]" * 5000 + "}", "bad_frame"),
    (b"\x00\x01\xff", "bad_frame"),
]


def test_a_bad_frame_is_answered_and_the_socket_lives_on(served: Up) -> None:
    """T47."""

    async def scenario() -> None:
        headers = served.socket_headers(served.token("member"))
        async with connect(served.socket_url(), additional_headers=headers, proxy=None) as socket:
            for frame, code in BAD:
                await socket.send(frame)
                answer = json.loads(await asyncio.wait_for(socket.recv(), 10))
                assert (answer["type"], answer["code"]) == ("error", code), frame
                assert answer["detail"]
                assert "Traceback" not in answer["detail"]
            await socket.send('{"type":"ping","id":"still here"}')
            assert json.loads(await socket.recv()) == {"type": "ack", "id": "still here"}

    run(scenario())


def test_an_oversized_frame_is_told_and_closes_its_own_socket(served: Up) -> None:
    """T44: over 64 KiB we answer and close with 4008; 10 MB never reaches us and is closed by the server."""

    async def scenario(size: int) -> tuple[list[str], int]:
        headers = served.socket_headers(served.token("member"))
        codes: list[str] = []
        async with connect(served.socket_url(), additional_headers=headers, proxy=None) as socket:
            try:
                await socket.send(json.dumps({"type": "message.send", "id": "1", "text": "x" * size}))
                while True:
                    codes.append(json.loads(await asyncio.wait_for(socket.recv(), 10))["code"])
            except ConnectionClosed as closed:
                return codes, closed.rcvd.code if closed.rcvd else 1006

    assert run(scenario(70_000)) == (["too_large"], 4008)
    told, code = run(scenario(10_000_000))
    assert told == []
    assert code in (1006, 1009)


def test_who_floods_is_closed_and_the_others_notice_nothing(served: Up) -> None:
    """T44."""

    async def pings(seconds: float) -> list[float]:
        calm = await talk(served.url, served.token("admin"), "mall")
        took: list[float] = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            started = time.monotonic()
            await calm.ask("ping")
            took.append(time.monotonic() - started)
            await asyncio.sleep(0.02)
        await calm.close()
        return sorted(took)

    async def flood() -> int:
        headers = served.socket_headers(served.token("member"))
        async with connect(served.socket_url(), additional_headers=headers, proxy=None) as socket:
            try:
                for number in range(5_000):
                    await socket.send(json.dumps({"type": "ping", "id": str(number)}))
                    if number % 50 == 0:
                        await asyncio.sleep(0)  # a client that never reads cannot be told
                while True:
                    await asyncio.wait_for(socket.recv(), 10)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 1006

    async def scenario() -> tuple[int, list[float]]:
        code, took = await asyncio.gather(flood(), pings(1.5))
        return code, took

    code, took = run(scenario())
    assert code == 4029
    assert took[len(took) // 2] < 0.25


def test_a_conversation_of_somebody_else_in_the_same_tenant_is_absent(served: Up) -> None:
    """T33: every frame that names a conversation, run or confirmation answers as for an absent one."""

    async def scenario() -> None:
        mine = await talk(served.url, served.token("member"), "mall")
        theirs = await talk(served.url, served.token("admin"), "mall")
        conversation = await mine.start("mall-guide")
        run_id = (await mine.say(conversation, "hello"))["run"]
        tries: list[tuple[str, dict[str, Any]]] = [
            ("subscribe", {"conversation": conversation}),
            ("message.send", {"conversation": conversation, "text": "me too"}),
            ("run.stop", {"run": run_id}),
            ("run.retry", {"run": run_id}),
        ]
        for kind, fields in tries:
            with pytest.raises(Refused) as refused:
                await theirs.ask(kind, **fields)
            assert refused.value.code == "not_found", kind
        await mine.until(conversation, lambda told: told.ended() == 1)
        await mine.close()
        await theirs.close()

    run(scenario())


def test_the_same_sending_twice_is_one_message(served: Up) -> None:
    async def scenario() -> None:
        person = await talk(served.url, served.token("member"), "mall")
        conversation = await person.start("mall-guide")
        first = await person.say(conversation, "hello", key="once")
        second = await person.say(conversation, "hello", key="once")
        assert (first["message"], first["run"]) == (second["message"], second["run"])
        told = await person.until(conversation, lambda told: told.ended() == 1)
        assert len(told.of("CUSTOM", "message.user")) == 1
        await person.close()

    run(scenario())


def test_a_message_sent_meanwhile_waits_its_turn(served: Up) -> None:
    async def scenario() -> None:
        person = await talk(served.url, served.token("member"), "mall")
        conversation = await person.start("mall-guide")
        await person.say(conversation, "count to 2000")
        await person.say(conversation, "hello")
        told = await person.until(conversation, lambda told: told.ended() == 2)
        order = [event["type"] for event in told.events if event["type"] in ("RUN_STARTED", "RUN_FINISHED")]
        assert order == ["RUN_STARTED", "RUN_FINISHED", "RUN_STARTED", "RUN_FINISHED"]
        assert told.gaps == []
        await person.close()

    run(scenario())
