"""The values a question is read into. No logic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agents.demo.language import Language

Family = Literal["act", "choose", "examine"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question asks for.

    `act`: `change` may be done or left. `choose`: between `options`, two or more. `examine`: whether `text` is so (or,
    `asks_why`, for what cause); `form` says whether it is a claim or a question. `word`: on which most depends.
    """

    family: Family
    change: str = ""
    options: tuple[str, ...] = ()
    text: str = ""
    form: Literal["claim", "question"] = "question"
    word: str = ""
    asks_why: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """A reading, and what else the question brought along. `claim`: the main one, of a pasted passage."""

    language: Language
    reading: Reading
    asked: str
    number: str
    claim: str
    sentences: int
    domain: str
    wants_picture: bool
    has_picture: bool
