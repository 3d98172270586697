"""The stream itself: live, whole, behind other runs, left early, ended for who may not listen any more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conversations import agui_stream, hall
from conversations.agui_stream import MOST_AT_ONCE
from conversations.agui_telling import Telling, Where
from conversations.feed import the_feeds
from conversations.models import Run
from platform_site import ledger, wire
from platform_site.db import db
from platform_site.models import Membership
from platform_site.tenancy import acting_for
from platform_site.wire import Event
from tests.agui.conftest import Program, Stream, program_of, until
from tests.conversations.conftest import Talk

# Live


def test_a_request_behind_another_run_hears_its_own_run_alone(client: Program, talk: Talk) -> None:
    client.thread = talk.conversation.pk
    earlier = talk.say("echo from the browser")
    answer = client.say("echo from the program")
    assert answer.text == "from the program"
    assert answer.kinds.count("RUN_STARTED") == answer.kinds.count("RUN_FINISHED") == 1
    assert answer.events[0]["metadata"]["run"] != earlier.pk


def test_two_requests_at_once_hear_one_run_each(client: Program, talk: Talk) -> None:
    client.thread = talk.conversation.pk

    async def scene() -> list[Stream]:
        messages = [[{"id": str(n), "role": "user", "content": f"echo {n}"}] for n in range(2)]
        async with client.asking(messages=messages[0]) as one:
            await until(lambda: one.status)
            async with client.asking(messages=messages[1]) as other:
                while not (one.whole and other.whole):
                    await client.move()
                    await asyncio.sleep(0.01)
        await hall.close_doors()
        return [one, other]

    assert [stream.text for stream in asyncio.run(scene())] == ["0", "1"]


def test_a_stopped_run_ends_as_cancelled(client: Program, talk: Talk) -> None:
    from conversations import actions

    async def scene() -> Stream:
        body = client.input(messages=[{"id": "1", "role": "user", "content": "hello"}])
        async with client.asking(**body) as stream:
            await until(lambda: stream.status)
            await db(actions.stop_run, talk.actor, await db(lambda: Run.objects.get().pk))
            await until(lambda: stream.whole)
        await hall.close_doors()
        return stream

    stream = asyncio.run(scene())
    assert stream.kinds == ["RUN_STARTED", "RUN_FINISHED"]
    assert stream.last["outcome"] == {"type": "cancelled"}


def test_a_client_that_goes_away_leaves_its_run_and_no_listener(client: Program) -> None:
    """T47."""
    body = client.input(messages=[{"id": "1", "role": "user", "content": "echo to nobody"}], runId="r")

    async def scene() -> None:
        async with client.asking(**body) as stream:
            await until(lambda: the_feeds.by_topic)
        assert not stream.whole
        await until(lambda: not the_feeds.by_topic)
        await client.move()
        await hall.close_doors()

    asyncio.run(scene())
    assert Run.objects.get().outcome == "success"
    assert agui_stream._open.total() == 0
    assert client.run(**body).text == "to nobody"


def test_who_may_not_be_here_any_more_hears_no_more(
    client: Program, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T38: removed from the tenant while the stream is open."""
    monkeypatch.setattr(agui_stream, "TICK_S", 0.05)

    async def scene() -> Stream:
        body = client.input(messages=[{"id": "1", "role": "user", "content": "hello"}])
        async with client.asking(**body) as stream:
            await until(lambda: stream.body.count(agui_stream.COMMENT.encode()) > 2)
            assert stream.events == []
            await db(Membership.objects.filter(user=talk.actor.user).update, is_active=False)
            await until(lambda: stream.whole)
        await hall.close_doors()
        return stream

    assert [event["code"] for event in asyncio.run(scene()).events] == ["auth"]


def test_one_person_has_a_bounded_number_of_streams(client: Program, talk: Talk) -> None:
    agui_stream._open[talk.actor.user.pk] = MOST_AT_ONCE
    try:
        answer = client.say("hello")
    finally:
        agui_stream._open[talk.actor.user.pk] = 0
    assert (answer.status, answer.problem["code"]) == (429, "rate_limited")
    assert client.run().status == 200


