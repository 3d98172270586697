"""The words of times and days in both languages, as patterns and tables. Pure; `desk_time` puts them together.

Every pattern is bounded: no repetition inside a repetition, so a hostile text costs no more than a plain one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

HALF = 0.5
_UNITS = (
    ("minute", timedelta(minutes=1)), ("min", timedelta(minutes=1)), ("分", timedelta(minutes=1)),
    ("hour", timedelta(hours=1)), ("小时", timedelta(hours=1)), ("钟头", timedelta(hours=1)),
    ("day", timedelta(days=1)), ("天", timedelta(days=1)),
    ("week", timedelta(weeks=1)), ("周", timedelta(weeks=1)), ("星期", timedelta(weeks=1)),
)  # fmt: skip
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty-five": 45, "noon": 12,
    "midnight": 0,
}  # fmt: skip
_DIGITS = "零一二三四五六七八九"
_ENGLISH_NUMBER = (
    r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty-five"
    r"|half an?"
)
_HAN_NUMBER = r"\d{1,3}|[一二两三四五六七八九十]{1,3}"
AFTER = re.compile(
    rf"\bin (?P<number>{_ENGLISH_NUMBER}) (?P<unit>minutes?|mins?|hours?|days?|weeks?)\b(?P<half> and a half)?"
    rf"|(?P<shu>{_HAN_NUMBER}|半) ?个?(?P<ban>半)?(?P<danwei>分钟|小时|钟头|天|周|星期)(?:以后|之后|过后|后)",
    re.IGNORECASE,
)
_DAYS_EN = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS_ZH = "一二三四五六日"
_DAY_EN = "|".join(_DAYS_EN)
_WEEK_ZH = r"(?:周|星期|礼拜)"
WEEKLY = re.compile(
    rf"\b(?:every|each|weekly on|every week on) (?P<day>{_DAY_EN})s?(?: (?:morning|afternoon|evening|night)s?)?\b"
    rf"|\bon (?P<days>{_DAY_EN})s\b|每个?{_WEEK_ZH}(?P<zhou>[一二三四五六日天])(?:早上|上午|中午|下午|晚上)?",
    re.IGNORECASE,
)
DAILY = re.compile(
    r"\b(?:every|each) (?:day|morning|afternoon|evening|night)\b|\bdaily\b|每天|每日|天天|每早|每晚",
    re.IGNORECASE,
)
_NEXT_WEEK = re.compile(rf"下个?{_WEEK_ZH}([一二三四五六日天])")
_THIS_WEEK = re.compile(rf"(?:这个?|本)?{_WEEK_ZH}([一二三四五六日天])(?:早上|上午|中午|下午|晚上)?")
_NAMED = re.compile(
    rf"\b(?:on |next |this )?({_DAY_EN})\b(?: (?:morning|afternoon|evening|night)\b)?", re.IGNORECASE
)
_ISO = re.compile(r"\b(?:on )?(\d{4})-(\d{1,2})-(\d{1,2})\b")
_HAN_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]")
_MONTHS_EN = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_EN = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?"
)
_DATE_EN = re.compile(
    rf"\b(?:on )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH_EN})\b"
    r"(?:,? (?P<year>\d{4})\b)?"
    rf"|\b(?:on )?(?P<mon>{_MONTH_EN})\.? (?:the )?(?P<nth>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])"
    r"(?:,? (?P<anno>\d{4})\b)?",
    re.IGNORECASE,
)
BEYOND = re.compile(
    r"\b(?:every|each) (?:other|second|third|few|couple|two|three|four|\d{1,3}|weekdays?|weekends?|work(?:ing)? ?days?"
    r"|hours?|weeks?|months?|quarters?|years?)\b|\bon (?:weekdays|weekends)\b|\b(?:yesterday|ago)\b"
    r"|每个?(?:工作日|周末|月|季度|年|小时)|每隔|隔(?:天|日|周)|每[两二三四五六七八九十\d]|工作日|昨天|昨晚|前天|上周",
    re.IGNORECASE,
)
"""What no reminder can be set for: other repetitions than every day and every week, and what has passed."""
OTHER_WEEKS = re.compile(
    rf"\bevery (?:other|second|third) (?:{_DAY_EN}|day|week)|隔周|每[两二三四]个?{_WEEK_ZH}", re.IGNORECASE
)
_RELATIVE: tuple[tuple[int, re.Pattern[str]], ...] = (
    (3, re.compile(r"大后天")),
    (2, re.compile(r"\bthe day after tomorrow\b|后天", re.IGNORECASE)),
    (
        1,
        re.compile(
            r"\btomorrow(?: (?:morning|afternoon|evening|night))?\b|明天|明早|明晚|明儿", re.IGNORECASE
        ),
    ),
    (
        0,
        re.compile(
            r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b|今天|今晚|今早|今儿", re.IGNORECASE
        ),
    ),
)
TOMORROW = re.compile(r"\btomorrow\b|明天|明早|明晚|后天", re.IGNORECASE)
OFTEN = re.compile(r"\b(?:every|each)\b|每天|天天|每早|每晚|每个?(?:周|星期|礼拜)", re.IGNORECASE)
_PARTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("small hours", re.compile(r"凌晨")),
    ("morning", re.compile(r"\bmornings?\b|清晨|早上|早晨|上午|[明今每]早", re.IGNORECASE)),
    ("noon", re.compile(r"中午")),
    ("afternoon", re.compile(r"\bafternoons?\b|下午|傍晚", re.IGNORECASE)),
    ("evening", re.compile(r"\b(?:evenings?|nights?|tonight)\b|晚上|夜里|[明今每]晚", re.IGNORECASE)),
)
PARTS = re.compile(
    r"\b(?:in|at|during) (?:the )?(?:morning|afternoon|evening|night)\b"
    r"|凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里",
    re.IGNORECASE,
)
USUAL = {"small hours": 5, "morning": 9, "noon": 12, "afternoon": 15, "evening": 20}
_HOUR_EN = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
CLOCKS = (
    re.compile(
        r"(?:\bat )?(?<![\d-])(?P<hour>\d{1,2})[:：](?P<minute>\d\d)(?!\d)(?: ?(?P<half>[ap])\.?m\b\.?)?",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:at )?(?P<hour>{_HOUR_EN}) ?(?P<half>[ap])\.?m\b\.?", re.IGNORECASE),
    re.compile(r"\b(?:at )?(?P<hour>noon|midnight)\b", re.IGNORECASE),
    re.compile(
        r"(?P<hour>\d{1,2}|[一二两三四五六七八九十]{1,3}) ?[点时](?!间)"
        r"(?:(?P<ban>半)|(?P<ke>[一三])刻|(?P<minute>\d{1,2}|[一二三四五六七八九十]{1,3})分?|整|钟)?"
    ),
    re.compile(rf"\bat half past (?P<past>{_HOUR_EN})\b", re.IGNORECASE),
    re.compile(rf"\bat (?P<hour>{_HOUR_EN})\b(?: ?o['’]clock)?", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True)
class Day:
    """A day that is named, and where."""

    date: date
    found: re.Match[str]


def number_of(said: str) -> float:
    """ "ten", "十五" and "15"; a half is half."""
    plain = said.lower().strip()
    if plain.startswith("half") or plain == "半":
        return HALF
    return int(plain) if plain.isdecimal() else _NUMBERS.get(plain) or han_number(plain)


def han_number(said: str) -> int:
    """Up to 99: 九, 十五, 三十, 二十五."""
    plain = said.replace("两", "二")
    if "十" not in plain:
        return int("".join(str(_DIGITS.index(one)) for one in plain if one in _DIGITS) or 0)
    tens, _, ones = plain.partition("十")
    return 10 * (max(0, _DIGITS.find(tens)) if tens else 1) + max(0, _DIGITS.find(ones) if ones else 0)


def unit_of(said: str) -> timedelta:
    return next(length for word, length in _UNITS if said.lower().startswith(word))


def weekday_of(found: re.Match[str]) -> int:
    """0 = Monday to 6 = Sunday, of a match of `WEEKLY`."""
    named = found["day"] or found["days"]
    return _DAYS_EN.index(named.lower()) if named else _han_day(found["zhou"])


def _han_day(said: str) -> int:
    return _DAYS_ZH.index(said.replace("天", "日"))


def part_in(text: str) -> str:
    """Which part of the day is named; empty for none."""
    return next((part for part, pattern in _PARTS if pattern.search(text)), "")


def day_of(text: str, now: datetime) -> Day | None:
    """The day that is named, from now on."""
    for ahead, pattern in _RELATIVE:
        if found := pattern.search(text):
            return Day((now + timedelta(days=ahead)).date(), found)
    return _written(text, now) or _weekday(text, now)


def names_date(text: str) -> bool:
    """Whether a date is written, be it one of the calendar or not."""
    return any(pattern.search(text) for pattern in (_ISO, _HAN_DATE, _DATE_EN))


def _written(text: str, now: datetime) -> Day | None:
    """A date without its year is the next one."""
    if found := _ISO.search(text) or _HAN_DATE.search(text):
        year, month, day = found.groups()
    elif found := _DATE_EN.search(text):
        year, day = found["year"] or found["anno"], found["day"] or found["nth"]
        month = str(1 + _MONTHS_EN.index((found["month"] or found["mon"])[:3].lower()))
    else:
        return None
    try:
        named = date(int(year or now.year), int(month), int(day))
        return Day(named if year or named >= now.date() else named.replace(year=now.year + 1), found)
    except ValueError:
        return None


def _weekday(text: str, now: datetime) -> Day | None:
    if found := _NEXT_WEEK.search(text):
        monday = now - timedelta(days=now.weekday()) + timedelta(weeks=1)
        return Day((monday + timedelta(days=_han_day(found[1]))).date(), found)
    if found := _NAMED.search(text):
        return Day(_coming(_DAYS_EN.index(found[1].lower()), now), found)
    found = _THIS_WEEK.search(text)
    return Day(_coming(_han_day(found[1]), now), found) if found else None


def _coming(weekday: int, now: datetime) -> date:
    """The next day of this name that is not today."""
    return (now + timedelta(days=(weekday - now.weekday() - 1) % 7 + 1)).date()


def clock_of(found: re.Match[str], part: str) -> str:
    """`HH:MM` of a match of `CLOCKS`; empty for what no clock shows. From 24:00 on it is the night after the day."""
    told = found.groupdict()
    said = (told.get("hour") or told.get("past") or "").lower()
    hour = int(said) if said.isdecimal() else _NUMBERS[said] if said in _NUMBERS else han_number(said)
    if hour >= 24:
        return ""
    hour = _in_half(hour, (told.get("half") or "").lower(), part)
    minute = 30 if told.get("ban") or told.get("past") else _minute(told)
    return f"{hour:02}:{minute:02}" if minute < 60 else ""


def _minute(told: dict[str, str | None]) -> int:
    if quarter := told.get("ke"):
        return 15 * han_number(quarter)
    said = told.get("minute") or "0"
    return int(said) if said.isdecimal() else han_number(said)


def _in_half(hour: int, half: str, part: str) -> int:
    """The hour on a clock of 24; twelve and one at night belong to the day before, so they are 24 and 25."""
    if half:
        return hour % 12 + (12 if half == "p" else 0)
    if part == "evening" and hour in (12, 1, 2, 3, 4):
        return 24 + hour % 12
    if part == "small hours":
        return hour % 12
    late = (part in ("afternoon", "evening") and hour < 12) or (part == "noon" and hour < 3)
    return hour + 12 if late else hour
