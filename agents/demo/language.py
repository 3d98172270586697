"""Which of the two languages a person writes in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Language = Literal["en", "zh"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2}")


def language_of(texts: Iterable[str], locale: str) -> Language:
    """The language of the newest of `texts` (newest first) that shows one; else the locale's.

    A single Chinese character decides: Chinese is often mixed with Latin brand names. "42" and "M" say nothing.
    """
    for text in texts:
        if _HAN.search(text):
            return "zh"
        if _LATIN.search(text):
            return "en"
    return "zh" if locale.lower().startswith("zh") else "en"
