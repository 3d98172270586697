"""Tools' names in the form providers take, and back. Pure.

All take letters, digits, `_` and `-`, beginning with a letter or `_`; the shortest limit is Gemini's former 63.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from tools.spec import ToolSpec

LONGEST = 63
_OTHER = re.compile(r"[^A-Za-z0-9_-]")


def legal(name: str) -> str:
    """`name` as providers take it; itself if it is legal."""
    plain = _OTHER.sub("_", name) or "_"
    plain = plain if plain[0].isalpha() or plain[0] == "_" else f"_{plain}"
    return plain if len(plain) <= LONGEST else _marked(plain, name)


class Table:
    """The names of one request's tools: as they are told, and back."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        names = sorted({spec.name for spec in specs}, key=lambda name: (legal(name) != name, name))
        self._ours: dict[str, str] = {}
        self._told: dict[str, str] = {}
        for name in names:
            told = legal(name)
            told = _marked(told, name) if told in self._ours else told
            self._ours[told], self._told[name] = name, told

    def told(self, name: str) -> str:
        """What the provider is told for our name."""
        return self._told.get(name) or legal(name)

    def ours(self, told: str) -> str:
        """Our name for what a model called; an unknown one stays as it is, and is refused as unknown."""
        return self._ours.get(told, told)


def _marked(plain: str, name: str) -> str:
    """Shortened, with a mark of the full name, so that two names stay two."""
    return f"{plain[: LONGEST - 9]}_{sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"
