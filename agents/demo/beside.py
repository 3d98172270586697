"""What the script answers when it is asked beside a conversation: a title, a summary."""

from __future__ import annotations

import re

from agents.aside_words import DIGEST, SUMMARY, TITLE
from agents.demo import desk_digest
from agents.demo.language import language_of
from agents.demo.script import Scripted
from agents.demo.story import Story
from agents.messages import Request

MOST_WORDS = 6
MOST_HAN = 16
MOST_LINES = 12
_PERSON = re.compile(r"^The person: (.*)", re.MULTILINE)
_BEFORE = re.compile(r"\ASummary of what was said before:\n(?:So far: |到目前为止：)?(.*)")
_SENTENCE = re.compile(r"[.!?。！？\n]")
_WORDS = {"en": "So far: ", "zh": "到目前为止："}


def answer(request: Request) -> Scripted | None:
    """The reply to a question beside a conversation; None for a conversation itself."""
    if request.instructions == TITLE:
        return Scripted(_title(Story(request).text))
    if request.instructions == DIGEST:
        return Scripted(desk_digest.answer(Story(request).text, request.locale))
    return Scripted(_summary(request)) if request.instructions == SUMMARY else None


def _title(text: str) -> str:
    """The first words of what the person said first."""
    said = _PERSON.search(text)
    sentence = _SENTENCE.split((said[1] if said else text).strip(), maxsplit=1)[0].strip()
    words = sentence.split()
    short = " ".join(words[:MOST_WORDS])
    if language_of([sentence], "en") == "zh":
        short = short[:MOST_HAN]
    return short[:1].upper() + short[1:]


def _summary(request: Request) -> str:
    """What the person said, a piece each, behind what was summarised before."""
    text = Story(request).text
    before = _BEFORE.search(text)
    said = [line.strip()[:160] for line in _PERSON.findall(text)]
    said = [*(before[1].split(" / ") if before else ()), *said][-MOST_LINES:]
    return _WORDS[language_of(said, request.locale)] + " / ".join(said)
