"""The bell: who listens in this process hears what was told; what one listener does wrong hurts no other."""

from __future__ import annotations

import asyncio
import threading

import pytest

from platform_site import bell
from platform_site.bell import Bell, Heard, Notice, Rung, Whisper


@pytest.fixture
def the_bell(monkeypatch: pytest.MonkeyPatch) -> Bell:
    fresh = Bell()
    monkeypatch.setattr(bell, "the_bell", fresh)
    monkeypatch.setattr(bell, "_reaches_others", lambda: False)
    return fresh


def test_who_listens_hears_and_who_stopped_does_not(the_bell: Bell) -> None:
    async def scenario() -> None:
        heard: list[Heard] = []
        the_bell.listen("t", heard.append)
        bell.ring("t", 3, [{"type": "CUSTOM"}])
        bell.ring("elsewhere", 1, [{}])
        bell.whisper("t", "m", 5, "hi")
        the_bell.forget("t", heard.append)
        bell.ring("t", 4, [{}])
        assert heard == [Rung("t", 3, ({"type": "CUSTOM"},)), Whisper("t", "m", 5, "hi")]
        assert not the_bell.listeners

    asyncio.run(scenario())


def test_a_ring_from_a_database_thread_arrives_on_the_loop(the_bell: Bell) -> None:
    async def scenario() -> None:
        arrived = asyncio.get_running_loop().create_future()
        here = threading.get_ident()
        the_bell.listen("t", lambda what: arrived.set_result((what, threading.get_ident())))
        await asyncio.to_thread(bell.ring, "t", 1, [{}])
        async with asyncio.timeout(5):
            assert await arrived == (Rung("t", 1, ({},)), here)

    asyncio.run(scenario())


def test_a_listener_that_fails_does_not_silence_the_others(
    the_bell: Bell, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        heard: list[Heard] = []

        def fails(what: Heard) -> None:
            raise ValueError("no")

        the_bell.listen("t", fails)
        the_bell.listen("t", heard.append)
        bell.ring("t", 1, [{}])
        assert len(heard) == 1

    asyncio.run(scenario())
    assert "a listener of the bell failed" in caplog.text


def test_notices_of_one_tenant_are_not_heard_in_another(the_bell: Bell) -> None:
    async def scenario() -> None:
        heard: list[Heard] = []
        the_bell.listen("notices:a", heard.append)
        bell.notify(Notice("b", "", "x", {}))
        bell.notify(Notice("a", "u", "x", {}))
        assert heard == [Notice("a", "u", "x", {})]

    asyncio.run(scenario())


def test_without_a_loop_a_ring_is_nothing(the_bell: Bell) -> None:
    bell.ring("t", 1, [{}])


@pytest.mark.parametrize(
    "what", [Whisper("t", "m", 0, "é"), Notice("a", "u", "k", {"x": 1}), Rung("t", 4, None)]
)
def test_what_goes_through_the_layer_comes_out_the_same(what: Heard) -> None:
    assert bell._unpacked(bell._packed("key", what, "p")) == what


def test_no_two_keys_share_a_group() -> None:
    """T37: keys are ids of ours, a fixed word, or a fixed word and an id."""
    keys = ["runs", "notices:1", "notices:12", "1", "12"]
    assert len({bell._group(key) for key in keys}) == len(keys)