def test_a_listener_that_could_not_keep_up_reads_the_rest(
    client: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T46: whatever is dropped from memory comes from the ledger, once."""
    monkeypatch.setattr(agui_stream, "MOST_WAITING", 0)
    monkeypatch.setattr(agui_stream, "PAGE", 2)
    answer = client.say("count to 200")
    assert answer.text == " ".join(str(number) for number in range(1, 201))
    assert answer.last["type"] == "RUN_FINISHED"


def test_what_is_told_while_the_rows_are_read_is_read_next(
    client: Program, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T46: an event that comes between a look that finds nothing and its answer is not lost, though it is the last."""
    conversation, tenant = talk.conversation.pk, talk.actor.tenant.pk
    ear = agui_stream.Ear(tenant, Where(conversation, "thread", "asked", "r", 0, ()))

    async def scenario() -> list[Any]:
        await ear.open()
        await ear.heard()

        def too_early(*_asked: Any) -> list[Any]:
            with acting_for(talk.actor.tenant), ledger.writing(conversation) as log:
                log.tell(wire.custom("x", {}))
            return []

        with monkeypatch.context() as at_first:
            at_first.setattr(agui_stream, "_since", too_early)
            ear.behind = True
            first = await ear.heard()
        return first or await asyncio.wait_for(ear.heard(), 5)

    try:
        heard = asyncio.run(scenario())
    finally:
        ear.close()
    assert [one.event["name"] for one in heard] == ["x"]


def test_half_a_character_breaks_no_stream(client: Program) -> None:
    told = agui_stream.encoded(wire.custom("x", {"text": "\ud83c"}))
    assert told.startswith("data: {") and told.endswith("\n\n")


def test_a_second_person_is_not_told_what_the_first_hears(client: Program, talk: Talk, rita: Any) -> None:
    from platform_site.access import actor_for_session

    actor = actor_for_session(rita, talk.actor.tenant.slug)
    assert actor
    hers = program_of(actor, talk=talk, thread=client.thread)
    assert client.say("echo mine").text == "mine"
    assert hers.say("echo hers").text == "hers"


# Telling, which is pure

WHERE = Where("c", "thread", "asked", "r", 0, ("t1",))
START = wire.run_started("c", "r", metadata={"cause": "message"})
OTHER = [
    wire.run_started("c", "q"),
    wire.run_cancelled("c", "q"),
    wire.run_error("x", "y", metadata={"run": "q"}),
]


def tell(*events: Event | tuple[str, int, str], where: Where = WHERE) -> list[Event]:
    """Events are told, (message, offset, text) is spoken."""
    telling = Telling(where)
    told: list[Event] = []
    for event in events:
        told += telling.spoken(*event) if isinstance(event, tuple) else telling.told(event)
    return told


def text_of(events: list[Event]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for event in events:
        if event["type"] == "TEXT_MESSAGE_CONTENT":
            texts[event["messageId"]] = texts.get(event["messageId"], "") + event["delta"]
    return texts


def test_nothing_of_other_runs_is_told() -> None:
    told = tell(*OTHER, wire.custom("message.user", {}), START, *OTHER, wire.run_succeeded("c", "r"), *OTHER)
    assert [event["type"] for event in told] == ["RUN_STARTED", "RUN_FINISHED"]


def test_what_became_of_an_answered_call_is_told_within_the_run() -> None:
    before = [
        wire.call_result("t1", "no"),
        wire.call_result("t2", "other"),
        wire.custom("x", {"toolCallId": "t1"}),
    ]
    told = tell(*before, START)
    assert [event.get("name") or event["type"] for event in told] == ["RUN_STARTED", "TOOL_CALL_RESULT", "x"]


def test_pieces_in_any_order_make_the_text_once() -> None:
    end = wire.text_end("m", length=5, model="", usage={})
    told = tell(
        START, ("m", 0, "too early"), wire.text_start("m"), ("m", 0, "ab"), ("m", 0, "abc"), ("m", 4, "x"),
        ("n", 0, "z"), wire.text_content("m", "abcde", offset=0), end,
    )  # fmt: skip
    assert text_of(told) == {"m": "abcde"}
    assert told[-1]["messageId"] == "m"


def test_a_message_that_began_anew_is_another_one() -> None:
    """A client cannot take back what it has shown: the first try is closed, the second stands for itself."""
    again = wire.custom("message.restarted", {"messageId": "m"})
    end = wire.text_end("m", length=5, model="", usage={})
    call = wire.call_start("t", "look", parent="m")
    told = tell(
        START, wire.text_start("m"), ("m", 0, "wro"), again, ("m", 0, "right"),
        wire.text_content("m", "right", offset=0), end, call,
    )  # fmt: skip
    assert text_of(told) == {"m": "wro", "m.2": "right"}
    ids = [event["messageId"] for event in told if event["type"].startswith("TEXT_MESSAGE_")]
    assert ids == ["m", "m", "m", "m.2", "m.2", "m.2"]
    assert told[-1]["parentMessageId"] == "m.2"


def test_a_message_that_began_anew_before_anybody_heard_it_is_the_same_one() -> None:
    again = wire.custom("message.restarted", {"messageId": "m"})
    told = tell(START, wire.text_start("m"), again, ("m", 0, "right"))
    assert text_of(told) == {"m": "right"}
