"""Words in English and Chinese made comparable. Pure text in, text out.

`normal` gives small letters without accents or punctuation, English words cut to a simple stem, a blank
between English and Chinese. Two texts that a person would call the same come out the same: "Li-Ning's shoes"
and "li ning shoe".
"""

import re
import unicodedata
from collections.abc import Iterable

CHINESE = re.compile(r"[\u3400-\u9fff]+")
# A stretch of letters and digits, or a stretch of Chinese; everything else only separates.
PIECES = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")
# Accents (apart from their letters after normalising) and apostrophes do not end a word.
INSIDE_WORDS = re.compile(r"[\u0300-\u036f'’`]")
# What people say around what they look for.
CHATTER_ZH = re.compile(
    "有没有|我想要|我想买|我想|想要|想买|帮我|请问|给我|推荐|一些|一双|一件|一条|一个|一款|一台|一部|哪里|什么|便宜|"
    "好看|适合|买|找|看看|搜索|搜|请|的|吗|呢|和|或|与|要|款|双"
)
CHATTER_EN = (
    "a an and any are best buy cheap do find for good have i in is like look looking me my need new nice of"
    " on or pair please search show some something the there to want we with you"
)
IDLE = frozenset(CHATTER_EN.split())


def normal(text: str) -> str:
    """The comparable form of a text."""
    plain = INSIDE_WORDS.sub("", unicodedata.normalize("NFKD", text).casefold())
    return " ".join(stem(piece) for piece in PIECES.findall(plain))


def stem(word: str) -> str:
    """One form for singular and plural; good enough to compare, not to show."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1]


def is_chinese(text: str) -> bool:
    return CHINESE.search(text) is not None


def holds(text: str, phrase: str) -> bool:
    """Whether a normal text holds a normal phrase: whole words in English, any place in Chinese."""
    return phrase in text if is_chinese(phrase) else f" {phrase} " in f" {text} "


def without(text: str, phrase: str) -> str:
    """The normal text with a normal phrase taken out."""
    if is_chinese(phrase):
        return " ".join(text.replace(phrase, " ").split())
    return " ".join(f" {text} ".replace(f" {phrase} ", "  ").split())


def loose_words(text: str) -> list[str]:
    """What is left to look for in a normal text: English words, and Chinese in pairs of characters."""
    found: list[str] = []
    for piece in text.split():
        if not is_chinese(piece):
            found += [piece] if piece not in IDLE else []
            continue
        for run in CHATTER_ZH.sub(" ", piece).split():
            found += [run] if len(run) < 3 else [run[at : at + 2] for at in range(len(run) - 1)]
    return list(dict.fromkeys(found))


def longest_first(phrases: Iterable[str]) -> list[str]:
    """So that "running shoe" is found before "shoe"."""
    return sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
