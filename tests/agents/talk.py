"""Talking to a script without a server: a canned shop answers the calls, and the whole history is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agents.demo.script import Scripted
from agents.demo.scripts import decide
from agents.messages import ModelMessage, Part, Request, TextPart, ToolCallPart, ToolResultPart
from tools.spec import HttpExecutor, ToolSpec

Answer = tuple[str, dict[str, Any] | str]
"""A status, and what the model is told."""


def tool(name: str, *required: str, optional: tuple[str, ...] = ()) -> ToolSpec:
    properties = {key: {} for key in (*required, *optional)}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolSpec(name, f"Does {name}.", schema, "SAFE", HttpExecutor("GET", "http://mall.test/"))


MALL = (
    tool("navigate_to_store", "store_name", optional=("highlight",)),
    tool("navigate_to_area", "area_name", optional=("show_stores",)),
    tool("search_products", "keyword", optional=("min_price", "max_price", "brand", "category")),
    tool("search_stores", "keyword", optional=("category",)),
    tool("get_product_detail", "product_id"),
    tool("get_store_info", "store_id", "info_type"),
    tool("add_to_cart", "product_id", "quantity", optional=("sku_id",)),
    tool("remove_from_cart", "cart_id", "product_id", optional=("sku_id",)),
    tool("clear_cart", "cart_id"),
    tool("create_order", "cart_id"),
    tool("cancel_order", "order_id"),
    tool("get_order_status", "order_id"),
    tool("modify_address", "address", optional=("recipient", "phone")),
    tool("delete_account"),
    tool("suggest_replies", "options"),
)


def sized(*sizes: str, sold_out: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    return [
        {
            "sku_id": f"size_{s}",
            "size": s,
            "label": f"EU {s}",
            "label_zh": f"{s} 码",
            "stock": 0 if s in sold_out else 9,
        }
        for s in sizes
    ]


def product(
    key: str, name: str, name_zh: str, price: int, rating: float, skus: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "id": key, "name": name, "name_zh": name_zh, "price": price, "rating": rating, "in_stock": True, "skus": skus,
        "category": "Running shoes", "category_zh": "跑鞋",
    }  # fmt: skip


SHOES = [
    product(
        "pegasus",
        "Nike Pegasus Running Shoes",
        "耐克 Pegasus 跑鞋",
        399,
        4.8,
        sized("41", "42", "43", sold_out=("43",)),
    ),
    product("winflo", "Nike Winflo Running Shoes", "耐克 Winflo 跑鞋", 489, 4.6, sized("41", "42", "43")),
    product(
        "revolution", "Nike Revolution Running Shoes", "耐克 Revolution 跑鞋", 459, 4.5, sized("41", "42")
    ),
]
BUDS = product(
    "buds",
    "Wireless Headphones",
    "无线耳机",
    299,
    4.4,
    [{"sku_id": "standard", "label": "Standard", "stock": 5}],
)
LINE = {
    "product_id": "pegasus", "sku_id": "size_42", "name": "Nike Pegasus Running Shoes", "name_zh": "耐克 Pegasus 跑鞋",
    "label": "EU 42", "label_zh": "42 码", "quantity": 1, "price": 399, "total": 399,
}  # fmt: skip
LINE_2 = {
    **LINE,
    "product_id": "winflo",
    "name": "Nike Winflo Running Shoes",
    "name_zh": "耐克 Winflo 跑鞋",
    "total": 489,
}
CART = {"cart_id": "cart_1", "lines": [LINE], "total": 399}
ORDER = {
    "order_id": "order_9",
    "number": "M000009",
    "status": "placed",
    "lines": [LINE],
    "total": 399,
    "address": "Floor 1",
}
STORE = {"id": "nike", "name": "Nike", "name_zh": "耐克", "floor": 2}


OFFERS = [{"text": "Socks for free.", "text_zh": "送袜子。"}]
REVIEWS = [{"by": "Lin", "stars": 5, "text": "Friendly.", "text_zh": "热情。"}]
ALWAYS: dict[str, dict[str, Any]] = {
    "add_to_cart": CART,
    "remove_from_cart": CART,
    "clear_cart": {"cart_id": "cart_1", "lines": [], "total": 0},
    "create_order": ORDER,
    "get_order_status": ORDER,
    "cancel_order": {**ORDER, "status": "cancelled"},
    "delete_account": {"deleted": True},
    "search_stores": {"count": 1, "stores": [STORE]},
    "get_store_info": {
        **STORE,
        "hours": "10:00-22:00",
        "phone": "021",
        "promotions": OFFERS,
        "reviews": REVIEWS,
    },
    "navigate_to_area": {"area": {"name": "Food Court", "name_zh": "美食区", "floor": 3}, "floor": 3},
}


def shop(name: str, arguments: dict[str, Any]) -> Answer:
    """What the canned shop answers when all goes well."""
    match name:
        case "search_products":
            found = [BUDS] if "phone" in arguments["keyword"] or "耳机" in arguments["keyword"] else SHOES
            return "succeeded", {"count": len(found), "products": found}
        case "get_product_detail":
            return "succeeded", next(one for one in [*SHOES, BUDS] if one["id"] == arguments["product_id"])
        case "modify_address":
            return "succeeded", {"address": arguments["address"], "deleted": False}
        case "navigate_to_store":
            return "succeeded", {"store": {**STORE, "name": arguments["store_name"]}, "floor": 2}
    return "succeeded", ALWAYS.get(name, {"shown": True})


def failing(
    tool_name: str, status: str, content: dict[str, Any] | str
) -> Callable[[str, dict[str, Any]], Answer]:
    """A shop in which one tool does not work."""
    return lambda name, arguments: (status, content) if name == tool_name else shop(name, arguments)


@dataclass
class Talk:
    """A conversation with a script."""

    answers: Callable[[str, dict[str, Any]], Answer] = shop
    tools: tuple[ToolSpec, ...] = MALL
    locale: str = "en"
    messages: list[ModelMessage] = field(default_factory=list)
    made: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """The calls since the person spoke last."""
    options: list[str] = field(default_factory=list)
    text: str = ""

    def request(self) -> Request:
        return Request("demo", "Be kind.", tuple(self.messages), self.tools, self.locale)

    def hear(self, text: str) -> Scripted:
        """What the script replies at once."""
        self.messages.append(ModelMessage("user", (TextPart(text),)))
        return decide(self.request())

    def say(self, text: str) -> str:
        """Speak, let every call be carried out, and return all that the script said."""
        self.messages.append(ModelMessage("user", (TextPart(text),)))
        return self.go_on()

    def go_on(self) -> str:
        """Let the script reply until it has nothing more to call."""
        self.made, self.options, texts = [], [], list[str]()
        for _ in range(8):
            reply = decide(self.request())
            texts.append(reply.text)
            results = self._carry_out(reply)
            if not results:
                break
        else:
            raise AssertionError("the script does not come to an end")
        self.text = "\n".join(texts)
        return self.text

    def _carry_out(self, reply: Scripted) -> list[Part]:
        """Answer the calls of a reply; quick replies beside a text end the turn."""
        place = len(self.messages)
        calls = [ToolCallPart(f"c{place}_{nth}", c.name, c.arguments) for nth, c in enumerate(reply.calls)]
        text = (TextPart(reply.text),) if reply.text else ()
        self.messages.append(ModelMessage("assistant", (*text, *calls)))
        results: list[Part] = []
        for call in calls:
            arguments = json.loads(call.arguments)
            if call.name == "suggest_replies":
                self.options = arguments["options"]
            else:
                self.made.append((call.name, arguments))
            status, content = self.answers(call.name, arguments)
            told = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            results.append(ToolResultPart(call.call, call.name, told, status))
        if results:
            self.messages.append(ModelMessage("tool", tuple(results)))
        return [] if calls and all(c.name == "suggest_replies" for c in calls) and reply.text else results


def bought() -> Talk:
    """Something is in the cart."""
    talk = Talk()
    talk.say("Nike running shoes under 500")
    talk.say("42")
    return talk


def names(talk: Talk) -> list[str]:
    """The tools called since the person spoke last."""
    return [name for name, _ in talk.made]
