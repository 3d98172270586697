"""What the guide says and does when a call did not succeed: refused by people, by the gate, by the shop, or lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agents.demo import memory, shop, words
from agents.demo.memory import Thing
from agents.demo.say import bullets, money
from agents.demo.scene import Scene
from agents.demo.script import Scripted
from agents.demo.story import Result

_TOLD_STATUSES = {
    "denied": ("denied", "s_more", "s_cart"),
    "expired": ("expired", "s_again", "s_no"),
    "lapsed": ("lapsed", "s_again", "s_no"),
    "withdrawn": ("withdrawn", "s_again", "s_no"),
    "pending_confirmation": ("waiting", "s_more"),
    "unknown": ("unclear", "s_status", "s_cart"),
}
_KNOWN_CODES = re.compile(
    r"price_changed|out_of_stock|size_needed|size_unknown|cart_empty|cart_not_found|order_not_cancellable"
    r"|[a-z]{3,10}_not_found|time[d_-]?\s?out|unreachable|unavailable",
    re.IGNORECASE,
)
_UNANSWERED = (
    "timeout",
    "timed out",
    "timed_out",
    "time_out",
    "unreachable",
    "unavailable",
    "network",
    "bad_gateway",
)
_MOST_OF_MESSAGE = 300


def explain(scene: Scene, result: Result) -> Scripted:
    """The reply to a result that is no success."""
    if result.status in _TOLD_STATUSES:
        return scene.tell(*_TOLD_STATUSES[result.status])
    if result.status == "rejected":
        return _rejected(scene, result)
    if result.status == "refused" and not _is_the_shops(result):
        return scene.tell("refused", "s_more", message=message_of(result))
    code = code_of(result)
    if code in _UNANSWERED:
        return scene.tell("timeout", "s_again", "s_no")
    if code in _BY_CODE:
        return _BY_CODE[code](scene, result)
    if code.endswith("_not_found"):
        return _not_found(scene, result)
    return scene.tell("failed", "s_again", "s_more", message=message_of(result))


def _is_the_shops(result: Result) -> bool:
    """Whether the shop itself said why, when it was asked beforehand what would be done."""
    return isinstance(result.data.get("error"), dict)


def code_of(result: Result) -> str:
    """The code of an error, also when only its text tells."""
    code = result.error.get("code")
    if isinstance(code, str) and code:
        return code.lower()
    found = _KNOWN_CODES.search(result.content[:2000])
    return found[0].lower() if found else ""


def message_of(result: Result) -> str:
    """The message of an error for a person: its first sentence. What follows it is advice to a model."""
    message = result.error.get("message") or result.error.get("detail")
    text = message if isinstance(message, str) else result.content
    first = re.split(r"(?<=[.。!！])\s", text[:_MOST_OF_MESSAGE].strip(), maxsplit=1)[0]
    return first or "?"


def nothing_found(scene: Scene, result: Result) -> Scripted:
    """Nothing was found: other searches, as the shop suggests or as we know."""
    wider = _wider(scene, result)
    if wider:
        return wider
    message = result.data.get("message")
    hint = ""
    if isinstance(message, str) and "price range" in message and scene.voice.language == "en":
        hint = f" {message}"
    listed = result.data.get("suggestions")
    suggested = [text for text in listed if isinstance(text, str)] if isinstance(listed, list) else []
    options = [scene.say("s_search_for", what=text) for text in suggested[:4]]
    return scene.reply(
        scene.say("nothing_found", message=hint), options or scene.voice.options("s_search", "s_headphones")
    )


def _wider(scene: Scene, result: Result) -> Scripted | None:
    """The same search once more with the kind of goods alone, if other words stood beside it."""
    keyword = str(result.arguments.get("keyword", ""))
    goods = " ".join(match[0] for match in words.GOODS.finditer(keyword))
    if (
        not goods
        or goods == keyword
        or len(scene.story.rounds) > 1
        or "price" in str(result.data.get("message"))
    ):
        return None
    text = scene.say("searching_wider", before=keyword, what=goods)
    return scene.act("search_products", {**result.arguments, "keyword": goods, "brand": None}, text)


def _price_changed(scene: Scene, result: Result) -> Scripted:
    """Tell the new price and ask again; nothing was done."""
    lines = memory.things(details_of(result).get("lines"))
    if not lines:
        return scene.tell("price_changed_plain", "s_yes_price", "s_no", message=message_of(result))
    listed = bullets(
        scene.say(
            "price_line",
            name=scene.voice.name(line),
            old=money(line.get("old_price")),
            new=money(line.get("new_price")),
        )
        for line in lines
    )
    return scene.tell("price_changed", "s_yes_price", "s_no", list=listed)


def _out_of_stock(scene: Scene, result: Result) -> Scripted:
    """Offer what is similar."""
    message = message_of(result) if scene.voice.language == "en" else ""
    text = scene.say("out_of_stock", message=message).strip()
    others = memory.products_in(result)
    if not others:
        return scene.reply(text, scene.voice.options("s_similar", "s_more"))
    text += scene.say("similar_list", list=scene.voice.products(others))
    return scene.reply(text, [*shop.nth_options(scene, len(others)), scene.say("s_more")])


def _size(scene: Scene, result: Result) -> Scripted:
    """The shop wants to know the size: ask, with the sizes it names."""
    choices = memory.things(result.error.get("suggestions"))
    labels = [scene.voice.label(choice) for choice in choices]
    text = scene.say("sizes", sizes=scene.voice.joined(labels)) if labels else ""
    return scene.reply(f"{text}{scene.say(shop.ask_key(choices))}".strip(), labels)


def _not_found(scene: Scene, result: Result) -> Scripted:
    """Something the shop does not know; near matches become quick replies."""
    near = memory.things(result.error.get("suggestions"))
    going = result.name in ("navigate_to_store", "navigate_to_area")
    names = [scene.voice.name(thing) for thing in near if thing.get("name")]
    zh = scene.voice.language == "zh"
    way, find = ("带我去{}", "找{}") if zh else ("Take me to {}", "Search for {}")
    options = [(way if going else find).format(name) for name in names[:4]]
    return scene.reply(
        scene.say("not_found", what=_asked_for(result)),
        options or scene.voice.options("s_search", "s_store", "s_food"),
    )


def _not_cancellable(scene: Scene, result: Result) -> Scripted:
    return scene.tell(
        "not_cancellable", "s_more", status=scene.voice.status(str(details_of(result).get("status", "?")))
    )


def _asked_for(result: Result) -> str:
    """What was asked for, in the person's words."""
    return next((value[:60] for value in result.arguments.values() if isinstance(value, str)), "?")


