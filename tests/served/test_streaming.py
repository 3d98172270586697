"""Text on its way: slow readers, readers who come and go, and readers who come late all end with the stored text."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.served.talk import Talk, Transcript, talk
from tests.served.up import Up


def stored(up: Up, token: str, conversation: str) -> list[str]:
    """The agent's texts as the database has them."""
    with up.api(token) as api:
        page = api.get(f"/api/v1/t/mall/conversations/{conversation}/messages").json()
    texts = [
        "".join(part["text"] for part in message["parts"] if part["kind"] == "text")
        for message in page["results"]
        if message["role"] == "assistant"
    ]
    return [text for text in texts if text]


async def read_slowly(up: Up, token: str, conversation: str) -> Transcript:
    """A client that takes 10 ms over each frame."""
    transcript = Transcript()
    headers = up.socket_headers(token)
    async with connect(up.socket_url(), additional_headers=headers, proxy=None, max_queue=1) as socket:
        await socket.send(
            json.dumps({"type": "subscribe", "id": "1", "conversation": conversation, "after": 0})
        )
        while transcript.ended() < 1:
            frame = json.loads(await asyncio.wait_for(socket.recv(), 30))
            if frame["type"] in ("event", "delta"):
                transcript.fold(frame)
            await asyncio.sleep(0.01)
    return transcript


async def come_and_go(up: Up, token: str, conversation: str) -> Transcript:
    """A client that reconnects every 100 ms and goes on after what it has."""
    transcript = Transcript()
    while transcript.ended() < 1:
        person = await talk(up.url, token, "mall")
        await person.follow(conversation, transcript)
        await asyncio.sleep(0.1)
        await person.close()
    return transcript


def test_a_slow_and_a_restless_reader_both_end_with_exactly_the_stored_text(own_up: Up) -> None:
    """T45, T46."""
    own_up.environment["DEMO_PACE_MS"] = "2"
    own_up.start()
    token = own_up.token("member")

    async def scenario() -> tuple[str, Transcript, Transcript, Transcript]:
        person = await talk(own_up.url, token, "mall")
        conversation = await person.start("mall-guide")
        await person.say(conversation, "count to 600")
        slow, restless = await asyncio.gather(
            read_slowly(own_up, token, conversation), come_and_go(own_up, token, conversation)
        )
        plain = await person.until(conversation, lambda told: told.ended() == 1)
        await person.close()
        return conversation, plain, slow, restless

    conversation, *transcripts = asyncio.run(scenario())
    text = stored(own_up, token, conversation)
    assert "600" in text[0]
    for transcript in transcripts:
        assert transcript.said() == text
        assert transcript.gaps == []


def test_a_reader_who_stops_reading_does_not_hold_up_the_others(served: Up) -> None:
    """T45."""
    token = served.token("member")

    async def scenario() -> None:
        person = await talk(served.url, token, "mall")
        conversation = await person.start("mall-guide")
        headers = served.socket_headers(token)
        async with connect(
            served.socket_url(), additional_headers=headers, proxy=None, max_queue=1
        ) as asleep:
            await asleep.send(
                json.dumps({"type": "subscribe", "id": "1", "conversation": conversation, "after": 0})
            )
            for _ in range(5):
                told = await person.turn(conversation, "count to 1500")
            assert told.gaps == []
            again = Talk(asleep)
            again.transcripts[conversation] = Transcript()
            whole = await again.until(conversation, lambda heard: heard.ended() == 5)
            assert whole.said() == told.said()
            assert whole.gaps == []
            await again.close()
        await person.close()

    asyncio.run(scenario())


def test_a_replay_is_the_same_log_under_the_same_numbers(served: Up) -> None:
    """T46: what a second tab reads later folds to what the first one heard live."""
    token = served.token("member")

    async def scenario() -> tuple[Transcript, Transcript, list[dict[str, Any]]]:
        first = await talk(served.url, token, "mall")
        conversation = await first.start("mall-guide")
        live = await first.turn(conversation, "Nike running shoes under 500")
        second = await talk(served.url, token, "mall")
        await second.follow(conversation)
        replay = await second.until(conversation, lambda told: told.last >= live.last)
        await first.close()
        await second.close()
        with served.api(token) as api:
            rows = api.get(f"/api/v1/t/mall/conversations/{conversation}/events?after=0&limit=100").json()[
                "results"
            ]
        return live, replay, rows

    live, replay, rows = asyncio.run(scenario())
    assert live.said() == replay.said()
    turn = [row for row in rows if row["seq"] <= live.last]  # the conversation's title may follow it
    assert [row["seq"] for row in turn] == list(range(1, live.last + 1))
    assert [row["event"] for row in turn] == replay.events[: live.last]
    assert any(row["event"]["type"] == "TEXT_MESSAGE_CONTENT" for row in rows)


def test_open_sockets_end_soon_after_a_person_loses_their_place(own_up: Up) -> None:
    """T38: deactivated through the configuration; the socket is closed within 5 s and the token is dead at once."""
    own_up.start()
    token = own_up.token("member")

    async def scenario() -> int:
        headers = own_up.socket_headers(token)
        async with connect(own_up.socket_url(), additional_headers=headers, proxy=None) as socket:
            await socket.send('{"type":"ping","id":"1"}')
            await socket.recv()
            await asyncio.to_thread(deactivate, own_up)
            try:
                await asyncio.wait_for(socket.recv(), 5)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 1006
        return 0

    assert asyncio.run(scenario()) == 4401
    with own_up.api(token) as api:
        assert api.get("/api/v1/t/mall/agents").status_code == 401


def deactivate(up: Up) -> None:
    """What the admin console's button does, said in a shell."""
    up.shell(
        "from platform_site.models import *; from platform_site.tenancy import acting_for\n"
        "with acting_for(Tenant.objects.get(slug='mall')):\n"
        "    Membership.objects.filter(user__email='member@mall.test').update(is_active=False)"
    )
