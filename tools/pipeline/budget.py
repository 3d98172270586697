"""How often a model may correct itself before the person is asked, and which attempts belong together. Pure.

An attempt is a correction when an earlier reply of the same turn called the same tool with arguments that were
rejected: together they are a chain. Calls of one reply never correct one another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

CORRECTIONS_A_TOOL = 2
CORRECTIONS_A_TURN = 6
MOST_READ = 4_000
"""Characters of two attempts that are compared."""
_WORD = re.compile(r"\w+")
Next = Literal["send_back", "ask", "give_up"]


@dataclass(frozen=True, slots=True)
class Tried:
    """One attempt of the turn. `chain` is the id of the first attempt of its chain, `reply` the message it stood in."""

    id: str
    chain: str
    number: int
    tool: str
    raw: str
    reply: str
    ok: bool
    asked: bool = False
    """The person was asked: the model does not go on with it."""


def continues(earlier: Sequence[Tried], tool: str, raw: str, reply: str) -> Tried | None:
    """The rejected attempt that a call in `reply` tries to put right: of the open ones, the one most like it."""
    last = {one.chain: one for one in earlier if one.tool == tool}
    open_ones = [one for one in last.values() if not (one.ok or one.asked) and one.reply != reply]
    words = _words(raw)
    return max(open_ones, key=lambda one: len(words & _words(one.raw)), default=None)


def _words(raw: str) -> set[str]:
    return set(_WORD.findall(raw[:MOST_READ]))


def next_step(earlier: Sequence[Tried], bad: Tried, *, is_known: bool) -> Next:
    """What happens after the rejected attempt `bad`. A tool that does not exist has nothing to ask a person about."""
    if not (_is_repeated(earlier, bad) or bad.number > CORRECTIONS_A_TOOL or _is_too_much(earlier, bad)):
        return "send_back"
    return "ask" if is_known else "give_up"


def tries_left(earlier: Sequence[Tried], bad: Tried) -> int:
    """How many more attempts at this call the model has."""
    of_turn = CORRECTIONS_A_TURN - len(_faults(earlier, bad))
    return max(0, min(CORRECTIONS_A_TOOL + 1 - bad.number, of_turn))


def _is_repeated(earlier: Iterable[Tried], bad: Tried) -> bool:
    return any(
        (one.tool, one.raw, one.ok) == (bad.tool, bad.raw, False) and one.reply != bad.reply
        for one in earlier
    )


def _is_too_much(earlier: Sequence[Tried], bad: Tried) -> bool:
    return len(_faults(earlier, bad)) >= CORRECTIONS_A_TURN


def _faults(earlier: Sequence[Tried], bad: Tried) -> list[Tried]:
    """The rejected attempts of earlier replies."""
    return [one for one in earlier if not one.ok and one.reply != bad.reply]
