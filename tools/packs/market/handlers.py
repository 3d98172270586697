"""`market_report`: a year of several futures, walked through in the background. It reads where `draw_chart` reads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from pydantic import BaseModel, Field

from platform_site.db import db
from tools import catalogue, executors
from tools.executors import Failed, Succeeded
from tools.packs.market.figures import FEWEST, Bar, is_compared, summary
from tools.registry import ToolContext, tool
from tools.spec import ToolSpec

CHART = "draw_chart"
PAUSE_S = 0.6
"""Between two futures: a source is not asked as fast as we can."""
ABOUT = ("symbol", "name", "name_zh", "unit", "as_of", "stale", "sample")
Found = dict[str, Any]


class Futures(BaseModel):
    """What to report on."""

    symbols: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=60)]],
        Field(
            min_length=1,
            max_length=10,
            description="Symbols, or names in English or Chinese, at most ten. "
            'Good: ["GC", "CL"], ["铜"]. Bad: ["gold and oil"].',
        ),
    ]


@tool(
    name="market_report",
    domain="market",
    risk="SAFE",
    read_only=True,
    idempotent=True,
    run="background",
    timeout_s=120,
    rate_limit="20/m",
    labels={
        "en": {"title": "Market report", "summary": "Report on a year of {symbols}"},
        "zh-hans": {"title": "市场报告", "summary": "生成{symbols}的年度报告"},
    },
)
async def report(context: ToolContext, args: Futures) -> Found | Failed:
    """Go through a year of daily prices of one to ten futures and compare them: the change over the year, highest and
    lowest price with their dates, volatility, best and worst month. It works in the background for some seconds: you
    get a ticket at once, tell the person that it is on its way; the table follows by itself. Good: "compare gold and
    copper over the year" -> {"symbols": ["gold", "copper"]}. Bad: one price now (use get_price); a chart
    (use draw_chart); calling it again while a ticket is open.
    """
    chart = (await db(catalogue.offered, [CHART])).get(CHART)
    if chart is None or not executors.is_open_to_all(chart):
        return Failed("not_configured", gettext_lazy("There is no source of prices here."))
    rows, missing = await _walk(context, chart, list(dict.fromkeys(args.symbols)))
    if not rows:
        return missing[0][1]
    context.report(percent=100, words=_("Done"))
    told = {"futures": rows, "not_found": [{"symbol": name, "error": _why(why)} for name, why in missing]}
    return told if missing else {"futures": rows}


async def _walk(
    context: ToolContext, chart: ToolSpec, symbols: Sequence[str]
) -> tuple[list[Found], list[tuple[str, Failed]]]:
    rows: list[Found] = []
    missing: list[tuple[str, Failed]] = []
    for nth, symbol in enumerate(symbols):
        context.check_cancelled()
        words = _("Reading %(name)s (%(nth)s of %(count)s)")
        named = {"name": symbol, "nth": nth + 1, "count": len(symbols)}
        context.report(percent=100 * nth / len(symbols), words=words % named)
        if nth:
            await asyncio.sleep(PAUSE_S)
        match await _year(context, chart, symbol):
            case Failed() as failed:
                missing.append((symbol, failed))
                context.say(_("%(name)s: nothing found.") % {"name": symbol})
            case row:
                rows.append(row)
                context.say(_line(row))
    return rows, missing


async def _year(context: ToolContext, chart: ToolSpec, symbol: str) -> Found | Failed:
    """One future's year, or why there is none."""
    answer = await executors.consult(chart, {"symbol": symbol, "period": "1d"}, context)
    if isinstance(answer, Failed):
        return answer
    drawn = answer.ui[0] if isinstance(answer, Succeeded) and answer.ui else {}
    bars = [Bar.of(row) for row in drawn.get("bars", ())]
    if len(bars) < FEWEST:
        return Failed("no_data", gettext_lazy("The source has no year of prices for this."))
    if not all(map(is_compared, bars)):
        words = gettext_lazy(
            "Its price was zero or below at some point in this year, so percentages say nothing about it."
        )
        return Failed("not_comparable", words)
    return {key: drawn[key] for key in ABOUT if key in drawn} | summary(bars)


def _line(row: Found) -> str:
    words = _("%(name)s: %(change)s%% over the year, between %(low)s and %(high)s.")
    change, low, high = row["change_percent"], row["lowest"]["price"], row["highest"]["price"]
    name = (row.get("name_zh") if (get_language() or "").startswith("zh") else "") or row["name"]
    return words % {"name": name, "change": f"{change:+.1f}", "low": f"{low:,}", "high": f"{high:,}"}


def _why(failed: Failed) -> Found:
    near = {"suggestions": list(failed.suggestions)} if failed.suggestions else {}
    return {"code": failed.code, "message": str(failed.message)} | near
