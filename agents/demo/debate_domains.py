"""Which walk of life a question is from, so that the script can speak of the people and things there. Pure."""

from __future__ import annotations

import re
from functools import cache

from agents.demo.debate_words import at
from agents.demo.language import Language

GENERAL, PICTURE = "general", "picture"


def domain_of(text: str, language: Language) -> str:
    """The walk of life with most of its words in the text; `general` when there is none."""
    counts = {
        name: len(pattern.findall(text)) for name, pattern in _patterns(language).items() if name != PICTURE
    }
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else GENERAL


def speaks_of_picture(text: str, language: Language) -> bool:
    return bool(_patterns(language)[PICTURE].search(text))


@cache
def _patterns(language: Language) -> dict[str, re.Pattern[str]]:
    """What gives a walk of life away."""
    words = {name: domain["words"] for name, domain in at(language, "domains").items() if domain["words"]}
    return {name: spotting(pattern, language) for name, pattern in words.items()}


def spotting(words: str, language: Language) -> re.Pattern[str]:
    """Finds any of these words; only English has ends of words that can be seen."""
    return re.compile(rf"\b(?:{words})\b" if language == "en" else words, re.IGNORECASE)
