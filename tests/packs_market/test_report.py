"""`market_report`: a year of futures against figures worked out by hand, and against the sample source itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from platform_site.models import Tenant, User
from tests.packs_market.conftest import Ask
from tools import executors
from tools.catalogue import save_tool
from tools.executors.results import succeeded
from tools.jobs.progress import Kept
from tools.models import Tool
from tools.outcome import Failed, Outcome, Succeeded
from tools.packs.market import handlers
from tools.packs.market.figures import Bar, by_month, moved, summary, volatility
from tools.packs.market.handlers import Futures, report
from tools.registry import ToolContext, find

BARS = [
    Bar("2026-01-30", 100, 104, 99, 102), Bar("2026-02-02", 102, 103, 96, 97),
    Bar("2026-02-27", 97, 121, 97, 120), Bar("2026-03-02", 120, 120, 107, 108),
]  # fmt: skip


def test_a_year_by_hand() -> None:
    assert summary(BARS) == {
        "from": "2026-01-30", "to": "2026-03-02", "first": 100, "last": 108, "change_percent": 8.0,
        "highest": {"price": 121, "date": "2026-02-27"}, "lowest": {"price": 96, "date": "2026-02-02"},
        "volatility_percent": 269.9,
        "best_month": {"month": "2026-02", "change_percent": 17.65},
        "worst_month": {"month": "2026-03", "change_percent": -10.0},
    }  # fmt: skip


def test_a_price_that_moves_evenly_is_not_volatile() -> None:
    assert volatility([100, 110, 121, 133.1]) == 0.0
    assert moved(4, 3) == -25.0
    assert by_month(BARS[:1]) == [("2026-01", 2.0)]


@pytest.fixture
def context(inside: Tenant, bob: User, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> ToolContext:
    """A tenant whose `draw_chart` asks the sample source, which stands still; nothing goes over a network."""

    async def consult(spec: Any, arguments: dict[str, str], context: ToolContext) -> Outcome:
        status, answer = ask("/api/chart", **arguments)
        if status != 200:
            error = answer["error"]
            return Failed(error["code"], error["message"], error.get("suggestions") or ())
        return succeeded(answer, spec)

    monkeypatch.setattr("tools.executors.consult", consult)
    monkeypatch.setattr(handlers, "PAUSE_S", 0.0)
    chart = {
        "name": "draw_chart", "description": "Draw.", "risk": "SAFE", "read_only": True,
        "schema": {"type": "object", "properties": {}},
        "executor": {"kind": "http", "method": "GET", "url": "http://market.test/api/chart"},
    }  # fmt: skip
    save_tool(chart, None)
    return ToolContext(inside, bob, reporter=Kept())


def reported(context: ToolContext, *symbols: str) -> Any:
    return asyncio.run(report(context, Futures(symbols=list(symbols))))  # type: ignore[arg-type]


@pytest.mark.django_db(transaction=True)
def test_it_walks_the_futures_and_says_how_far_it_is(context: ToolContext) -> None:
    told = reported(context, "gold", "铜", "gold")
    assert [row["symbol"] for row in told["futures"]] == ["GC", "HG"]
    gold = told["futures"][0]
    assert gold["lowest"]["price"] <= gold["first"] <= gold["highest"]["price"]
    assert gold["worst_month"]["change_percent"] <= gold["best_month"]["change_percent"]
    assert gold["sample"] is True
    kept = context.reporter.now  # type: ignore[attr-defined]
    assert (kept.percent, kept.words) == (100, "Done")
    assert [line.partition(":")[0] for line in kept.output.split("\n")] == ["Gold", "Copper"]


@pytest.mark.django_db(transaction=True)
def test_what_is_not_there_is_named_beside_what_is(context: ToolContext) -> None:
    told = reported(context, "gold", "gould")
    assert [row["symbol"] for row in told["futures"]] == ["GC"]
    (missing,) = told["not_found"]
    assert missing["error"]["code"] == "unknown_symbol"
    assert missing["error"]["suggestions"][0]["symbol"] == "GC"
    alone = reported(context, "gould")
    assert isinstance(alone, Failed) and alone.suggestions


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("price", [0, -37.63])
def test_a_price_of_zero_or_below_spoils_no_report(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch, price: float
) -> None:
    """Crude oil, once: there is no percentage of it, and the others are told all the same."""
    asked = executors.consult

    async def consult(spec: Any, arguments: dict[str, str], context: ToolContext) -> Outcome:
        answer = await asked(spec, arguments, context)
        if arguments["symbol"] == "CL" and isinstance(answer, Succeeded):
            answer.ui[0]["bars"][5][3] = price
        return answer

    monkeypatch.setattr("tools.executors.consult", consult)
    told = reported(context, "CL", "GC")
    assert [row["symbol"] for row in told["futures"]] == ["GC"]
    assert told["not_found"][0]["error"]["code"] == "not_comparable"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [{"risk": "CONFIRM"}, {"read_only": False}, {"untrusted": True}])
def test_a_source_that_asks_or_is_not_trusted_is_not_read_behind_its_gate(
    context: ToolContext, change: dict[str, Any]
) -> None:
    """Rule 1: what an admin said of `draw_chart` holds for who reads through it."""
    tool = Tool.objects.get(name="draw_chart")
    assert tool.current
    save_tool({**tool.current.definition, **change}, None)
    refused = reported(context, "gold")
    assert isinstance(refused, Failed) and refused.code == "not_configured"


def test_it_reads_in_the_background() -> None:
    handler = find("market.report")
    assert handler
    told = handler.definition()
    assert (told["name"], told["run"], told["risk"]) == ("market_report", "background", "SAFE")
    assert told["read_only"] is True
    assert handler.errors_of({"symbols": []}) and handler.errors_of({"symbols": ["gold"] * 11})
    assert "Good:" in told["description"] and "Bad:" in told["description"]