def _cart_empty(scene: Scene, result: Result) -> Scripted:
    return scene.tell("cart_empty", "s_search", "s_headphones")


def _rejected(scene: Scene, result: Result) -> Scripted:
    """Wrong arguments: leave out what was complained about and ask once more; the second time apologise."""
    before = [
        r
        for results in scene.story.rounds
        for r in results
        if r.name == result.name and r.status == "rejected"
    ]
    spec = scene.tools.get(result.name)
    if spec is not None and len(before) == 1:
        required = spec.schema.get("required") or []
        wrong = _complained_about(result)
        kept = {key: value for key, value in result.arguments.items() if key in required or key not in wrong}
        if kept != result.arguments and all(key in kept for key in required):
            return scene.act(result.name, kept, scene.say("correcting"))
    return scene.tell("rejected", "s_more", message=message_of(result))


def _complained_about(result: Result) -> str:
    """The paths of the errors; of a result without any the whole text."""
    errors: Any = result.data.get("errors")
    return (
        " ".join(str(error.get("path")) for error in errors) if isinstance(errors, list) else result.content
    )


def details_of(result: Result) -> Thing:
    details: Any = result.error.get("details")
    return details if isinstance(details, dict) else {}


_BY_CODE: dict[str, Callable[[Scene, Result], Scripted]] = {
    "price_changed": _price_changed,
    "out_of_stock": _out_of_stock,
    "size_needed": _size,
    "size_unknown": _size,
    "order_not_cancellable": _not_cancellable,
    "cart_empty": _cart_empty,
    "cart_not_found": _cart_empty,
}
