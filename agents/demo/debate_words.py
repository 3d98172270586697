"""What the debating script says, in both languages. The texts stand in `debates/`, with {slots}; no logic here.

A slot's name with a capital gives the same text at the beginning of a sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from agents.demo.language import Language

_LETTERS_MEET = re.compile(r"(?<=[A-Za-z0-9])(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff])(?=[A-Za-z0-9])")


@cache
def table(language: Language) -> dict[str, Any]:
    """Every text of this language, by subject."""
    stored = (Path(__file__).parent / "debates" / f"{language}.json").read_text(encoding="utf-8")
    told: dict[str, Any] = json.loads(stored)
    return told


@dataclass(frozen=True)
class Words:
    """Speaks of one question: the slots are filled, and `seed` deals the texts of a pool in an order of its own."""

    language: Language
    seed: str
    slots: Mapping[str, str]
    named: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Slots with several names for the same thing, of which each text takes one."""

    def say(self, path: str, /, **more: object) -> str:
        """The text at a path such as `facts.bare`."""
        return self.filled(at(self.language, path), **more)

    def dealt(self, path: str, nth: int, /, **more: object) -> str:
        """The nth text of a pool; a pool begins anew only when all of it was said."""
        pool = at(self.language, path)
        return self.filled(pool[self.order(path, len(pool))[nth % len(pool)]], **more)

    def order(self, name: str, count: int) -> list[int]:
        """The numbers below `count`, shuffled the same way each time for this question."""
        return Random(f"{self.seed}/{name}").sample(range(count), count)

    def filled(self, text: str, /, **more: object) -> str:
        chosen = {
            key: names[self.order(f"{key} in {text}", len(names))[0]] for key, names in self.named.items()
        }
        values = {**self.slots, **chosen, **{key: str(value) for key, value in more.items()}}
        capitals = {key.capitalize(): value[:1].upper() + value[1:] for key, value in values.items()}
        told = text.format_map(capitals | values)
        return apart(told) if self.language == "zh" else told


def apart(text: str) -> str:
    """Asian and Latin letters with a space between them, whatever was filled in."""
    return _LETTERS_MEET.sub(" ", text)


def inner(text: str) -> str:
    """As it stands within quotation marks: marks of its own become single, and no stop ends it."""
    return text.rstrip(".。").replace("“", "‘").replace("”", "’")


def at(language: Language, path: str) -> Any:
    """What stands at a path of dotted keys."""
    found: Any = table(language)
    for key in path.split("."):
        found = found[key]
    return found
