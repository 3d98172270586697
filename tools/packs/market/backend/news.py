"""News that is made up: on about every second day a line on a future. What its price did is true, the reason is not.

The same line on the same day, in both languages, an hour after the close.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from random import Random
from typing import Any

from .bars import daily
from .instruments import INSTRUMENTS, Group, Instrument, find, normal
from .sessions import days_back, opening

KEPT_DAYS = 30
AFTER_OPENING_S = 13 * 3600
STEADY = 0.25
"""Per cent; what moves less is called little changed."""
SOURCE = {"source": "Sample Wire", "source_zh": "示例通讯社"}


@dataclass(frozen=True)
class Reason:
    """Why a price might move up or down; for which groups, all when none is named."""

    up: tuple[str, str]
    down: tuple[str, str]
    groups: tuple[Group, ...] = ()


REASONS = (
    Reason(("the dollar weakens", "美元走弱"), ("the dollar firms", "美元走强")),
    Reason(
        ("traders hope for lower interest rates", "降息预期升温"),
        ("interest rates are expected to stay high", "利率预计维持高位"),
    ),
    Reason(("stocks in warehouses shrink", "库存下降"), ("stocks in warehouses grow", "库存上升")),
    Reason(("producers hold back supply", "产油国限产"), ("producers pump more", "产油国增产"), ("energy",)),
    Reason(
        ("cold weather is on its way", "寒潮将至"), ("the winter stays mild", "冬季气温偏暖"), ("energy",)
    ),
    Reason(("factories order more", "工厂订单增加"), ("factories order less", "工厂订单减少"), ("metal",)),
    Reason(
        ("dry weather worries farmers", "干旱天气令农户担忧"),
        ("rain helps the harvest", "降雨利于收成"),
        ("crop",),
    ),
    Reason(("exports run high", "出口旺盛"), ("importers wait", "进口商观望"), ("crop",)),
)
GROUPS: dict[str, tuple[Group, ...]] = {
    "energy": ("energy",), "能源": ("energy",), "metal": ("metal",), "metals": ("metal",), "金属": ("metal",),
    "crop": ("crop",), "crops": ("crop",), "grain": ("crop",), "grains": ("crop",), "农产品": ("crop",),
    **dict.fromkeys(("commodities", "market", "markets", "商品", "市场", "大宗商品", ""), ("energy", "metal", "crop")),
}  # fmt: skip
KEYWORDS = ("oil", "gold", "crops", "weather", "dollar", "原油", "黄金", "农产品", "天气", "美元")


def find_news(keyword: str, now: datetime, most: int) -> list[dict[str, Any]]:
    """The newest first: about a future, a group of them, or with these words in either language."""
    about = _about(keyword)
    told = [item for what in about or INSTRUMENTS for item in _of(what, now)]
    words = [] if about else normal(keyword).split()
    fitting = [item for item in told if all(word in _text(item) for word in words)]
    return sorted(fitting, key=lambda item: (item["published_at"], item["id"]), reverse=True)[:most]


def _about(keyword: str) -> tuple[Instrument, ...]:
    if named := find(keyword):
        return (named,)
    groups = GROUPS.get(normal(keyword), ())
    return tuple(one for one in INSTRUMENTS if one.group in groups)


def _text(item: dict[str, Any]) -> str:
    return " ".join(item[key] for key in ("title", "title_zh", "summary", "summary_zh")).casefold()


def _of(what: Instrument, now: datetime) -> Iterator[dict[str, Any]]:
    for day in days_back(now, KEPT_DAYS):
        published = opening(day) + AFTER_OPENING_S
        if published <= now.timestamp() and Random(f"{what.symbol} {day}").random() < 0.5:
            yield _item(what, day, published)


def _item(what: Instrument, day: date, published: int) -> dict[str, Any]:
    chance = Random(f"{what.symbol} {day} news")
    before, today = (daily(what, one) for one in days_back(_evening(day), 2))
    moved = (today.close / before.close - 1) * 100
    reason = chance.choice([one for one in REASONS if not one.groups or what.group in one.groups])
    why = reason.up if moved >= 0 else reason.down
    english, chinese = _did(moved)
    close = f"{today.close:,.{what.decimals}f}"
    return {
        "id": f"{what.symbol}-{day.isoformat()}",
        "published_at": datetime.fromtimestamp(published, UTC).isoformat().replace("+00:00", "Z"),
        "symbols": [what.symbol],
        "title": f"{what.name} {english} as {why[0]}",
        "title_zh": f"{why[1]}，{what.name_zh}{chinese}",
        "summary": f"{what.name} ended the day at {close} {what.unit}, {moved:+.2f}%.",
        "summary_zh": f"{what.name_zh}收于{close}{what.unit_zh}，{moved:+.2f}%。",
        **SOURCE,
        "sample": True,
    }


def _evening(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 23, tzinfo=UTC)


def _did(moved: float) -> tuple[str, str]:
    if abs(moved) < STEADY:
        return "is little changed", "变动不大"
    return ("rises", "上涨") if moved > 0 else ("falls", "下跌")
