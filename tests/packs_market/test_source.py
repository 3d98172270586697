"""The sample source over its protocol: names in both languages, usable refusals, age said, charts that can be drawn."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.packs_market.conftest import FRIDAY, SATURDAY, Ask, source_at
from tools.executors.results import succeeded
from tools.packs.market.backend.bars import PERIODS
from tools.packs.market.backend.instruments import INSTRUMENTS, find
from tools.spec import HttpExecutor, ToolSpec

ROOT = Path(__file__).parents[2]
DRAW = ToolSpec(
    "draw_chart", "Draws.", {"type": "object"}, "SAFE", HttpExecutor("GET", "http://market.test/")
)


@pytest.mark.parametrize(
    ("name", "symbol"),
    [("GC", "GC"), ("gc", "GC"), ("Gold", "GC"), ("黄金", "GC"), ("黄金期货", "GC"), ("oil", "CL"), ("原油", "CL"),
     ("Soybeans", "ZS"), ("大豆", "ZS"), ("the copper price", "HG"), ("铜价格", "HG"), ("ＣＬ", "CL"),
     ("natural  gas", "NG")],
)  # fmt: skip
def test_a_future_is_found_by_symbol_or_name_in_both_languages(name: str, symbol: str) -> None:
    found = find(name)
    assert found and found.symbol == symbol


def test_every_name_means_one_future() -> None:
    for one in INSTRUMENTS:
        assert [find(name) for name in one.names] == [one] * len(one.names)


def test_a_price_stands_to_the_close_before(ask: Ask) -> None:
    status, told = ask("/api/price", name="gold")
    assert status == 200
    assert told["day"]["low"] <= told["price"] <= told["day"]["high"]
    assert told["change"] == pytest.approx(told["price"] - told["previous_close"])
    assert told["change_percent"] == round((told["price"] / told["previous_close"] - 1) * 100, 2)
    assert (told["symbol"], told["name"], told["name_zh"], told["sample"]) == ("GC", "Gold", "黄金", True)


def test_the_price_is_the_charts_last(ask: Ask) -> None:
    price = ask("/api/price", name="铜")[1]["price"]
    for period in PERIODS:
        assert ask("/api/chart", symbol="HG", period=period)[1]["last"] == price


def test_data_say_how_old_they_are() -> None:
    fresh, old = (source_at(now)("/api/price", name="gold")[1] for now in (FRIDAY, SATURDAY))
    assert (fresh["as_of"], fresh["stale"], fresh["market"]) == ("2026-11-20T14:00:00Z", False, "open")
    assert (old["as_of"], old["stale"], old["market"]) == ("2026-11-20T18:00:00Z", True, "closed")


@pytest.mark.parametrize(
    ("name", "first"), [("glod", "GC"), ("黄", "GC"), ("crud oil", "CL"), ("wheet", "ZW"), ("soybeen", "ZS")]
)
def test_an_unknown_name_is_answered_with_near_ones(ask: Ask, name: str, first: str) -> None:
    status, told = ask("/api/price", name=name)
    error = told["error"]
    assert (status, error["code"]) == (404, "unknown_symbol")
    assert error["suggestions"][0]["symbol"] == first and len(error["suggestions"]) <= 4
    assert error["suggestions"][0]["name"] in error["message"]


def test_where_nothing_is_near_all_are_named(ask: Ask) -> None:
    error = ask("/api/chart", symbol="Tesla shares", period="1d")[1]["error"]
    assert len(error["suggestions"]) == len(INSTRUMENTS) == 10


@pytest.mark.parametrize(
    ("path", "query", "status", "code"),
    [
        ("/api/chart", {"symbol": "gold", "period": "1y"}, 400, "unknown_period"),
        ("/api/price", {}, 400, "bad_request"),
        ("/api/price", {"name": "   "}, 400, "bad_request"),
        ("/api/news", {"keyword": "x" * 61}, 400, "bad_request"),
        ("/api/elsewhere", {}, 404, "not_found"),
    ],
)
def test_what_cannot_be_answered_says_why(
    ask: Ask, path: str, query: dict[str, str], status: int, code: str
) -> None:
    answered, told = ask(path, **query)
    assert (answered, told["error"]["code"]) == (status, code)
    assert told["error"]["message"]


@pytest.mark.parametrize("period", PERIODS)
@pytest.mark.parametrize("symbol", ["CL", "HG", "SB"])
def test_a_chart_is_a_directive_the_platform_takes_whole(ask: Ask, symbol: str, period: str) -> None:
    """At most 300 bars for the person; the model gets a summary without them."""
    status, told = ask("/api/chart", symbol=symbol, period=period)
    outcome = succeeded(told, DRAW)
    assert (status, outcome.flags) == (200, [])
    (drawn,) = outcome.ui
    assert drawn["kind"] == "chart" and 50 <= len(drawn["bars"]) <= 300
    assert told["bars"] == len(drawn["bars"]) and told["recent"] == drawn["bars"][-5:]
    assert len(outcome.content) < 1500 and "ui" not in json.loads(outcome.content)
    assert told["high"] == max(bar[2] for bar in drawn["bars"])
    assert told["low"] == min(bar[3] for bar in drawn["bars"])


def test_daily_bars_are_the_default(ask: Ask) -> None:
    assert ask("/api/chart", symbol="gold") == ask("/api/chart", symbol="gold", period="1d")


def worse(directive: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**directive, **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"bars": []},
        {"bars": [[1, 2, 3, 1, 2]]},
        {"bars": [[1, 2, 3, 1, 2, 3]] * 301},
        {"bars": [["1", 2, 3, 1, 2, 3]]},
        {"bars": [[1, 2, 3, 1, 2, -1]]},
        {"period": "1y"},
        {"decimals": 40},
        {"name": "x" * 200},
    ],
)
def test_a_chart_of_another_form_is_not_shown(ask: Ask, changes: dict[str, Any]) -> None:
    directive = ask("/api/chart", symbol="gold")[1]["ui"][0]
    outcome = succeeded({"ui": [worse(directive, **changes)]}, DRAW)
    assert outcome.ui == [] and outcome.flags[0]["name"] == "directive_dropped"


@pytest.mark.parametrize("keyword", ["oil", "原油", "CL", "Crude oil"])
def test_news_about_a_future_are_about_it_alone(ask: Ask, keyword: str) -> None:
    told = ask("/api/news", keyword=keyword)[1]
    assert told["count"] == len(told["items"]) > 3
    assert {tuple(item["symbols"]) for item in told["items"]} == {("CL",)}


@pytest.mark.parametrize(
    "keyword", ["weather", "天气", "dollar", "美元", "crops", "农产品", "interest rates"]
)
def test_news_are_found_by_subject_in_both_languages(ask: Ask, keyword: str) -> None:
    items = ask("/api/news", keyword=keyword)[1]["items"]
    assert items
    for item in items:
        assert item["title"] and item["title_zh"] and item["source_zh"] and item["sample"] is True


def test_news_come_newest_first_and_say_what_the_price_did(ask: Ask) -> None:
    items = ask("/api/news", keyword="gold")[1]["items"]
    times = [item["published_at"] for item in items]
    assert times == sorted(times, reverse=True) and times[0] <= FRIDAY.isoformat()
    bars = {bar[0]: bar for bar in ask("/api/chart", symbol="gold", period="1d")[1]["ui"][0]["bars"]}
    closes = [f"{bar[4]:,.1f}" for bar in bars.values()]
    for item in items:
        told = item["summary"].split(" at ")[1].split(" US")[0]
        assert told in closes


def test_no_news_is_an_answer_with_words_that_find_some(ask: Ask) -> None:
    status, told = ask("/api/news", keyword="zeppelin")
    assert (status, told["items"]) == (200, [])
    assert all(ask("/api/news", keyword=word)[1]["items"] for word in told["suggestions"])


def test_it_runs_as_a_process_of_its_own() -> None:
    command = [
        sys.executable, "-m", "tools.packs.market.backend", "--port", "0", "--at", "2026-11-20T14:03:00+00:00",
    ]  # fmt: skip
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        origin = process.stdout.readline().removeprefix("Market source on ").strip()
        try:
            told = httpx2.get(
                f"{origin}/api/price", params={"name": "gold"}, trust_env=False, timeout=5
            ).json()
        finally:
            process.terminate()
    assert told == source_at(FRIDAY)("/api/price", name="gold")[1]
