"""When a person wants something, in both languages: natural words to the local times that `reminder_set` takes. Pure.

What time it is for the person stands in a note of the request (`conversations.clock`); without one nothing relative can
be understood. The readings are tried from the most telling ("in ten minutes") to the least ("at nine").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from agents.demo import desk_time_words as words
from agents.demo.story import is_note, spoken
from agents.messages import Request

_NOW = re.compile(r"For the person it is \w+, (\d{4}-\d\d-\d\d \d\d:\d\d)")
MORNING = 9
"""The hour of a day that is named without one."""
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class When:
    """As `reminder_set` wants it. `guessed`: nobody said an hour. `rest`: the sentence without the time in it."""

    type: Literal["once", "daily", "weekly"]
    time: str
    rest: str
    weekday: int | None = None
    guessed: bool = False

    def arguments(self) -> dict[str, object]:
        return {"type": self.type, "time": self.time} | (
            {} if self.weekday is None else {"weekday": self.weekday}
        )


def now_in(request: Request) -> datetime | None:
    """What the person's clock shows, as the newest note says."""
    notes = (spoken(message) for message in reversed(request.messages) if is_note(message))
    found = next((match for text in notes if (match := _NOW.search(text))), None)
    return datetime.fromisoformat(found[1]) if found else None


def find(text: str, now: datetime | None) -> When | None:
    """The time that is said; None when none is, or none that a reminder can be set for."""
    if words.OTHER_WEEKS.search(text):
        return None
    readings: tuple[Callable[[str, datetime | None], When | None], ...] = (
        _after,
        _often,
        _dated,
        _clock_alone,
    )
    try:
        return next((found for read in readings if (found := read(text, now))), None)
    except (ValueError, OverflowError):  # only looks like a day, or ends the calendar
        return None


def is_ahead(text: str) -> bool:
    """Whether a time is said that can only lie ahead: "in an hour", "every day"; not "since nine", "daily chart"."""
    return any(pattern.search(text) for pattern in (words.AFTER, words.TOMORROW, words.OFTEN))


def _after(text: str, now: datetime | None) -> When | None:
    """In ten minutes, 半小时后."""
    found = words.AFTER.search(text)
    if not found or now is None:
        return None
    unit = words.unit_of(found["unit"] or found["danwei"])
    number = words.number_of(found["number"] or found["shu"] or "1")
    due = now + number * unit + (words.HALF * unit if found["half"] or found["ban"] else timedelta())
    if unit < timedelta(days=1):
        # The clock shows whole minutes: one more, so that it is never too soon.
        due += MINUTE
    return When("once", f"{due:%Y-%m-%d %H:%M}", _without(text, found))


def _often(text: str, now: datetime | None) -> When | None:
    """Every day, every Monday, 每周一."""
    weekly = words.WEEKLY.search(text)
    daily = None if weekly else words.DAILY.search(text)
    found = weekly or daily
    if not found:
        return None
    rest = _without(text, found)
    hour = _hour(rest, words.part_in(found[0]) or words.part_in(rest))
    time, rest, guessed = (hour.time, hour.rest, False) if hour else (_usual(found[0]), rest, True)
    later, time = _on_clock(time)
    day = (words.weekday_of(weekly) + later) % 7 if weekly else None
    return When("weekly" if weekly else "daily", time, rest, day, guessed)


def _dated(text: str, now: datetime | None) -> When | None:
    """Tomorrow at nine, on Friday, 2026-11-23 14:00, 明天下午三点, 下周一."""
    if now is None or not (day := words.day_of(text, now)):
        return None
    rest = _without(text, day.found)
    hour = _hour(rest, words.part_in(day.found[0]) or words.part_in(rest))
    time, rest, guessed = (hour.time, hour.rest, False) if hour else (_usual(day.found[0]), rest, True)
    later, time = _on_clock(time)
    return When("once", f"{day.date + timedelta(days=later)} {time}", rest, guessed=guessed)


def _clock_alone(text: str, now: datetime | None) -> When | None:
    """At nine: today, or tomorrow when that has passed."""
    hour = _hour(text, words.part_in(text))
    if now is None or hour is None or words.BEYOND.search(text) or words.names_date(text):
        return None
    _later, time = _on_clock(hour.time)
    day = now if time > f"{now:%H:%M}" else now + timedelta(days=1)
    return When("once", f"{day:%Y-%m-%d} {time}", hour.rest)


def _on_clock(time: str) -> tuple[int, str]:
    """How many days later a clock shows it, and what it shows: 25:00 is 01:00 a day later."""
    later, hour = divmod(int(time[:2]), 24)
    return later, f"{hour:02}{time[2:]}"


@dataclass(frozen=True, slots=True)
class _Hour:
    time: str
    rest: str


def _hour(text: str, part: str) -> _Hour | None:
    """The time of day that is said; `part` ("evening") says which half of the day is meant."""
    for pattern in words.CLOCKS:
        if (found := pattern.search(text)) and (time := words.clock_of(found, part)):
            return _Hour(time, words.PARTS.sub(" ", _without(text, found)))
    return None


def _usual(said: str) -> str:
    """When a part of the day is named alone, or nothing at all."""
    return f"{words.USUAL.get(words.part_in(said), MORNING):02}:00"


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"
