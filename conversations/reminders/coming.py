"""The next times of a reminder as somebody sees them, each with what the clocks do to it. Pure.

A reminder keeps its hour on the clocks of its own zone. It moves there only where the clocks skip that hour; for who
looks from another zone it moves whenever one of the two zones changes its clocks and the other does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

Mark = Literal["skipped", "twice", "moved", "changed", ""]
"""`skipped`: the hour does not exist that day, the next valid time counts. `twice`: it comes twice, the first counts.
`moved`: another hour for who looks. `changed`: the clocks changed since the time before, the hour stays."""


@dataclass(frozen=True, slots=True)
class Coming:
    """One time: on the clocks of who looks (`here`) and on its own (`there`)."""

    here: datetime
    there: datetime
    mark: Mark


def coming(
    moments: Sequence[datetime], at: time, own: ZoneInfo, viewer: ZoneInfo, now: datetime
) -> list[Coming]:
    """`moments`: when it comes, in order; `at`: the hour it is set for, in `own`."""
    return list(_marked(moments, at, own, viewer, now))


def _marked(
    moments: Sequence[datetime], at: time, own: ZoneInfo, viewer: ZoneInfo, now: datetime
) -> Iterator[Coming]:
    before = now
    for moment in moments:
        there = moment.astimezone(own)
        yield Coming(moment.astimezone(viewer), there, _mark(there, at, before, viewer))
        before = moment


def _mark(there: datetime, at: time, before: datetime, viewer: ZoneInfo) -> Mark:
    own = there.tzinfo
    assert isinstance(own, ZoneInfo)
    if (there.hour, there.minute) != (at.hour, at.minute):
        return "skipped"
    if there.replace(fold=0).utcoffset() != there.replace(fold=1).utcoffset():
        return "twice"
    if _apart(there, own, viewer) != _apart(before, own, viewer):
        return "moved"
    if there.utcoffset() != before.astimezone(own).utcoffset():
        return "changed"
    return ""


def _apart(moment: datetime, own: ZoneInfo, viewer: ZoneInfo) -> timedelta:
    """How far the viewer's clocks are ahead of the reminder's own."""
    one, other = moment.astimezone(viewer).utcoffset(), moment.astimezone(own).utcoffset()
    assert one is not None and other is not None
    return one - other
