"""The search protocol, read and written. Pure: what is asked, and what an answer says, within bounds.

It is OpenAI's chat completion with the sources beside it: `search_results` (`title`, `url`, `date`, `snippet`) or, from
older services, `citations` (addresses alone). The numbers [1], [2] … in the text count them in that order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

MOST_SOURCES = 20
LONGEST_ANSWER = 12_000
LONGEST_TITLE, LONGEST_SNIPPET, LONGEST_URL, LONGEST_DATE = 200, 400, 2_000, 40
ANSWERED = "answered_user"
"""The key by which a service says that it has answered the person by itself."""
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_NOT_IN_URLS = re.compile(r"[\s\x00-\x1f\x7f\\<>\"`{}|^]")


class Malformed(ValueError):
    """What came is no answer of this protocol."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where something stands. `n` is the number by which the text cites it."""

    n: int
    title: str
    url: str
    snippet: str = ""
    date: str = ""

    def told(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True, slots=True)
class Found:
    """An answer. `answered`: the service told it to the person by itself. `is_sample`: nothing of it is real."""

    text: str
    sources: tuple[Source, ...] = ()
    answered: bool = False
    is_sample: bool = False


def question(query: str, model: str) -> dict[str, Any]:
    """The body of the request."""
    return {"model": model, "messages": [{"role": "user", "content": query}], "stream": False}


def read(answer: Any) -> Found:
    """What an answer says. Raises `Malformed`."""
    if not isinstance(answer, dict):
        raise Malformed("not an object")
    answered = answer.get(ANSWERED) is True
    text = "" if answered and not answer.get("choices") else _text_in(answer)
    if not (text or answered):
        raise Malformed("no text")
    return Found(text, tuple(_sources_in(answer)), answered, answer.get("sample") is True)


def _text_in(answer: dict[str, Any]) -> str:
    """The first choice's words; a service may give them whole or in parts."""
    try:
        content = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise Malformed("no choice with a message") from None
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        raise Malformed("the content is not text")
    return _THOUGHTS.sub("", content).strip()[:LONGEST_ANSWER]


def _sources_in(answer: dict[str, Any]) -> Iterator[Source]:
    """Those that can be shown and followed; each keeps the number it is cited by."""
    listed = answer.get("search_results") or answer.get("citations")
    for n, one in enumerate(listed[:MOST_SOURCES] if isinstance(listed, list) else (), 1):
        told = one if isinstance(one, dict) else {"url": one}
        if url := web_address(told.get("url")):
            title = _line(told.get("title"), LONGEST_TITLE) or host_of(url)
            snippet = _line(told.get("snippet"), LONGEST_SNIPPET)
            date = _line(told.get("date") or told.get("last_updated"), LONGEST_DATE)
            yield Source(n, title, url, snippet, date)


def web_address(given: Any) -> str:
    """An http or https address that can be followed, as it was given; empty for everything else."""
    if not isinstance(given, str) or len(given) > LONGEST_URL or _NOT_IN_URLS.search(given):
        return ""
    try:
        parts = urlsplit(given)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return ""
    return given if fits else ""


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def _line(given: Any, longest: int) -> str:
    """A text on one line, cut where it is too long."""
    line = " ".join(given.split()) if isinstance(given, str) else ""
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"
