"""The sample search's little library: some articles in both languages, and which of them fit a question. Pure.

There is no index and no cleverness: names of subjects count most, then titles, then texts. What fits nothing finds
nothing.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HAN = re.compile(r"[\u3400-\u9fff]+")
WORD = re.compile(r"[a-z0-9]+")
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
COMMON = frozenset({
    "a", "about", "an", "and", "are", "as", "at", "by", "can", "did", "do", "does", "find", "for", "from", "get",
    "give", "had", "has", "have", "how", "i", "if", "in", "is", "it", "its", "like", "look", "many", "me", "mean",
    "more", "most", "much", "my", "new", "of", "on", "or", "please", "price", "search", "so", "tell", "than",
    "that", "the", "their", "them", "there", "they", "this", "to", "up", "us", "use", "used", "was", "we", "web",
    "were", "what", "when", "where", "which", "who", "whom", "why", "will", "with", "you", "your",
})  # fmt: skip
"""Words that say nothing about the subject."""
COMMON_HAN = re.compile(
    r"请问|请|帮我|一下|搜索|搜一搜|搜|查找|查询|查一查|查|关于|什么|怎么样|怎样|怎么|如何|为什么|为何|哪些|哪里|多少|是|的|吗|呢|了|有|和|与"
)
NAMED, IN_TITLE, IN_TEXT = 6.0, 3.0, 1.0
ENOUGH = 3.0
"""An article that scores less does not fit."""
NEAR = 0.4
"""The share of the best score from which another article is worth showing."""
MOST = 4


@dataclass(frozen=True)
class Article:
    """One article. `words` are what its subject is called, in both languages."""

    id: str
    date: str
    words: tuple[str, ...]
    title: str
    title_zh: str
    text: str
    text_zh: str

    def titled(self, language: str) -> str:
        return self.title_zh if language == "zh" else self.title

    def told(self, language: str) -> str:
        return self.text_zh if language == "zh" else self.text

    def sentences(self, language: str) -> list[str]:
        return [one.strip() for one in SENTENCE.split(self.told(language)) if one.strip()]


@cache
def articles() -> dict[str, Article]:
    """All of them, by id."""
    stored = json.loads(Path(__file__).with_name("corpus.json").read_text(encoding="utf-8"))
    return {one["id"]: Article(**{**one, "words": tuple(one["words"])}) for one in stored}


def language_of(text: str) -> str:
    return "zh" if HAN.search(text) else "en"


def find(query: str) -> list[Article]:
    """Those that fit, best first."""
    plain = query.casefold()
    scored = [(score(plain, one), one) for one in articles().values()]
    best = max(points for points, _ in scored)
    fitting = [(points, one) for points, one in scored if points >= max(ENOUGH, NEAR * best)]
    return [one for _, one in sorted(fitting, key=lambda pair: (-pair[0], pair[1].id))][:MOST]


def score(query: str, article: Article) -> float:
    """How well an article fits; `query` in lower case. What is not named must share most of the question's words."""
    named = len({word for word in article.words if _names(word, query)})
    titles = _pieces(f"{article.title} {article.title_zh}")
    texts = _pieces(f"{article.text} {article.text_zh}")
    asked = _pieces(query)
    shared = asked & (titles | texts)
    if not named and 2 * len(shared) <= len(asked):
        return 0
    return NAMED * named + sum(IN_TITLE if piece in titles else IN_TEXT for piece in shared)


def _names(word: str, query: str) -> bool:
    """Whether a subject's name stands in the question, as a whole word where words have edges."""
    if HAN.search(word):
        return word in query
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}s?(?![a-z0-9])", query) is not None


def _pieces(text: str) -> frozenset[str]:
    """What is compared: words without their plural, and each two Chinese characters that stand together."""
    plain = text.casefold()
    words = {_stem(word) for word in WORD.findall(plain) if word not in COMMON and len(word) > 1}
    return frozenset(words | set(_pairs(HAN.findall(COMMON_HAN.sub(" ", plain)))))


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _pairs(runs: Iterable[str]) -> Iterable[str]:
    return (run[at : at + 2] for run in runs for at in range(len(run) - 1))
