"""The numbers of the insights page, counted in the database: seven queries, however many rows there are.

A wish is one thing a model wanted to call, with all its attempts; its first attempt stands for it and says how it
ended. Days are those of whoever looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import Count, IntegerField, QuerySet, Value

from tools.models import CallAttempt, ChainResult
from tools.review.filters import Filters

MOST_FIELDS = 40


@dataclass(slots=True)
class Tally:
    """Wishes by how they ended."""

    by: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.by.total()


class Version(NamedTuple):
    """A version of a tool; `id` and `number` are empty for a name that is no tool."""

    tool: str
    id: str
    number: int


class Spot(NamedTuple):
    """Where in which tool's arguments, what, and in how many attempts."""

    tool: str
    field: str
    kind: str
    attempts: int


@dataclass(slots=True)
class Counts:
    """Everything the page shows. `lengths`: corrected wishes by their number of attempts; `asked`: those a person was
    asked about, by how they ended."""

    all: Tally = field(default_factory=Tally)
    earlier: Tally = field(default_factory=Tally)
    lengths: Counter[int] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    tools: dict[str, Tally] = field(default_factory=dict)
    versions: dict[Version, Tally] = field(default_factory=dict)
    models: dict[str, Tally] = field(default_factory=dict)
    days: dict[date, Tally] = field(default_factory=dict)
    failed: int = 0
    kinds: list[tuple[str, int]] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)


def count(asked: Filters, days: Sequence[date]) -> Counts:
    """Count what `asked` lets through on these days."""
    inside = asked.but(start=days[0], end=days[-1], known="any")
    wishes = inside.but(show="all", first="1")
    failed = inside.but(show="failed").rows().order_by()
    counts = Counts(failed=failed.count())
    _count_wishes(wishes.rows(), counts)
    counts.earlier = _earlier(wishes, days)
    counts.asked = _by_result(wishes.but(asked="1"))
    counts.days = _by_day(wishes, days)
    counts.kinds = _kinds(failed)
    counts.spots = _spots(failed)
    return counts


def _count_wishes(wishes: QuerySet[CallAttempt], counts: Counts) -> None:
    groups = wishes.order_by().values_list(
        "tool", "version_id", "version__number", "model", "chain_result", "chain_length"
    )
    for tool, version, number, model, result, length, found in groups.annotate(found=Count("pk")):
        places = (
            counts.all,
            counts.tools.setdefault(tool, Tally()),
            counts.versions.setdefault(Version(tool, version or "", number or 0), Tally()),
            counts.models.setdefault(model, Tally()),
        )
        for tally in places:
            tally.by[result] += found
        if result == ChainResult.CORRECTED:
            counts.lengths[length] += found


def _earlier(wishes: Filters, days: Sequence[date]) -> Tally:
    """As many days, right before."""
    before = wishes.but(start=days[0] - timedelta(days=len(days)), end=days[0] - timedelta(days=1))
    return Tally(_by_result(before))


def _by_result(wishes: Filters) -> Counter[str]:
    found = wishes.rows().order_by().values_list("chain_result").annotate(found=Count("pk"))
    return Counter(dict(found))


def _by_day(wishes: Filters, days: Sequence[date]) -> dict[date, Tally]:
    """One SELECT a day, in one query: each is a range of the index, and nothing has to know what a day is."""
    tallies = {day: Tally() for day in days}
    first, *others = [_on(wishes, day, at) for at, day in enumerate(days)]
    for result, at, found in first.union(*others, all=True):
        tallies[days[at]].by[result] += found
    return tallies


def _on(wishes: Filters, day: date, at: int) -> QuerySet[CallAttempt, tuple[str, int, int]]:
    rows = wishes.but(start=day, end=day).rows().order_by()
    numbered = rows.annotate(at=Value(at, output_field=IntegerField()))
    return numbered.values_list("chain_result", "at").annotate(found=Count("pk"))


def _kinds(failed: QuerySet[CallAttempt]) -> list[tuple[str, int]]:
    """Attempts with a fault of each kind. One may have several: the numbers add up to more than there are."""
    found = failed.values_list("faults__kind").annotate(found=Count("pk", distinct=True))
    return sorted(((kind, n) for kind, n in found if kind), key=lambda one: (-one[1], one[0]))


def _spots(failed: QuerySet[CallAttempt]) -> list[Spot]:
    """The places where most went wrong."""
    found = failed.exclude(faults__kind=None).values_list("tool", "faults__field", "faults__kind")
    ranked = found.annotate(found=Count("pk", distinct=True)).order_by("-found", "tool", "faults__field")
    return [Spot(*one) for one in ranked[:MOST_FIELDS]]
