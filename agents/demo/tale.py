"""The little tale that the demo storyteller tells, in both languages. Its texts stand in `tales/`; no logic here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agents.demo.language import Language

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TaleChapter:
    """A chapter, and what is to be added to the storyboard with it."""

    title: str
    content: str
    outline: str
    summary: str
    bible: Fields
    characters: tuple[Fields, ...]
    world: tuple[Fields, ...]
    guideline: Fields


@dataclass(frozen=True, slots=True)
class Tale:
    """`again`: somebody of the first chapter, spelled another way."""

    title: str
    chapters: tuple[TaleChapter, ...]
    beats: Mapping[str, str]
    again: Fields


@cache
def tale_in(language: Language) -> Tale:
    """The tale in this language."""
    told = json.loads((Path(__file__).parent / "tales" / f"{language}.json").read_text(encoding="utf-8"))
    chapters = tuple(_chapter(one) for one in told.pop("chapters"))
    return Tale(chapters=chapters, **told)


def _chapter(told: dict[str, Any]) -> TaleChapter:
    """Paragraphs stand in a list of their own, so that the file can be read."""
    lists = {name: tuple(told[name]) for name in ("characters", "world")}
    return TaleChapter(**{**told, **lists, "content": "\n\n".join(told["content"])})
