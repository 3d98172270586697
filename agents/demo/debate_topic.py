"""What a debate is about: the question as typed, in; what the script needs to speak of it, out. Pure.

A question is one of three: whether to do something (`act`), which of two (`choose`), or what is the case (`examine`).
What cannot be taken apart is quoted. The grammar stands in `debate_english` and `debate_chinese`.
"""

from __future__ import annotations

import re
import unicodedata

from agents.demo import debate_chinese, debate_english
from agents.demo.debate_domains import domain_of, speaks_of_picture
from agents.demo.debate_reading import Reading, Topic
from agents.demo.language import Language, language_of

LONGEST_QUESTION = 140
"""Characters of what is quoted as the question, and of what is still no passage."""
MOST_READ = 6000
MOST_TAKEN_APART = 400
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?=\s|$)|[。！？\n]|$)|[.!?](?=\S)[^.!?。！？\n]*")
_CALL = re.compile(r"^[ \t]{0,20}(?:call\s|调用).*$", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_FAULT = re.compile(r"^\s*fault .{1,60}?\sthen\s+", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.-])(?:[$€£¥]\s?\d[\d.,]{0,20}\d(?:\s?(?:k|m|bn|million|billion))?|[$€£¥]\s?\d"
    r"|\d[\d.,]{0,20}\s?(?:%|percent\b|万|亿|元|块|个月|年|人|倍|小时|天|公里|岁|度|(?:euros?|dollars?|pounds?"
    r"|years?|months?|weeks?|days?|hours?|minutes?|people|users?|times|km|kg|million|billion)\b))",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:should|must|always|never|because|therefore|best|worst|only|will|proves?|shows?)\b|应该|必须"
    r"|总是|从不|因为|所以|一定|证明|只有",
    re.IGNORECASE,
)  # fmt: skip


def topic_of(question: str, locale: str, has_picture: bool) -> Topic:
    """The topic of a question. Calls and faults that are spelled out for the demo are no part of it."""
    text = _plain(question)
    language = language_of([text], locale)
    sentences = [found.strip() for found in _SENTENCE.findall(text) if found.strip()]
    passage = len(text) > LONGEST_QUESTION and len(sentences) > 1
    claim = _claim(sentences) if passage else ""
    asked = _asked(sentences, claim) if passage else text
    reading = _read(asked, language)
    number = _NUMBER.search(text)
    return Topic(
        language=language,
        reading=reading,
        asked=shortened(asked, language),
        number=number[0].strip() if number else "",
        claim=shortened(claim, language),
        sentences=len(sentences),
        domain="picture"
        if has_picture or _is_of_picture(reading, asked, language)
        else domain_of(text, language),
        wants_picture=speaks_of_picture(asked, language),
        has_picture=has_picture,
    )


def _plain(question: str) -> str:
    """Without what the demo itself is told to do, and without white space that says nothing."""
    given = question[:MOST_READ]
    normal = unicodedata.normalize("NFC", _CALL.sub("", _FAULT.sub("", given)) or given)
    lines = (" ".join(line.split()) for line in normal.split("\n"))
    return "\n".join(line for line in lines if line) or "?"


def _is_of_picture(reading: Reading, asked: str, language: Language) -> bool:
    return reading.family == "examine" and speaks_of_picture(asked, language)


def _asked(sentences: list[str], claim: str) -> str:
    """A question at either end of a passage is the question; else its main claim is."""
    ends = (sentences[-1], sentences[0])
    return next((one for one in ends if one.endswith(("?", "？"))), claim)


def _claim(sentences: list[str]) -> str:
    """The sentence that says most strongly what is so."""
    stated = [one for one in sentences if not one.endswith(("?", "？"))] or sentences
    return max(stated, key=lambda one: (len(_STRONG.findall(one)), -stated.index(one)))


def _read(asked: str, language: Language) -> Reading:
    short = " ".join(asked.split())[:MOST_TAKEN_APART]
    return debate_chinese.read(short) if language == "zh" else debate_english.read(short)


def shortened(text: str, language: Language) -> str:
    """Short enough to be quoted, cut between words."""
    text = " ".join(text.split()).strip(' .。“”"')
    most = LONGEST_QUESTION if language == "en" else LONGEST_QUESTION // 2
    if len(text) <= most:
        return text
    cut = text[:most]
    return (cut.rpartition(" ")[0] if language == "en" and " " in cut else cut).rstrip(" ,;，；、") + "…"
