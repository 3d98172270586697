"""Every adapter against the one table of cases, over real HTTP, whole and a byte at a time (T76)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agents import providers
from agents.providers import clients
from platform_site.env import env
from tests.agents.wire import files
from tests.agents.wire.adapters import ADAPTERS, Adapter
from tests.agents.wire.cases import CASES, REQUESTS
from tests.agents.wire.driving import Heard, ask, check, model_of
from tests.agents.wire.server import WireServer

SAID = [(adapter, case) for adapter in ADAPTERS for case in CASES if case not in adapter.cannot_say]


@pytest.mark.parametrize("one_byte", [False, True], ids=["whole", "bytes"])
@pytest.mark.parametrize(("adapter", "case"), SAID, ids=[f"{a.folder}-{case}" for a, case in SAID])
def test_an_adapter_makes_of_a_case_what_the_table_says(
    adapter: Adapter, case: str, one_byte: bool, monkeypatch: Any
) -> None:
    expected = CASES[case]
    monkeypatch.setattr(env, "model_stall_s", 0.15)

    async def scenario() -> Heard:
        try:
            async with WireServer(files.load(adapter.folder, case), one_byte=one_byte) as server:
                adapter.point(monkeypatch, server.url)
                provider = providers.get(adapter.provider)
                heard = await ask(provider, REQUESTS[expected.asks], model_of(adapter.provider))
                assert len(server.seen) == 1, "no provider asks twice of itself"
                return heard
        finally:
            await clients.close()

    check(asyncio.run(scenario()), expected)


@pytest.mark.parametrize("adapter", ADAPTERS, ids=[adapter.folder for adapter in ADAPTERS])
def test_each_case_has_a_wire_file_or_a_reason_why_not(adapter: Adapter) -> None:
    assert adapter.cannot_say.keys() <= CASES.keys()
    for case in CASES:
        assert files.has(adapter.folder, case) != bool(adapter.cannot_say.get(case)), case
