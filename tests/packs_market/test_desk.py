"""The market in the demo tenant: its three tools, and that they follow the source to wherever it listens."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from platform_site.env import Env
from platform_site.models import Tenant
from platform_site.setup import market
from platform_site.setup.market import MARKET
from platform_site.setup.only import CannotStart, free_port
from platform_site.setup.seed import FILES, seed
from platform_site.tenancy import acting_for
from tests.packs_market.conftest import Ask
from tools.models import Tool

NAMES = ("get_price", "get_news", "draw_chart")
DESK: dict[str, Any] = json.loads(FILES["desk"].read_text(encoding="utf-8"))
TOOLS = [tool for tool in DESK["tools"] if tool["name"] in NAMES]
ORIGINS = {"mall": "http://127.0.0.1:8801", "desk": "http://127.0.0.1:8802"}


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_a_tool_reads_and_is_described_in_both_languages(tool: dict[str, Any]) -> None:
    assert (tool["risk"], tool["read_only"]) == ("SAFE", True)
    assert "Good:" in tool["description"] and "Bad:" in tool["description"]
    assert tool["schema"]["additionalProperties"] is False
    for language in ("en", "zh-hans"):
        named = set(re.findall(r"\{(\w+)\}", tool["labels"][language]["summary"]))
        assert tool["labels"][language]["title"] and named <= set(tool["schema"]["required"])


def test_what_news_say_is_outside_text_and_charts_are_not() -> None:
    """T26: what an untrusted tool answers counts as outside text; only what the tenant trusts directs the page."""
    assert {tool["name"]: tool.get("untrusted", False) for tool in TOOLS} == {
        "get_price": False, "get_news": True, "draw_chart": False,
    }  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_its_examples_are_answered_by_the_source(tool: dict[str, Any], ask: Ask) -> None:
    for example in tool["schema"]["examples"]:
        jsonschema_rs.validate(tool["schema"], example)
        path = tool["executor"]["url"].removeprefix(MARKET.stand_in)
        assert ask(path, **example)[0] == 200


def test_the_agent_has_them_and_offers_to_use_them() -> None:
    (agent,) = (one for one in DESK["agents"] if one["slug"] == "assistant")
    assert set(NAMES) <= set(agent["tools"])
    assert {"Draw a daily chart of copper", "黄金现在多少钱？"} <= set(agent["suggestions"])


def urls(tenant: Tenant) -> list[str]:
    with acting_for(tenant):
        tools = Tool.objects.filter(name__in=NAMES).select_related("current")
        return sorted(tool.current.definition["executor"]["url"] for tool in tools if tool.current)


@pytest.mark.django_db
def test_the_tools_call_the_real_source_and_follow_it(tmp_path: Path) -> None:
    seed(tmp_path, ORIGINS)
    desk = Tenant.objects.get(slug="desk")
    assert desk.egress == ["127.0.0.1:8802"]
    assert urls(desk) == [f"http://127.0.0.1:8802/api/{name}" for name in ("chart", "news", "price")]
    MARKET.follow(tmp_path, "http://127.0.0.1:9902")
    desk.refresh_from_db()
    assert desk.egress == ["127.0.0.1:9902"]
    assert urls(desk) == [f"http://127.0.0.1:9902/api/{name}" for name in ("chart", "news", "price")]


@pytest.mark.django_db
def test_what_an_admin_pointed_elsewhere_stays_there(tmp_path: Path) -> None:
    seed(tmp_path, ORIGINS)
    desk = Tenant.objects.get(slug="desk")
    with acting_for(desk):
        tool = Tool.objects.select_related("current").get(name="get_price")
        assert tool.current
        tool.current.definition["executor"]["url"] = "https://prices.example.org/api/price"
        type(tool.current).objects.filter(pk=tool.current.pk).update(definition=tool.current.definition)
    MARKET.follow(tmp_path, "http://127.0.0.1:9902")
    assert "https://prices.example.org/api/price" in urls(desk)


def env_with(**values: Any) -> Env:
    return Env(**values)


def test_it_listens_beside_the_mall(tmp_path: Path) -> None:
    at = free_port("127.0.0.1")
    chosen = market.choose_origin(env_with(), tmp_path, f"http://127.0.0.1:{at - 1}")
    assert chosen == f"http://127.0.0.1:{at}"


def test_a_usual_port_that_is_taken_is_given_up_for_another(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        at = taken.getsockname()[1]
        chosen = market.choose_origin(env_with(), tmp_path, f"http://127.0.0.1:{at - 1}")
    assert chosen not in (f"http://127.0.0.1:{at}", f"http://127.0.0.1:{at - 1}")


def test_a_port_that_was_asked_for_is_taken_or_nothing(tmp_path: Path) -> None:
    at = free_port("127.0.0.1")
    mall = "http://127.0.0.1:8801"
    assert market.choose_origin(env_with(market_port=at), tmp_path, mall) == f"http://127.0.0.1:{at}"
    with socket.create_server(("127.0.0.1", at)), pytest.raises(CannotStart, match="MARKET_PORT"):
        market.choose_origin(env_with(market_port=at), tmp_path, mall)
    with pytest.raises(CannotStart, match="sample market source"):
        market.choose_origin(env_with(market_port=at), tmp_path, f"http://127.0.0.1:{at}")
