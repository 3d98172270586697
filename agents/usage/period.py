"""Which usage the page is asked for: read from the query string, written back into links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.utils.dateparse import parse_date
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from agents.usage.counts import LONGEST_DAYS, Chosen

PERIODS: dict[str, str | Promise] = {
    "month": _("This month"),
    "last": _("Last month"),
    "7": _("The last 7 days"),
    "30": _("The last 30 days"),
    "90": _("The last 90 days"),
    "own": _("From … to …"),
}
MEASURES: dict[str, str | Promise] = {"cost": _("Cost"), "tokens": _("Tokens"), "requests": _("Requests")}
LONGEST = 64


@dataclass(frozen=True, slots=True)
class Asked:
    """Every field is a parameter of the query string; what makes no sense counts as not given."""

    period: str = "month"
    start: str = ""
    end: str = ""
    agent: str = ""
    model: str = ""
    user: str = ""
    measure: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Asked:
        texts = {one.name: given.get(one.name, "").replace("\0", "")[:LONGEST] for one in fields(cls)}
        if texts["period"] not in PERIODS:
            texts["period"] = "own" if texts["start"] and texts["end"] else "month"
        if texts["measure"] not in MEASURES:
            texts["measure"] = ""
        return cls(**texts)

    def but(self, **changes: Any) -> Asked:
        return replace(self, **changes)

    def query(self) -> str:
        """As a query string, without the question mark."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return urlencode(
            {one.name: given[one.name] for one in fields(self) if given[one.name] != one.default}
        )

    def chosen(self, today: date) -> Chosen:
        """The days and whose usage. `today` is the tenant's."""
        start, end = self._days(today)
        return Chosen(start, end, self.agent, self.model, self.user)

    def _days(self, today: date) -> tuple[date, date]:
        first = today.replace(day=1)
        if self.period == "last":
            last = first - timedelta(days=1)
            return last.replace(day=1), last
        if self.period.isdecimal():
            return today - timedelta(days=int(self.period) - 1), today
        start, end = _day(self.start), _day(self.end)
        if self.period == "own" and start and end and 0 <= (end - start).days < LONGEST_DAYS:
            return start, end
        return first, today


def _day(text: str) -> date | None:
    try:
        day = parse_date(text)
    except ValueError:
        return None
    return day if day and 1970 < day.year < 9000 else None
