"""What the market script understands and says, in both languages. Pure: text in, a wish or a phrase out.

Which futures there are is the source's to know: here a name is what is left of a sentence without the words around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from agents.demo.language import Language

Intent = Literal["price", "news", "chart"]
_READ = 300
_LONGEST = 60
_INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    ("news", re.compile(r"\b(?:news|headlines)\b|新闻|资讯|消息", re.IGNORECASE)),
    (
        "chart",
        re.compile(
            r"\b(?:charts?|candles?(?:ticks?)?|graph|plot|draw)\b|图|K ?线|[日周]线|走势|小时线|分钟线|画",
            re.IGNORECASE,
        ),
    ),
    (
        "price",
        re.compile(
            r"\b(?:price|quote|trading at|cost of)\b|\bwhat(?:['’]?s| is| are) .{1,60} at\b|\bhow much (?:is|are)\b"
            r"|多少钱|价格|报价|行情|现价",
            re.IGNORECASE,
        ),
    ),
)
_OTHERS = re.compile(r"\b(?:remind|reminder|summar\w+|search)\b|提醒|总结|摘要|搜索", re.IGNORECASE)
"""What is about prices as well may still be another tool's work."""
_PERIODS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("5m", re.compile(r"\b(?:5|five)[- ]?(?:m|min|minutes?)\b|(?:5|五) ?分钟", re.IGNORECASE)),
    ("1h", re.compile(r"\b(?:1h|hourly|hours?)\b|小时", re.IGNORECASE)),
    ("1w", re.compile(r"\b(?:1w|weekly|weeks?)\b|周线|周K|每周|按周", re.IGNORECASE)),
    ("1d", re.compile(r"\b(?:1d|daily|days?)\b|日线|日K|每日|每天|按日", re.IGNORECASE)),
)
_AROUND = re.compile(
    r"\b(?:what(?:['’]?s| is| are)|how much (?:is|are)|trading at|the|an?|at|now|today|of|for|on|in|about|any|some|is"
    r"|its?|are|that|me|latest|current|please|could you|can you|would you|draw|show|give|tell|get|find|look up|plot"
    r"|and|price|quote|cost|news|headlines|charts?|candles?(?:ticks?)?|graph|(?:5|five)[- ]?(?:m|min|minutes?)"
    r"|hourly|hours?|weekly|weeks?|daily|days?|bars?|line|1h|1w|1d)\b"
    r"|请问|请|帮我|给我|我想|看看|看一下|查一下|查查|查|看|画一下|画一张|画个|画|显示|一下|现在|目前|今天|今日|最新|当前"
    r"|最近|多少钱|价格|报价|行情|现价|是多少|多少|新闻|资讯|消息|有什么|有哪些|关于|方面|5 ?分钟线?|五分钟线?|小时线?"
    r"|周线图?|日线图?|[日周]?K ?线图?|走势图?|图表|图|每周|每日|每天|按周|按日|的|呢|吗|了|么|什么|有|和|是",
    re.IGNORECASE,
)
_EDGES = " \t\n.,;:!?，。；：！？、“”\"'’…"


@dataclass(frozen=True, slots=True)
class Wish:
    """`about` is what is asked for as the person called it; empty when they named nothing. `period` likewise."""

    intent: Intent
    about: str
    period: str = ""


def read(text: str) -> Wish | None:
    """What a person wants of the market; None when they talk about something else."""
    plain = " ".join(text[:_READ].split())
    for intent, pattern in () if _OTHERS.search(plain) else _INTENTS:
        if pattern.search(plain):
            return Wish(intent, _name_in(plain), period_in(plain))
    return None


def period_in(text: str) -> str:
    return next((period for period, pattern in _PERIODS if pattern.search(text)), "")


def _name_in(text: str) -> str:
    return " ".join(_AROUND.sub(" ", text).strip(_EDGES).split())[:_LONGEST].strip(_EDGES)


PERIODS: dict[str, tuple[str, str]] = {
    "5m": ("five-minute", "5 分钟线"), "1h": ("hourly", "小时线"), "1d": ("daily", "日线"), "1w": ("weekly", "周线"),
}  # fmt: skip
PHRASES: dict[str, tuple[str, str]] = {
    "looking": ("Let me look that up.", "我来查一下。"),
    "drawing": ("I will draw that.", "我来画。"),
    "price": (
        "{name} ({symbol}) is at **{price}** {unit}, {change} % against the close before.",
        "{name}（{symbol}）现价 **{price}** {unit}，较前收盘 {change} %。",
    ),
    "stale": (
        "That price is of {as_of}: the market is closed or the source is behind.",
        "这是 {as_of} 的价格：市场已休市，或数据有延迟。",
    ),
    "as_of": ("As of {as_of}.", "截至 {as_of}。"),
    "sample": ("These are sample data, not real prices.", "以上为示例数据，并非真实行情。"),
    "chart": (
        "Here is the {period} chart of {name}: {bars} bars, between {low} and {high}, {change} % over the whole time.",
        "这是{name}的{period}：共 {bars} 根，最低 {low}，最高 {high}，期间涨跌 {change} %。",
    ),
    "news": ("The newest about {about}:", "关于{about}的最新资讯："),
    "no_news": ("I found no news about {about}.", "没有找到关于{about}的资讯。"),
    "sample_news": (
        "These are sample news; what moved the price is made up.",
        "以上为示例资讯，其中的原因纯属虚构。",
    ),
    "unknown": (
        "I do not know a future called {about}. Did you mean {names}?",
        "没有找到名为{about}的期货。您是不是要找{names}？",
    ),
    "failed": ("That did not work: {why}", "没有成功：{why}"),
    "which": (
        "Of which future? For example gold, crude oil or copper.",
        "请问是哪个品种？比如黄金、原油或铜。",
    ),
    "or": (" or ", "还是"),
    "space": (" ", ""),
    "comma": (", ", "、"),
    "s_price": ("What is {name} at?", "{name}现在多少钱"),
    "s_chart": ("Draw a {period} chart of {name}", "画一下{name}的{period}"),
    "s_news": ("News about {name}", "{name}的新闻"),
}


def say(key: str, language: Language, **values: Any) -> str:
    return PHRASES[key][language == "zh"].format(**values)


def period_words(period: str, language: Language) -> str:
    return PERIODS.get(period, PERIODS["1d"])[language == "zh"]
