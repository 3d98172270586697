"""What evaluating a content rule costs at most, told from its text and the arguments before it runs. Pure.

The engine copies a list or object each time it is named, `map` and `filter` copy what they have gathered at every
item, and a pattern is compiled at every match. So a rule is read once (`shape_of`): what stands how deep within
comprehensions. With the sizes of a call's arguments (`Load`) that gives an upper bound in steps of about 25 ns.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

TEXT = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*\'""")
MACRO = re.compile(r"\.\s*(all|exists|exists_one|existsOne|map|filter)\s*\(\s*([A-Za-z_]\w*)\s*,")
_TOKEN = re.compile(
    rf"(?P<macro>{MACRO.pattern})|(?<![\w.])args\s*\.\s*(?P<argument>[A-Za-z_]\w*)"
    r"|(?<![\w.])(?P<name>[A-Za-z_]\w*)(?!\w|\s*\()|(?P<match>(?<!\w)matches\s*\()|(?P<sign>[()+,{])"
)
_LIST = re.compile(r"""(?<![\w\])"'\s])\s*\[[^\[\]]*[A-Za-z_][^\[\]]*\]|\[\s*\[""")
"""A list that is written out and holds more than constants."""
_COUNTED = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_LARGE_CLASS = re.compile(r"\\[wWdDsSpP]")
_WORDS = frozenset({"true", "false", "null", "in"})
_RESERVED = frozenset({"args", "call", "user", "now", "text"})
ENTRY = 4
"""Steps to copy an entry of an object; an item of a list is one."""
CHARACTERS_OF_A_STEP, MATCHED_IN_A_STEP = 400, 4
A_PATTERN, A_SMALL_STATE, A_LARGE_STATE = 4_000, 300, 10_000
HANDED_OVER = 6
"""Times what copying costs: what is handed to a function of ours (`size`)."""


@dataclass(slots=True)
class Shape:
    """What stands in a rule, by the number of comprehensions around it."""

    characters: Counter[int] = field(default_factory=Counter)
    arguments: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Names of arguments; "" for all of them, or for what is not an argument."""
    items: Counter[int] = field(default_factory=Counter)
    """Uses of the comprehensions' own variables."""
    gatherings: Counter[int] = field(default_factory=Counter)
    matches: Counter[int] = field(default_factory=Counter)
    macros: int = 0
    maps: int = 0
    pluses: int = 0
    commas: int = 0
    builds: bool = False
    """It makes lists of lists, or the like, so that something may be larger than the arguments."""
    builds_from: set[str] = field(default_factory=set)
    """It does if one of these arguments is a list or an object."""
    hides: bool = False
    """A variable of its own has the name of one of ours."""
    hands_over: bool = False
    a_match: int = A_PATTERN


@dataclass(frozen=True, slots=True)
class Load:
    """How large the arguments of a call are."""

    weights: Mapping[str, int]
    """What copying each argument takes."""
    weight: int
    longest: int
    """The most items or entries in one list or object."""
    characters: int

    def of(self, name: str) -> int:
        return self.weights.get(name, 1) if name else self.weight


def load_of(arguments: Mapping[str, Any], flags: Sequence[str]) -> Load:
    """The flags count as an argument without a name."""
    weights, longest, characters = {}, len(flags), 0
    for name, value in ({**arguments, "": list(flags)}).items():
        weights[name], length, texts = _measured(value)
        longest, characters = max(longest, length), characters + texts
    whole = sum(weights.values()) + ENTRY * len(weights)
    return Load(weights, whole, max(longest, len(arguments)), characters)


