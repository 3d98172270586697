"""Where a bracket written in prose closes, and what stands between its commas: tolerant, iterative, and with a budget.

A text is looked at once: each sign read is paid for, and when the budget is spent nothing more is found. So the time
stays linear however many brackets are left open. Pure; called by the other `written_…` modules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CLOSERS = {"{": "}", "[": "]", "(": ")"}
LONGEST_VALUE = 64 * 1024
_SIGN = re.compile(r"""["'{}\[\](),:]""")
_ANY_QUOTE = {'"': re.compile(r'\\.|"', re.DOTALL), "'": re.compile(r"\\.|'", re.DOTALL)}
_SPACE = re.compile(r"\s*")
_BEFORE_TEXT = frozenset("{[(,:=")
_AFTER_TEXT = frozenset(",:}])")


@dataclass(frozen=True, slots=True)
class Part:
    """What stands between two commas: its extent, and where its first colon is (-1: it has none)."""

    start: int
    end: int
    colon: int


@dataclass(frozen=True, slots=True)
class Bracket:
    """One bracket and what is directly in it. `end` is behind its closing sign."""

    end: int
    parts: tuple[Part, ...]


class Reader:
    """Reads brackets of one text, as long as its budget lasts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._left = min(len(text), 30_000) + len(text) // 4 + 2_000

    def spend(self, signs: int = 1) -> bool:
        """Whether that many signs may still be read."""
        self._left -= signs
        return self._left >= 0

    def space(self, at: int) -> int:
        """The first place from `at` on that is no white space."""
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def until(self, mark: str, at: int) -> int:
        """Where `mark` stands next, not far behind `at`; -1 if nowhere."""
        found = self.text.find(mark, at, at + LONGEST_VALUE)
        read = (found if found >= 0 else min(at + LONGEST_VALUE, len(self.text))) - at
        return found if self.spend(1 + read // 200) else -1

    def bracket(self, start: int, *, python: bool = False) -> Bracket | None:
        """The bracket that opens at `start`; None if it does not close. `python`: texts as Python quotes them."""
        text, closers, parts = self.text, [CLOSERS[self.text[start]]], list[Part]()
        begin, colon, at = start + 1, -1, start + 1
        while (found := _SIGN.search(text, at)) and self.spend():
            here, sign = found.start(), found.group()
            at = here + 1
            if sign in "\"'":
                at = self._behind_text(here, python) if self._opens_text(here) else at
            elif sign in CLOSERS:
                closers.append(CLOSERS[sign])
            elif sign in ")]}":
                if sign != closers.pop():
                    return None
                if not closers:
                    return Bracket(at, (*parts, Part(begin, here, colon)))
            elif len(closers) == 1 and sign == ",":
                parts.append(Part(begin, here, colon))
                begin, colon = at, -1
            elif len(closers) == 1 and colon < 0:
                colon = here
        return None

    def _opens_text(self, at: int) -> bool:
        """A quote opens a text where a value may stand; elsewhere it is an apostrophe or an inch."""
        before = at - 1
        while before >= 0 and self.text[before].isspace() and self.spend():
            before -= 1
        return before >= 0 and self.text[before] in _BEFORE_TEXT

    def _behind_text(self, start: int, python: bool) -> int:
        """Behind the quote that closes the text opened at `start`; the end of everything if none does."""
        quote = self.text[start]
        if python and self.text.startswith(quote * 3, start):
            found = self.until(quote * 3, start + 3)
            return found + 3 if found >= 0 else len(self.text)
        at = start + 1
        while (found_sign := _ANY_QUOTE[quote].search(self.text, at)) and self.spend():
            at = found_sign.end()
            if found_sign.group() == quote and (python or self._closes_text(at)):
                return at
        return len(self.text)

    def _closes_text(self, behind: int) -> bool:
        """Quotes inside a text are often left unescaped: the closing one has a comma, colon or bracket behind it."""
        after = self.space(behind)
        return after >= len(self.text) or self.text[after] in _AFTER_TEXT
