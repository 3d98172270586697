"""What the source says to each question of the protocol: plain values, and the chart a client may draw."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from .bars import PERIODS, Bar, Period, newest_days, series
from .errors import Refusal
from .instruments import INSTRUMENTS, Instrument, find, near
from .news import KEYWORDS, find_news
from .sessions import STEP_S, is_open

FRESH_S = 900
"""A price that is older is called stale."""
MOST_BARS = 300
MOST_NEWS = 10
RECENT = 5
LONGEST = 60


def price(query: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """`name`: what it costs, and how that stands to the close of the trading day before."""
    what = _named(_text(query, "name"))
    before, today = newest_days(what, now, 2)
    return {
        **what.told(),
        "price": today.close,
        "unit": what.unit,
        "unit_zh": what.unit_zh,
        **_moved(what, before.close, today.close),
        "previous_close": before.close,
        "day": {"open": today.open, "high": today.high, "low": today.low, "volume": today.volume},
        **_as_of(what, now),
    }


def news(query: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """`keyword`: the newest lines on it."""
    keyword = _text(query, "keyword")
    items = find_news(keyword, now, MOST_NEWS)
    found = {"keyword": keyword, "count": len(items), "items": items, "sample": True}
    return found if items else found | {"suggestions": list(KEYWORDS)}


def chart(query: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """`symbol`, `period`: a summary for the model, and the bars as a directive for the client."""
    what, period = _named(_text(query, "symbol")), _period(query)
    bars = series(what, period, now)[-MOST_BARS:]
    first, last = bars[0], bars[-1]
    return {
        **what.told(),
        "period": period,
        "unit": what.unit,
        "bars": len(bars),
        "from": _moment(first.time),
        "to": _moment(last.time),
        "first_open": first.open,
        "last": last.close,
        "high": max(bar.high for bar in bars),
        "low": min(bar.low for bar in bars),
        **_moved(what, first.open, last.close),
        "recent": [bar.row() for bar in bars[-RECENT:]],
        **_as_of(what, now),
        "ui": [_directive(what, period, bars, now)],
    }


def _directive(what: Instrument, period: Period, bars: list[Bar], now: datetime) -> dict[str, Any]:
    return {
        "kind": "chart",
        **what.told(),
        "period": period,
        "unit": what.unit,
        "unit_zh": what.unit_zh,
        "decimals": what.decimals,
        "bars": [bar.row() for bar in bars],
        **_as_of(what, now),
    }


def _moved(what: Instrument, before: float, now: float) -> dict[str, float]:
    return {
        "change": round(now - before, what.decimals),
        "change_percent": round((now / before - 1) * 100, 2),
    }


def _as_of(what: Instrument, now: datetime) -> dict[str, Any]:
    """Which moment the newest price is of, and whether that is long ago."""
    at = series(what, "5m", now)[-1].time + STEP_S
    return {
        "as_of": _moment(at),
        "stale": now.timestamp() - at > FRESH_S,
        "market": "open" if is_open(now) else "closed",
        "sample": True,
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _named(name: str) -> Instrument:
    if what := find(name):
        return what
    like = near(name)
    told = ", ".join(f"{one.name} ({one.symbol})" for one in like)
    words = "There are only these" if len(like) == len(INSTRUMENTS) else "Perhaps one of these is meant"
    message = f"No future is called {name!r} here. {words}: {told}."
    raise Refusal(404, "unknown_symbol", message, [one.told() for one in like], name=name)


def _period(query: Mapping[str, str]) -> Period:
    given = query.get("period", "1d")
    for period in PERIODS:
        if given == period:
            return period
    message = f"There is no period {given[:LONGEST]!r}. Take one of {', '.join(PERIODS)}."
    raise Refusal(400, "unknown_period", message, PERIODS, field="period")


def _text(query: Mapping[str, str], field: str) -> str:
    given = query.get(field, "").strip()
    if not 0 < len(given) <= LONGEST:
        raise Refusal(400, "bad_request", f"{field} must be 1 to {LONGEST} characters long.", field=field)
    return given
