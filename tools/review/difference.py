"""What repair changed in a text, as pieces to mark on both sides. Pure.

Bounded: what both texts begin and end with is left out, and if what remains is long it is marked as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\s+|\w+|.", re.DOTALL)
MOST_PAIRS = 160_000
"""Tokens of one side times those of the other that are compared piece by piece."""
Runs = list[tuple[bool, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Part:
    """A run of text that both sides have, or only this one."""

    text: str
    changed: bool


def difference(before: str, after: str) -> tuple[list[Part], list[Part]]:
    """Both texts in parts; put together again, the parts are the texts."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    left, right = _compare(old_middle, new_middle)
    head: Runs = [(False, old[:start])]
    tail: Runs = [(False, old[len(old) - end :])]
    return _joined(head + left + tail), _joined(head + right + tail)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens both begin with."""
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return at
    return min(len(one), len(other))


def _compare(old: Sequence[str], new: Sequence[str]) -> tuple[Runs, Runs]:
    if len(old) * len(new) > MOST_PAIRS:
        return [(True, old)], [(True, new)]
    left: Runs = []
    right: Runs = []
    for tag, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        left.append((tag != "equal", old[i:i_end]))
        right.append((tag != "equal", new[j:j_end]))
    return left, right


def _joined(runs: Runs) -> list[Part]:
    return [Part("".join(tokens), changed) for changed, tokens in runs if tokens]
