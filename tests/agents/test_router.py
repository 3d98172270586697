"""The router: models in the agent's order, retries and switches told as they happen. Time is pretended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from agents import outside, providers, router
from agents.messages import ImagePart, ModelMessage, Request, TextPart
from agents.notes import Note, Retrying, Spoken, Switched
from agents.outside import Outside
from agents.providers.base import ErrorCode, ProviderError
from agents.retrying import REST_S
from agents.router import speak
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, StreamEvent, TextDelta, ThinkingDelta, fold
from tests.agents.talk import MALL

A, B, C = (ModelSpec(name, "played", f"{name}-1") for name in "abc")
ANSWER = (TextDelta("Hello"), Finish("stop", "m"))
Played = ProviderError | Exception | Sequence[StreamEvent]


def wrong(code: ErrorCode, retry_after: float | None = None) -> ProviderError:
    return ProviderError(code, "words", retry_after=retry_after, detail="theirs")


@dataclass
class Player:
    """A provider that plays what is in store for each model, request by request; the last is played again."""

    name, is_demo = "played", False
    store: dict[str, list[Played]]
    asked: list[Request] = field(default_factory=list)
    open: int = 0

    async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        self.asked.append(request)
        of_model = self.store[model.slug]
        played = of_model.pop(0) if len(of_model) > 1 else of_model[0]
        self.open += 1
        try:
            if isinstance(played, Exception):
                raise played
            for event in played:
                yield event
        finally:
            self.open -= 1

    @property
    def models(self) -> str:
        return "".join(request.model[0] for request in self.asked)


@dataclass
class World:
    """What the router sees of the world, and what it did to it."""

    clock: float = 0.0
    slept: list[float] = field(default_factory=list)
    resting: dict[str, str] = field(default_factory=dict)
    cooled: list[tuple[str, float | None]] = field(default_factory=list)
    alarmed: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)

    def outside(self) -> Outside:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            self.clock += seconds

        async def cooling(models: Sequence[ModelSpec]) -> dict[str, str]:
            return self.resting

        async def rest(model: ModelSpec, code: str, seconds: float | None) -> None:
            self.cooled.append((model.slug, seconds))

        async def refused(model: ModelSpec, error: ProviderError) -> None:
            self.alarmed.append(f"{model.slug}: {error.detail}")

        async def answered(model: ModelSpec) -> None:
            self.answered.append(model.slug)

        return Outside(sleep, lambda: self.clock, lambda: 1.0, cooling, rest, refused, answered)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    made = World()
    monkeypatch.setattr(outside, "THE_WORLD", made.outside())
    return made


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Player]:
    def put(**store: list[Played]) -> Player:
        player = Player(store)
        monkeypatch.setattr(providers, "_PROVIDERS", {"played": player})
        return player

    return put


def asking(*parts: Any) -> Request:
    return Request("", "Be kind.", (ModelMessage("user", parts or (TextPart("hi"),)),), MALL)


def spoken(*models: ModelSpec, request: Request | None = None) -> list[Spoken]:
    async def everything() -> list[Spoken]:
        async with aclosing(speak(request or asking(), models)) as events:
            return [event async for event in events]

    return asyncio.run(everything())


def notes(events: Sequence[Spoken]) -> list[Note]:
    return [event for event in events if isinstance(event, Retrying | Switched)]


def text(events: Sequence[Spoken]) -> str:
    return fold(event for event in events if not isinstance(event, Retrying | Switched)).text


def failing(*models: ModelSpec, request: Request | None = None) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        spoken(*models, request=request)
    return raised.value


# Who is asked


def test_the_first_model_answers(world: World, plays: Any) -> None:
    player = plays(a=[ANSWER], b=[ANSWER])
    assert spoken(A, B) == list(ANSWER)
    assert player.models == "a"
    assert player.asked[0].model == "a-1"
    assert player.asked[0].tools == MALL
    assert world.answered == ["a"]


def test_an_agent_without_models_is_a_bad_request(world: World) -> None:
    assert failing().code == "bad_request"


def test_a_provider_that_is_not_here_is_a_bad_request(world: World, plays: Any) -> None:
    plays(a=[ANSWER])
    assert failing(ModelSpec("gpt", "unheard-of", "gpt")).code == "bad_request"


def test_a_model_that_calls_no_tools_is_offered_none(world: World, plays: Any) -> None:
    player = plays(a=[ANSWER])
    spoken(replace(A, tools=False))
    assert player.asked[0].tools == ()


def test_a_picture_goes_to_the_model_that_sees_and_that_is_told(world: World, plays: Any) -> None:
    player = plays(a=[ANSWER], b=[ANSWER])
    picture = asking(TextPart("What is this?"), ImagePart("u1", "image/png"))
    assert notes(spoken(A, replace(B, images=True), request=picture)) == [Switched("b", "a", "images")]
    assert player.models == "b"
    assert failing(A, B, request=picture).code == "bad_request"
    assert player.models == "b", "nobody was asked in vain"


def test_a_conversation_that_is_too_long_goes_to_a_larger_window_or_nowhere(world: World, plays: Any) -> None:
    player = plays(a=[ANSWER], b=[ANSWER])
    long = asking(TextPart("x" * 40_000))
    small, large = replace(A, context=4_000), replace(B, context=40_000)
    assert notes(spoken(small, large, request=long)) == [Switched("b", "a", "context_too_long")]
    assert failing(small, request=long).code == "context_too_long"
    assert player.models == "b"


# What is asked again


@pytest.mark.parametrize("code", ["rate_limited", "overloaded", "timeout", "network", "malformed"])
def test_what_passes_by_itself_is_asked_again_and_told(world: World, plays: Any, code: ErrorCode) -> None:
    """D6."""
    player = plays(a=[wrong(code), wrong(code), ANSWER])
    events = spoken(A)
    assert notes(events) == [Retrying(1, 3, code, 1.0, "a"), Retrying(2, 3, code, 2.0, "a")]
    assert text(events) == "Hello"
    assert (player.models, world.slept) == ("aaa", [1.0, 2.0])


def test_three_retries_and_no_more(world: World, plays: Any) -> None:
    player = plays(a=[wrong("overloaded")])
    assert failing(A).code == "overloaded"
    assert player.models == "aaaa"
    assert world.slept == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("code", ["auth", "blocked", "bad_request", "context_too_long"])
def test_what_stays_as_it_is_is_asked_once(world: World, plays: Any, code: ErrorCode) -> None:
    player = plays(a=[wrong(code)], b=[ANSWER])
    assert failing(A, B).code == code
    assert (player.models, world.slept) == ("a", [])


def test_thoughts_and_pieces_of_calls_are_no_text(world: World, plays: Any) -> None:
    """T76: what nobody read may begin again."""
    broken = [ThinkingDelta("Hm."), TextDelta(""), CallDelta(0, "x", "pay", '{"am')]
    player = plays(a=[broken, ANSWER])
    assert text(spoken(A)) == "Hello"
    assert player.models == "aa"


def test_nothing_is_asked_again_after_the_first_text(world: World, plays: Any) -> None:
    """T76, T15: a stream without its end is a network error, and its calls never run."""
    player = plays(a=[[TextDelta("Hel"), CallDelta(0, "x", "pay", "{}")], ANSWER], b=[ANSWER])
    heard: list[Spoken] = []

    async def listen() -> None:
        async with aclosing(speak(asking(), [A, B])) as events:
            async for event in events:
                heard.append(event)

    with pytest.raises(ProviderError) as raised:
        asyncio.run(listen())
    assert raised.value.code == "network"
    assert (player.models, notes(heard)) == ("a", [])


def test_the_provider_says_how_long_to_wait(world: World, plays: Any) -> None:
    plays(a=[wrong("rate_limited", 7.0), ANSWER])
    spoken(A)
    assert world.slept == [8.0]


def test_a_provider_that_breaks_is_our_fault_and_no_traceback_for_people(
    world: World, plays: Any, caplog: pytest.LogCaptureFixture
) -> None:
    player = plays(a=[ZeroDivisionError("secret")], b=[ANSWER])
    failure = failing(A, B)
    assert failure.code == "internal"
    assert "secret" not in str(failure.message)
    assert "ZeroDivisionError" in caplog.text
    assert player.models == "a"


def test_a_stream_that_never_ends_is_given_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """T76: the total time is bounded, however slowly it drips."""

    class Drips(Player):
        async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
            while True:
                await asyncio.sleep(0.01)
                yield TextDelta("drip ")

    monkeypatch.setattr(providers, "_PROVIDERS", {"played": Drips({})})
    monkeypatch.setattr(router, "LONGEST_S", 0.05)
    assert failing(A).code == "timeout"


def test_a_server_that_says_nothing_at_all_is_given_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """T76, whatever its adapter forgets."""

    class Hangs(Player):
        async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
            await asyncio.sleep(30)
            yield TextDelta("late")

    monkeypatch.setattr(providers, "_PROVIDERS", {"played": Hangs({})})
    monkeypatch.setattr(router, "LONGEST_S", 0.02)
    assert failing(A).code == "timeout"
    assert len(world.slept) == 3


def test_the_time_of_a_reply_is_bounded(world: World, plays: Any) -> None:
    """T76: waits the providers ask for do not add up without end."""
    models = [replace(A, slug=name) for name in "abcdefgh"]
    plays(**{model.slug: [wrong("rate_limited", 59.0)] for model in models})
    assert failing(*models).code == "rate_limited"
    assert world.clock <= 240


# Another model


def test_an_exhausted_quota_goes_to_the_next_model_and_is_told_to_everybody(world: World, plays: Any) -> None:
    """G1."""
    player = plays(a=[wrong("quota_exhausted", 90.0)], b=[ANSWER])
    events = spoken(A, B)
    assert notes(events) == [Switched("b", "a", "quota_exhausted")]
    assert text(events) == "Hello"
    assert player.models == "ab"
    assert world.cooled == [("a", 90.0)]
    assert world.slept == []


def test_a_model_that_cools_down_is_left_out_and_that_is_told(world: World, plays: Any) -> None:
    player = plays(a=[ANSWER], b=[ANSWER])
    world.resting = {"a": "quota_exhausted"}
    assert notes(spoken(A, B)) == [Switched("b", "a", "quota_exhausted")]
    world.resting = {}
    assert notes(spoken(A, B)) == []
    assert player.models == "ba"


def test_where_all_cool_down_the_first_is_asked_after_all(world: World, plays: Any) -> None:
    player = plays(a=[ANSWER], b=[ANSWER])
    world.resting = {"a": "quota_exhausted", "b": "quota_exhausted"}
    assert notes(spoken(A, B)) == []
    assert player.models == "a"


def test_what_does_not_pass_goes_to_the_next_model_in_view(world: World, plays: Any) -> None:
    """G1: not silently. The next model has retries of its own."""
    player = plays(a=[wrong("overloaded")], b=[wrong("network"), wrong("quota_exhausted")], c=[ANSWER])
    told = notes(spoken(A, B, C))
    assert [note.kind for note in told] == ["retrying"] * 3 + ["switched", "retrying", "switched"]
    assert told[3] == Switched("b", "a", "overloaded")
    assert told[5] == Switched("c", "b", "quota_exhausted")
    assert player.models == "aaaabbc"
    assert world.cooled == [("a", REST_S), ("b", None)]


def test_a_refused_key_alarms_the_admins_and_nobody_else_answers(world: World, plays: Any) -> None:
    player = plays(a=[wrong("auth")], b=[ANSWER])
    assert failing(A, B).code == "auth"
    assert (player.models, world.alarmed) == ("a", ["a: theirs"])


# Ends


def test_nothing_passes_after_the_end(world: World, plays: Any) -> None:
    plays(a=[[TextDelta("all"), Finish("stop", "m"), TextDelta("more")]])
    assert text(spoken(A)) == "all"


def test_closing_the_router_closes_the_provider(world: World, plays: Any) -> None:
    player = plays(a=[[TextDelta("one"), TextDelta("two"), Finish("stop", "m")]])

    async def scenario() -> None:
        async with aclosing(speak(asking(), [A])) as stream:
            await anext(stream)
            assert player.open == 1

    asyncio.run(scenario())
    assert player.open == 0


def test_a_wait_ends_at_once_when_the_run_is_stopped(plays: Any) -> None:
    """The real clock, and a wait of a minute that nobody waits for."""
    player = plays(a=[wrong("rate_limited", 60.0), ANSWER])

    async def scenario() -> None:
        stream = speak(asking(), [A])
        assert isinstance(await anext(stream), Retrying)
        waiting = asyncio.create_task(anext(stream))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        waiting.cancel()
        async with asyncio.timeout(0.2):
            with pytest.raises(asyncio.CancelledError):
                await waiting
        await stream.aclose()

    asyncio.run(scenario())
    assert player.models == "a"


def test_native_content_that_no_database_stores_is_left_out_whole(world: World, plays: Any) -> None:
    plays(a=[[TextDelta("x"), Finish("stop", "m", native={"signature": "a\x00b"})]])
    (_, finish) = spoken(A)
    assert isinstance(finish, Finish) and finish.native is None
    plays(a=[[TextDelta("x"), Finish("stop", "m", native={"signature": "ab", "n": 1})]])
    (_, finish) = spoken(A)
    assert isinstance(finish, Finish) and finish.native == {"signature": "ab", "n": 1}
