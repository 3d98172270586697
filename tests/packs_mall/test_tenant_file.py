"""The tenant's configuration: its fifteen tools fit the backend they call."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cel
import jsonschema_rs
import pytest

from .conftest import Person

FILE = Path(__file__).parents[2] / "tools/packs/mall/tenant.json"
CONFIG: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
TOOLS: dict[str, dict[str, Any]] = {tool["name"]: tool for tool in CONFIG["tools"]}
LEVELS = {
    "navigate_to_store": "SAFE",
    "navigate_to_area": "SAFE",
    "search_products": "SAFE",
    "search_stores": "SAFE",
    "get_product_detail": "SAFE",
    "get_store_info": "SAFE",
    "get_order_status": "SAFE",
    "preview_order": "SAFE",
    "add_to_cart": "CONFIRM",
    "remove_from_cart": "CONFIRM",
    "clear_cart": "CONFIRM",
    "create_order": "CRITICAL",
    "cancel_order": "CRITICAL",
    "modify_address": "CRITICAL",
    "delete_account": "CRITICAL",
}
TOOL_KEYS = {
    "name", "description", "domain", "schema", "risk", "read_only", "idempotent", "untrusted", "run", "timeout_s",
    "rate_limit", "executor", "confirmation", "rules", "templates", "preview", "labels",
}  # fmt: skip


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_all_tools_with_their_levels() -> None:
    assert {name: tool["risk"] for name, tool in TOOLS.items()} == LEVELS
    assert {name for name, tool in TOOLS.items() if tool.get("read_only")} == {
        name for name, level in LEVELS.items() if level == "SAFE"
    }
    strong = {name: tool["confirmation"] for name, tool in TOOLS.items() if tool["risk"] == "CRITICAL"}
    by = {"by": "user", "proof": "any"}
    assert strong.pop("delete_account") == {"by": "user+reviewer", "proof": "any"}
    assert strong == dict.fromkeys(("create_order", "cancel_order", "modify_address"), by)


def test_what_is_ordered_and_cancelled_is_shown_beforehand() -> None:
    """M6. A preview only reads, is not previewed itself, and stands before its user, so that the file applies."""
    shown = {name: tool["preview"]["tool"] for name, tool in TOOLS.items() if tool.get("preview")}
    assert shown == {"create_order": "preview_order", "cancel_order": "get_order_status"}
    order = list(TOOLS)
    for name, preview in shown.items():
        assert order.index(preview) < order.index(name)
        assert TOOLS[preview]["schema"]["required"] == TOOLS[name]["schema"]["required"]


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_is_complete(tool: dict[str, Any]) -> None:
    assert set(tool) <= TOOL_KEYS
    assert tool["domain"] in {"navigation", "search", "shopping", "info", "account"}
    assert (
        tool["idempotent"] is True and tool["timeout_s"] == 5 and re.fullmatch(r"\d+/m", tool["rate_limit"])
    )
    assert tool["executor"]["url"].startswith("http://mall.backend/api/")
    for language in ("en", "zh-hans"):
        assert tool["labels"][language]["title"]
        assert placeholders(tool["labels"][language]["summary"]) <= set(tool["schema"]["required"])
    assert "Good:" in tool["description"] and "Bad:" in tool["description"]


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_schema_compiles_is_closed_and_described(tool: dict[str, Any]) -> None:
    schema = tool["schema"]
    jsonschema_rs.meta.validate(schema)
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    assert schema["additionalProperties"] is False and schema["examples"]
    for example in schema["examples"]:
        validator.validate(example)
        assert not validator.is_valid(example | {"confirmed": True})
    assert placeholders(tool["executor"]["url"]) <= set(schema["required"])
    for name, field in schema["properties"].items():
        assert field["description"], name
        assert field["type"] != "string" or "maxLength" in field or "enum" in field, name


def call(bob: Person, tool: dict[str, Any], arguments: dict[str, Any]) -> Any:
    """What the platform's HTTP executor does with a call."""
    url = tool["executor"]["url"].removeprefix("http://mall.backend")
    inside = placeholders(url)
    path = url.format(**{name: quote(arguments[name], safe="") for name in inside})
    rest = {name: value for name, value in arguments.items() if name not in inside}
    match tool["executor"]["method"]:
        case "GET":
            return bob.get(path, **rest)
        case "POST":
            return bob.post(path, rest)
        case _:
            assert not rest
            return bob.delete(path)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_the_backend_accepts_every_example(bob: Person, tool: dict[str, Any]) -> None:
    for example in tool["schema"]["examples"]:
        arguments = dict(example)
        if "order_id" in arguments:
            arguments["order_id"] = bob.order()["order_id"]
        if "cart_id" in arguments:
            arguments["cart_id"] = bob.fill_cart()
        answer = call(bob, tool, arguments)
        assert answer.status_code == 200, (example, answer.text)


def rule(tool: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(rule for rule in TOOLS[tool]["rules"] if rule["name"] == name)
    return found


def fires(one: dict[str, Any], arguments: dict[str, Any]) -> bool:
    if "when" in one and not cel.evaluate(one["when"], {"args": arguments}):
        return False
    return not cel.evaluate(one["check"], {"args": arguments})


def test_rules_fire_when_they_should() -> None:
    bulk = rule("add_to_cart", "bulk")
    assert (bulk["severity"], fires(bulk, {"quantity": 5}), fires(bulk, {"quantity": 6})) == (
        "critical",
        False,
        True,
    )
    prices = rule("search_products", "price_range")
    assert prices["severity"] == "error" and prices["fix"]
    assert fires(prices, {"min_price": 500, "max_price": 99.5})
    assert not fires(prices, {"min_price": 99.5, "max_price": 500})
    assert not fires(prices, {"min_price": 500}) and not fires(prices, {})
    keyword = rule("search_products", "price_in_keyword")
    assert fires(keyword, {"keyword": "跑鞋 500元以内"}) and fires(keyword, {"keyword": "shoes under 500"})
    assert not fires(keyword, {"keyword": "shoes under 500", "max_price": 500})
    assert not fires(keyword, {"keyword": "iPhone 17"})
    assert fires(rule("modify_address", "house_number"), {"address": "南京西路"})


def test_the_agent_and_what_the_file_leaves_to_others() -> None:
    (agent,) = CONFIG["agents"]
    assert agent["tools"] == [name for name in TOOLS if name != "preview_order"] + ["suggest_replies"]
    assert (agent["slug"], agent["models"], agent["max_rounds"]) == ("mall-guide", ["demo"], 10)
    assert len(agent["suggestions"]) == 4 and agent["instructions"].count("Never") >= 2
    assert CONFIG["tenant"]["egress"] == [] and CONFIG["models"][0]["provider"] == "demo"
    assert set(CONFIG) == {"tenant", "models", "tools", "agents"}
