"""What a speaker looks up before a turn, and how an answer is told. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.demo.debate_scene import Scene
from agents.demo.script import ScriptedCall, call
from agents.demo.story import Result

PRICE, SEARCH = "get_price", "perplexity_search"
_TRADED = re.compile(
    r"\b(?:gold|silver|copper|crude oil|natural gas|soybeans?|corn|wheat)\b|黄金|白银|原油|大豆|玉米|小麦"
    r"|铜",
    re.IGNORECASE,
)
MOST_TOLD = 220


def looked_up(scene: Scene) -> Iterator[ScriptedCall]:
    """What the person spelled out; else, in the openings, a price that the question is about, or a search."""
    if scene.instructed:
        yield from scene.instructed
        return
    topic = scene.plan.topic
    traded = _TRADED.search(topic.asked)
    if scene.round > 1:
        return
    if scene.role == "cognito" and traded and PRICE in scene.offered:
        yield call(PRICE, {"name": traded[0].lower()})
    elif scene.role == "cognito" and SEARCH in scene.offered:
        yield call(SEARCH, {"query": topic.asked})


def finding(result: Result) -> str:
    """What a tool found, in a few words; empty when it found nothing."""
    if not result.ok:
        return ""
    if result.name == PRICE:
        name, price = result.data.get("name", ""), result.data.get("price", "")
        return f"{name} {price} {result.data.get('unit', '')} ({result.data.get('as_of', '')})".strip()
    told = result.data.get("answer") or result.data.get("text") or result.content
    return " ".join(str(told).split())[:MOST_TOLD].rstrip(" .。")
