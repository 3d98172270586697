"""Numbers in what a person says: price limits, ordinals, sizes, how many. Both languages.

Each reader takes what it understood out of the text (`Scan.take`), so that "500" of "under 500" is no size and what is
left over can be searched for. Every pattern is bounded: no repetition inside a repetition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

HAN_DIGITS = {
    "零": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_HAN_NUMBER = re.compile(
    r"[一二两三四五六七八九](?=[十百千万])[零一二两三四五六七八九十百千万]{1,8}"
    r"|十[一二三四五六七八九](?=[个双件款码元块以])"
)
_spots = partial(re.compile, flags=re.IGNORECASE)
_WORDS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_COUNTS = {"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "a couple": 2, "both": 2}

_N = r"(?:rmb|cny|[¥$])?\s?(\d{1,7}(?:\.\d{1,2})?)(k?)(?![\d%])\s?(?:yuan\b|rmb\b|cny\b|元|块钱|块)?"
_UNIT_N = r"(\d{3,7}|\d{1,7}\s?(?=yuan|rmb|元|块))(k?)\s?(?:yuan\b|rmb\b|元|块钱|块)?"
_BETWEEN = _spots(rf"(?:between|from|价格在|在)\s?{_N}\s?(?:and|to|-|~|—|到|至)\s?{_N}(?:之间)?")
_RANGE = _spots(rf"(?<![\d.]){_UNIT_N}\s?(?:to|-|~|—|到|至)\s?{_N}(?:之间)?")
_MOST = _spots(
    r"(?:under|below|less than|lower than|cheaper than|no more than|not more than|not over"
    r"|up to|at most|within|max(?:imum)?"
    r"(?: of)?|budget(?: is| of|:)?|<=?|≤|不超过|不要超过|别超过|不到|低于|少于|小于|最多"
    r"|最高|便宜于|预算(?:是|在|为|大概)?)"
    rf"\s?{_N}(?:以内|以下|之内|之下|内)?"
)
_MOST_AFTER = _spots(rf"{_N}\s?(?:以内|以下|之内|之下|内|封顶|or less|or under|or below|max\b|tops\b)")
_LEAST = _spots(
    r"(?:over|above|more than|at least|no less than|from|min(?:imum)?(?: of)?|>=?|≥|超过"
    r"|高于|大于|至少|最少|不低于|不少于)"
    rf"\s?{_N}(?:以上)?"
)
_LEAST_AFTER = _spots(rf"{_N}\s?(?:以上|起|or more|or above|and up)")
_ABOUT = _spots(
    rf"(?:around|about|roughly|approximately|大概|大约|差不多|约)\s?{_N}(?:左右|上下)?"
    rf"|{_N}\s?(?:左右|上下)"
)

_MEASURE = "双|件|个|款|条|台|部|副|盒|包|瓶|杯|套|只|支|份|种|家|名|样|对"
_HAN_OR_DIGIT = r"([一二两三四五六七八九十]|\d{1,2})"
_LEADING = _spots(
    r"(?:\bthe |\b)?\bfirst (two|three|four|\d)\b(?: ones?)?"
    rf"|前{_HAN_OR_DIGIT}\s?(?:{_MEASURE})?"
)
_BOTH = _spots(
    r"\bboth(?: of (?:them|these|those))?\b|\bthese two\b|这两(?:双|件|个|款|条|台|部)"
    r"|两(?:个|款|双|件)都"
)
_ORDINAL = _spots(
    rf"(?:\bthe )?\b({'|'.join(_WORDS)}|[1-9]\d?(?:st|nd|rd|th))\b(?: (?:one|pair|item"
    r"|product|option))?"
)
_NUMBERED = _spots(r"(?:\b(?:number|no\.?|option|item)\s?|#)(\d{1,2})\b")
_HAN_ORDINAL = re.compile(rf"第\s?{_HAN_OR_DIGIT}\s?(?:{_MEASURE})?")
_LAST = _spots(r"\bthe last (?:one|pair|item)\b|最后(?:一)?(?:个|双|件|款|条|台|部)")

_LETTER = "xxxl|xxl|3xl|2xl|xl|xs|s|m|l"
_SIZE_VALUE = rf"(\d{{2}}(?:\.5)?|{_LETTER})"
_SIZE = _spots(
    rf"\b(?:in (?:an? )?)?(?:size|eu)\s?(?:is |eu ?)?:?\s?{_SIZE_VALUE}\b"
    rf"|\bin (?:an? )?{_SIZE_VALUE}\b(?!\s?(?:minutes?|days?|%))"
    rf"|\b(?:i wear|i take|i'm|i am|make it)\s(?:an? )?{_SIZE_VALUE}\b"
    rf"|(?<![A-Za-z0-9.]){_SIZE_VALUE}\s?(?:码|号)|(?:尺码|码数|穿"
    rf"|要)\s?(?:是)?\s?{_SIZE_VALUE}(?![A-Za-z0-9.双件个块元百千%])(?:码|号)?"
)
_SIZE_WORD = _spots(r"\b(?:in|size)\s(?:an? )?(extra large|small|medium|large)\b|(小|中|大|加大)(?:号|码)")
_SIZE_WORDS = {
    "small": "s",
    "medium": "m",
    "large": "l",
    "extra large": "xl",
    "小": "s",
    "中": "m",
    "大": "l",
    "加大": "xl",
}
_ONLY_SIZE = _spots(rf"\W{{0,4}}(?:an? )?{_SIZE_VALUE}(?:\s?(?:please|pls|thanks|吧|的|谢谢))?\W{{0,4}}")
_LOOSE_SIZE = _spots(r"(?<![\w.'’])(3[4-9](?:\.5)?|4[0-8](?:\.5)?|xxl|xl|xs|s|m|l)(?![\w.])")
_ONLY_SIZE_WORD = _spots(r"\W{0,4}(?:an? )?(extra large|small|medium|large)(?: please)?\W{0,4}")

_MANY = _spots(
    r"\b(\d{1,3}|one|two|three|four|five|six|a couple)\s(?:of (?:them|those|these|it|the)\b"
    r"|pairs?\b(?: of)?|pieces?\b(?: of)?"
    r"|units?\b(?: of)?)|\bx\s?(\d{1,3})\b|\b(\d{1,3})\s?x\b|\b(?:quantity|qty)\s?(?:of |is "
    r"|to |:)?\s?(\d{1,3})\b"
    r"|\b(?:buy|add|get|take|order|want|need)(?: me)?\s(\d{1,3}|two|three|four|five"
    r"|six)\b(?!\s?(?:yuan|rmb|元|块))"
)
_HAN_MANY = re.compile(
    rf"(?<![第前最这\d])([一二两三四五六七八九十]|\d{{1,3}})\s?(?:{_MEASURE})(?!都)"
    rf"|数量\s?(?:是|为|:)?\s?(\d{{1,3}})"
)


@dataclass(slots=True)
class Scan:
    """A text that is read piece by piece."""

    text: str

    def take(self, pattern: re.Pattern[str]) -> list[str] | None:
        """The groups that matched, and the match taken out; None if there is none."""
        found = pattern.search(self.text)
        if found is None:
            return None
        self.text = f"{self.text[: found.start()]} {self.text[found.end() :]}"
        return [group for group in found.groups() if group is not None]


def with_digits(text: str) -> str:
    """ "五百" as "500", "1,000" as "1000"."""
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return _HAN_NUMBER.sub(lambda found: str(_han_number(found[0])), plain)


def price_limits(scan: Scan) -> tuple[float | None, float | None]:
    """(lowest, highest), each None when not said."""
    for pattern in (_BETWEEN, _RANGE):
        if both := scan.take(pattern):
            low, high = sorted((_amount(both[0], both[1]), _amount(both[2], both[3])))
            return low, high
    if about := scan.take(_ABOUT):
        middle = _amount(*about[:2])
        return round(middle * 0.8), round(middle * 1.2)
    most = scan.take(_MOST) or scan.take(_MOST_AFTER)
    least = scan.take(_LEAST) or scan.take(_LEAST_AFTER)
    return _amount(*least[:2]) if least else None, _amount(*most[:2]) if most else None


def ordinals(scan: Scan) -> tuple[int, ...]:
    """Places in a list, counted from 1; -1 is the last."""
    if leading := scan.take(_LEADING):
        return tuple(range(1, _count(leading[0]) + 1))
    if scan.take(_BOTH) is not None:
        return (1, 2)
    found: list[int] = []
    while len(found) < 4 and (
        groups := scan.take(_ORDINAL) or scan.take(_NUMBERED) or scan.take(_HAN_ORDINAL)
    ):
        found.append(_place(groups[0]))
    if scan.take(_LAST) is not None:
        found.append(-1)
    return tuple(found)


def size(scan: Scan) -> str:
    """A size as said: digits, or letters in upper case; empty when none was said."""
    if groups := scan.take(_SIZE):
        return groups[0].upper()
    for pattern in (_SIZE_WORD, _ONLY_SIZE_WORD):
        if groups := scan.take(pattern):
            return _SIZE_WORDS[groups[0].lower()].upper()
    whole = _ONLY_SIZE.fullmatch(scan.text[:40]) if len(scan.text) <= 40 else None
    if whole:
        scan.text = ""
        return whole[1].upper()
    return ""


def loose_size(scan: Scan) -> str:
    """A bare size beside a choice: "the second one, 42"."""
    groups = scan.take(_LOOSE_SIZE)
    return groups[0].upper() if groups else ""


def is_size(text: str) -> bool:
    """Whether this is a size and nothing else."""
    return bool(_LOOSE_SIZE.fullmatch(text))


def quantity(scan: Scan) -> int | None:
    """How many; None when not said."""
    groups = scan.take(_MANY) or scan.take(_HAN_MANY)
    return _count(groups[0]) if groups else None


def _amount(digits: str, thousands: str) -> float:
    amount = float(digits) * (1000 if thousands else 1)
    return int(amount) if amount == int(amount) else amount


def _count(word: str) -> int:
    word = word.lower()
    if word.isdigit():
        return int(word)
    return 10 if word == "十" else HAN_DIGITS.get(word) or _COUNTS.get(word, 1)


def _place(word: str) -> int:
    word = word.lower()
    if word in _WORDS:
        return _WORDS.index(word) + 1
    return _count(word.rstrip("stndrh"))


def _han_number(text: str) -> int:
    total, digit, unit = 0, 0, 1
    for char in text:
        if char in HAN_DIGITS:
            digit = HAN_DIGITS[char]
            continue
        unit = _UNITS[char]
        total, digit = (total + digit) * unit if unit == 10_000 else total + (digit or 1) * unit, 0
    spoken_short = digit and unit >= 100 and "零" not in text
    return total + digit * (unit // 10 if spoken_short else 1)