def steps(text: str, load: Load) -> float:
    """An upper bound of what evaluating the rule costs; infinite if it cannot be told."""
    shape = shape_of(text)
    if shape.hides:
        return math.inf
    joined = (1 + shape.pluses) ** max(shape.macros, 1)
    rounds = max(load.longest, shape.commas + 1) * (joined if shape.macros else 1)
    builds = shape.builds or any(load.of(name) > 1 for name in shape.builds_from)
    largest = load.weight * joined * (rounds ** (shape.maps + 1) if builds else 1)
    copied = sum(
        times * load.of(name) * (1 + shape.pluses) * rounds**depth
        for (depth, name), times in shape.arguments.items()
    )
    copied += sum(times * largest * rounds ** (depth - (not builds)) for depth, times in shape.items.items())
    gathered = sum(times * largest * rounds ** (depth + 1) for depth, times in shape.gatherings.items())
    a_match = shape.a_match + load.characters // MATCHED_IN_A_STEP
    matched = sum(times * a_match * rounds**depth for depth, times in shape.matches.items())
    plain = sum(times * rounds**depth for depth, times in shape.characters.items())
    return plain + copied * (HANDED_OVER if shape.hands_over else 1) + gathered + matched


@lru_cache(2_000)
def shape_of(text: str) -> Shape:
    """The shape of a rule."""
    bare = TEXT.sub("''", text)
    shape = Shape(builds=_LIST.search(bare) is not None, hands_over="size" in bare, a_match=_a_match(text))
    around: list[tuple[str, str] | None] = []
    last = 0
    for token in _TOKEN.finditer(bare):
        depth = sum(one is not None for one in around)
        shape.characters[depth] += token.end() - last
        last = token.end()
        _note(shape, token, depth, around)
    shape.characters[0] += len(bare) - last
    return shape


def _note(shape: Shape, token: re.Match[str], depth: int, around: list[tuple[str, str] | None]) -> None:
    """Count what a token adds; `around` are the open brackets, with kind and variable of a comprehension's."""
    match token.lastgroup:
        case "argument":
            _note_name(shape, "args", token["argument"], depth, around)
        case "name":
            _note_name(shape, token["name"], "", depth, around)
        case "match":
            shape.matches[depth] += 1
            around.append(None)
        case "sign":
            _note_sign(shape, token["sign"], around)
        case _:
            kind, variable = token[2], token[3]
            shape.macros += 1
            shape.maps += kind == "map"
            shape.gatherings[depth] += kind in ("map", "filter")
            shape.hides |= variable in _RESERVED
            around.append((kind, variable))


def _note_sign(shape: Shape, sign: str, around: list[tuple[str, str] | None]) -> None:
    match sign:
        case "(":
            around.append(None)
        case ")":
            del around[-1:]
        case "+":
            shape.pluses += 1
        case ",":
            shape.commas += 1
        case "{":
            shape.builds = True


def _note_name(
    shape: Shape, name: str, argument: str, depth: int, around: Iterable[tuple[str, str] | None]
) -> None:
    if name in _WORDS:
        return
    maps = [variable for kind, variable in filter(None, around) if kind == "map"]
    if name not in _RESERVED:
        shape.items[depth] += 1
        shape.builds |= bool(maps) and name != maps[-1]
    else:
        shape.arguments[depth, argument if name == "args" else name] += 1
        shape.builds_from |= {argument} if maps and name in ("args", "call") else set()


def _a_match(text: str) -> int:
    """What one match costs before it looks at anything: `\\w{50}` takes milliseconds to compile."""
    patterns = "".join(TEXT.findall(text))
    large = len(_LARGE_CLASS.findall(patterns))
    states, times = large, 1
    for found in _COUNTED.finditer(patterns):
        count = max(int((found[2] or found[1])[:6]), 1)
        if patterns[found.start() - 1] == ")":
            times *= count
        else:
            states += count
    return A_PATTERN + (A_LARGE_STATE if large else A_SMALL_STATE) * max(states, 1) * times


def _measured(value: Any) -> tuple[int, int, int]:
    """What copying it takes, its longest list or object, its characters."""
    weight, longest, characters, todo = 0, 0, 0, [value]
    while todo:
        item = todo.pop()
        weight += 1
        if isinstance(item, str):
            characters += len(item)
        elif isinstance(item, dict):
            weight += ENTRY * len(item)
            longest = max(longest, len(item))
            todo += item.values()
        elif isinstance(item, list):
            longest = max(longest, len(item))
            todo += item
    return weight + characters // CHARACTERS_OF_A_STEP, longest, characters
