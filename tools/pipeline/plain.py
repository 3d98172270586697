"""All texts of some arguments as one plain text, for rules that look for words wherever they stand. Pure.

Rules read `text` when it should not matter how a word is dressed up: it holds every key and text at any depth, one a
line, in lower case, compatibility forms made ordinary (fullwidth letters, ligatures), without characters that
cannot be seen. What is spelled with other letters (Cyrillic а for a) or encoded (base64) is not recognised.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_SPACES = re.compile(r"[^\S\n]+")


def plain_text(value: Any) -> str:
    """The texts of a JSON value, made plain, one a line."""
    return "\n".join(map(plain, _texts(value)))


def plain(text: str) -> str:
    """One text without what hides words: case, width, invisible characters, rows of spaces."""
    if not text.isascii():
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return _SPACES.sub(" ", text.casefold())


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, inner in value.items():
                yield name
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)
