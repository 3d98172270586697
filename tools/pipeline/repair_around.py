"""What stands around the one object: code fences, prose, and quotes that make a string of the whole. Pure."""

from __future__ import annotations

import json

from tools.pipeline.phrase import Phrase, gettext_noop
from tools.pipeline.repair_prose import has_words, is_doubtful
from tools.pipeline.repair_scribe import Mend, Stop, ended

FENCES = ("```", "~~~")
SPACES = " \t\r\n"
BRACKETS = "{}[]"
QUOTES = "\"'`“‘"
LONGEST_LANGUAGE = 20
_DECODER = json.JSONDecoder()


def decoded(raw: str) -> str:
    """The text itself, or, where all of it is one JSON string, what that string says."""
    text = raw.strip()
    if text.startswith('"') and text[1:].lstrip()[:1] in ("{", "["):
        said = _said(text)
        if said is not None:
            return said
        if text[1:].lstrip()[1:].lstrip().startswith('\\"'):
            raise ended()
    if text.startswith("{") and text[1:].lstrip().startswith('\\"'):
        said = _said(f'"{text}"')
        if said is None:
            raise Stop(Phrase(gettext_noop("only some of its quotation marks are escaped")))
        return said
    return raw


def _said(text: str) -> str | None:
    try:
        said = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, str) else None


def begin_of(text: str) -> int:
    """Where the object begins. An array at the very beginning is read as one: it is not the object wanted."""
    if text.lstrip().startswith("["):
        return text.index("[")
    begin = text.find("{")
    if begin < 0:
        raise Stop(Phrase(gettext_noop("there is no JSON object in it")))
    return begin


def end_of(text: str, begin: int) -> int:
    """Where reading ends: before the fence that closes the one which was opened, if it stands at the end."""
    fence = _open_fence(text[:begin])
    kept = text.rstrip()
    if fence and kept.endswith(fence):
        return len(kept.rstrip(fence[0])) if len(kept.rstrip(fence[0])) > begin else len(text)
    return len(text)


def end_of_whole(text: str, begin: int) -> int:
    """Where the JSON value ends that begins there, if it needs no mending itself; else 0."""
    try:
        return _DECODER.raw_decode(text, begin)[1]
    except (ValueError, RecursionError):
        return 0


def around(text: str, begin: int, end: int, written: int) -> list[Mend]:
    """The mends that leaving out what is before `begin` and after `end` amounts to; `written`: the result's length."""
    before, after = text[:begin].strip(SPACES), text[end:].strip(SPACES)
    if before and before == after and before in QUOTES:
        return [_wrapped(text, before, begin, end)]
    if before.endswith(tuple(QUOTES)) and not before.endswith(FENCES) and not after:
        raise ended()
    found = []
    opened, closed = bool(_open_fence(before)), after.startswith(FENCES)
    if opened and not closed and after and set(after) <= set("`~"):
        raise ended()
    if opened or closed:
        found.append(_left_out("fence", text, begin, end, written, opened))
    head = _without_fence(text[:begin])
    before, after = head.strip(SPACES), after.lstrip("`~").strip(SPACES) if closed else after
    if after and set(after) <= set("}]" + SPACES):
        found.append(_left_out("brackets", text, begin, end, written, False, contested=True))
        after = ""
    if before or after:
        doubtful = _may_be_json(before) or _may_be_json(after) or is_doubtful(head, after)
        left_out = _left_out("prose", text, begin, end, written, bool(before), contested=doubtful)
        left_out.has_words = has_words(before + after)
        found.append(left_out)
    return found


def _may_be_json(prose: str) -> bool:
    return any(sign in prose for sign in (*BRACKETS, *FENCES, '":'))


def _left_out(
    name: str, text: str, begin: int, end: int, written: int, at_the_front: bool, contested: bool = False
) -> Mend:
    if at_the_front:
        return Mend(name, 0, begin, 0, 0, contested)
    return Mend(name, end, len(text), written, written, contested)


def _wrapped(text: str, quote: str, begin: int, end: int) -> Mend:
    """Quotes around the whole: a fence of one backtick, or a string of which the inner quotes were not escaped."""
    inner = text[begin:end]
    doubtful = "\\" in inner or (quote == "'" and quote in inner)
    return Mend("fence" if quote == "`" else "encoded", 0, begin, 0, 0, quote != "`" and doubtful)


def _open_fence(before: str) -> str:
    """The fence `before` ends with, with or without a language."""
    for fence in FENCES:
        place = before.rfind(fence)
        if place >= 0 and _is_language(before[place + len(fence) :]):
            return fence
    return ""


def _is_language(text: str) -> bool:
    word = text.strip()
    return len(word) <= LONGEST_LANGUAGE and (not word or word.replace("-", "").isalnum())


def _without_fence(before: str) -> str:
    fence = _open_fence(before)
    return before[: before.rfind(fence)].rstrip(fence[0]) + " " if fence else before
