"""Which attempts a reviewer asks to see: read from the query string, applied as SQL, written back into links.

Inbox, export and insights share it, so a number and the rows behind it cannot mean different things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date

from tools.models import AttemptOutcome, AttemptSource, CallAttempt, ChainResult, Fault, NextStep

FAILED = (AttemptOutcome.REJECTED, AttemptOutcome.UNKNOWN_TOOL)
SHOWN: dict[str, tuple[str, ...]] = {
    "failed": FAILED,
    "rejected": (AttemptOutcome.REJECTED,),
    "unknown_tool": (AttemptOutcome.UNKNOWN_TOOL,),
    "mended": (AttemptOutcome.MENDED,),
    "valid": (AttemptOutcome.VALID,),
    "all": (),
}
KNOWN = ("no", "yes", "any")
LONGEST = 200
NONE = "-"
"""Asks for attempts that name no model, or no agent."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Every field is a parameter of the query string; what is left at its default does not stand in links."""

    show: str = "failed"
    known: str = "no"
    tool: str = ""
    version: str = ""
    kind: str = ""
    field: str = ""
    model: str = ""
    agent: str = ""
    start: date | None = None
    end: date | None = None
    result: str = ""
    length: str = ""
    first: str = ""
    asked: str = ""
    """Wishes a person was asked about."""
    playground: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Filters:
        """Of a query string; what makes no sense counts as not given."""
        texts = {one.name: _clean(given.get(one.name, "")) for one in fields(cls)}
        found: dict[str, Any] = {name: text for name, text in texts.items() if text}
        found |= {"start": _day(texts["start"]), "end": _day(texts["end"])}
        for name, allowed in (("show", SHOWN), ("known", KNOWN), ("result", ChainResult.values)):
            if texts[name] not in allowed:
                found.pop(name, None)
        if not texts["length"].isdecimal() or len(texts["length"]) > 4:
            found.pop("length", None)
        return cls(**found)

    def but(self, **changes: Any) -> Filters:
        return replace(self, **changes)

    def query(self) -> str:
        """As a query string, without the question mark."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return urlencode(
            {one.name: given[one.name] for one in fields(self) if given[one.name] != one.default}
        )

    @property
    def narrowed(self) -> list[str]:
        """The names of the filters that are set, but for what kind of attempt is shown."""
        plain = [one.name for one in fields(self) if getattr(self, one.name) != one.default]
        return [name for name in plain if name != "show"]

    def rows(self) -> QuerySet[CallAttempt]:
        """The attempts, in no order yet."""
        # What a person got wrong in a form is no model's failure; it stands in the chain.
        rows = self._within(CallAttempt.objects.exclude(source=AttemptSource.PERSON))
        if SHOWN[self.show]:
            rows = rows.filter(outcome__in=SHOWN[self.show])
        if self.known != "any":
            rows = rows.filter(known_at__isnull=self.known == "no")
        if not self.playground:
            rows = rows.exclude(source=AttemptSource.PLAYGROUND)
        named = {"tool": self.tool, "version": self.version, "model": self.model, "agent": self.agent}
        rows = rows.filter(**{name: "" if value == NONE else value for name, value in named.items() if value})
        return self._of_chain(self._with_fault(rows))

    def _within(self, rows: QuerySet[CallAttempt]) -> QuerySet[CallAttempt]:
        if self.start:
            rows = rows.filter(created_at__gte=midnight(self.start))
        if self.end:
            rows = rows.filter(created_at__lt=midnight(self.end + timedelta(days=1)))
        return rows

    def _with_fault(self, rows: QuerySet[CallAttempt]) -> QuerySet[CallAttempt]:
        wanted = {name: value for name, value in (("kind", self.kind), ("field", self.field)) if value}
        return rows.filter(Exists(Fault.objects.filter(attempt=OuterRef("pk"), **wanted))) if wanted else rows

    def _of_chain(self, rows: QuerySet[CallAttempt]) -> QuerySet[CallAttempt]:
        """The first attempt of each chain stands for the whole wish."""
        if self.first or self.result or self.length or self.asked:
            rows = rows.filter(number=1)
        if self.asked:
            asked = CallAttempt.objects.filter(chain=OuterRef("chain"), next_step=NextStep.ASKED)
            rows = rows.filter(Exists(asked))
        if self.result:
            rows = rows.filter(chain_result=self.result)
        return rows.filter(chain_length=int(self.length)) if self.length else rows


def midnight(day: date) -> datetime:
    """When a day begins, in the zone of whoever looks."""
    return timezone.make_aware(datetime.combine(day, time.min))


def _clean(text: str) -> str:
    """PostgreSQL stores no NUL, so nothing could match one."""
    return text.replace("\0", "").strip()[:LONGEST]


def _day(text: str) -> date | None:
    try:
        day = parse_date(text)
    except ValueError:
        return None
    return day if day and 1970 < day.year < 9000 else None
