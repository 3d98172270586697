"""Where in a text something stands: in a fenced block, in a quotation, behind "for example:". Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

LOOK_BACK = 300
MOST_FENCES = 1_000
_FENCE_LINE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([^\n`]*)$", re.MULTILINE)
_SHOWN = re.compile(
    r"example|\be\.g\.|for instance|looks? like|such as|usage|syntax|signature|format"
    r"|例如|比如|譬如|示例|例子|举例|格式|用法|语法",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: all of it, what is inside, and its language."""

    start: int
    end: int
    inside: int
    inside_end: int
    language: str


class Extents:
    """Stretches of a text, to ask whether another one meets any of them."""

    def __init__(self, stretches: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(stretches)
        self._starts = [start for start, _end in ordered]
        self._farthest = list(accumulate((end for _start, end in ordered), max))

    def meet(self, start: int, end: int) -> bool:
        """Whether one of them shares a place with this one."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._farthest[before - 1] > start


def fences_of(text: str) -> list[Fence]:
    """The fenced blocks in order; one that is never closed goes on to the end, as one too many does."""
    found: list[Fence] = []
    opened: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(text):
        if opened is None:
            opened = line
        elif line.group(1).startswith(opened.group(1)) and not line.group(2).strip():
            found.append(_fence(opened, line.start(), line.end()))
            opened = None
        if len(found) == MOST_FENCES:
            return [*found, Fence(line.start(), len(text), len(text), len(text), "too many")]
    return [*found, _fence(opened, len(text), len(text))] if opened else found


def is_quoted(text: str, at: int) -> bool:
    """In a quotation, or in inline code."""
    line = text[max(0, at - LOOK_BACK) : at].rsplit("\n", 1)[-1]
    return line.lstrip().startswith(">") or line.count("`") % 2 == 1


def is_introduced(text: str, at: int) -> bool:
    """The line before (or the beginning of this one) says that an example or a form follows."""
    before = text[max(0, at - LOOK_BACK) : at].rstrip().rsplit("\n", 1)[-1].strip()
    announces = before.rstrip("*_`").endswith((":", "：")) or before.startswith(("#", "*"))
    return announces and bool(_SHOWN.search(before))


def _fence(opened: re.Match[str], inside_end: int, end: int) -> Fence:
    words = opened.group(2).lower().split()
    inside = min(opened.end() + 1, inside_end)
    return Fence(opened.start(), end, inside, inside_end, words[0] if words else "")
