"""Names as they are compared, and titles that are no titles. Pure.

Two names are the same when they differ in case, width, spaces or invisible characters alone.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator

LONGEST_NAME_IN_STATUS = 60

_GAP = r"[\s\p{P}\p{S}\p{Cf}]*"
_HAN = r"[\d零〇○一二三四五六七八九十百千两兩壹贰叁肆伍陆柒捌玖拾廿卅\u2160-\u2188\u2460-\u24ff]"
_TENS = "(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
_ONES = "(?:one|two|three|four|five|six|seven|eight|nine)"
_TEENS = "(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)"
_ROMAN = r"c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_NUMBER = f"(?:{_TENS}(?:{_GAP}{_ONES})?|{_TEENS}|{_ONES}|(?:a|one){_GAP}hundred|{_ROMAN})"
_CHINESE = f"第?{_GAP}{_HAN}+{_GAP}[章回节節话話集幕卷篇](?:{_GAP}[上中下终終完续續])?"
_ENGLISH = (
    rf"(?:chapter|chap|ch|episode|part|section)(?:{_GAP}(?:no|number)?{_GAP}\d+|{_GAP[:-1]}+{_NUMBER})?"
)
_ORDINAL = (
    r"(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
    f"{_GAP}chapter"
)
_BARE = rf"\d{{1,3}}|{_HAN}{{1,3}}|(?-i:{_ROMAN.upper()})"

ONLY_A_NUMBER = f"(?i)^{_GAP}(?:(?:(?:the{_GAP})?(?:{_CHINESE}|{_ENGLISH}|{_ORDINAL}){_GAP})+|{_BARE}){_GAP}$"
"""A title that is only a chapter's number: "第三章", "Chapter 3:", "IV". As the rules `descriptive_title` hold it."""

_ONLY_A_NUMBER = re.compile(ONLY_A_NUMBER.replace(_GAP, r"[\W_]*+").replace(_GAP[:-1], r"[\W_]"))
"""The same for Python, which knows no classes by property, and goes back only where it is told to."""
_STATUS = re.compile(
    rf"(?:^|[\n;；。.])\s*[\[【「]?([^\n;；。.:：\]】」]{{1,{LONGEST_NAME_IN_STATUS}}})[\]】」]?\s*[:：]"
)


def is_only_a_number(title: str) -> bool:
    """Whether a title says nothing but which chapter it is."""
    return _ONLY_A_NUMBER.search(title) is not None


def plain(text: str) -> str:
    """A text as it is compared: NFKC, without case and invisible characters, single spaces."""
    visible = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    return " ".join(visible.casefold().split())


def key_of(text: str) -> str:
    """What must not stand twice, as a fixed-size column: same key, same name. Spaces do not count."""
    bare = "".join(plain(text).split())
    return hashlib.sha256(bare.encode("utf-8", "replace")).hexdigest()


def names_in_status(status: str) -> Iterator[str]:
    """Whose status is told in a text of "name: status", one a line or one a sentence."""
    for found in _STATUS.finditer(status):
        if name := found[1].strip():
            yield name
