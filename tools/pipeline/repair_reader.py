"""Reads objects and arrays that are almost JSON: commas, comments, brackets and spaces. Pure.

Strings are read by `repair_strings`, everything without quotes by `repair_words`.
"""

from __future__ import annotations

import re

from tools import strictjson
from tools.pipeline import repair_strings, repair_words
from tools.pipeline.phrase import Phrase, gettext_noop
from tools.pipeline.repair_prose import comment_is_doubtful
from tools.pipeline.repair_scribe import Scribe, Stop, ended

SPACE = re.compile(r"[ \t\r\n]++")
ODD_SPACE = re.compile("[^\\S \t\r\n\x1c-\x1f]++|[\ufeff\u200b-\u200d\u2060]++")
COMMENT = re.compile(r"(?://|#)[^\r\n]*+|/\*.*?\*/", re.DOTALL)
TO_NEXT = re.compile(r"(?:\s++|[\ufeff\u200b-\u200d\u2060]++|(?://|#)[^\r\n]*+|/\*.*?\*/)*+", re.DOTALL)
HIDING = re.compile(r'["{}\[\]]')
"""A comment that ran on too far holds a member or a bracket."""
COMMAS = ",，"
COLONS = ":："


def read(scribe: Scribe) -> None:
    """The one value at the reading position."""
    _value(scribe, "")


def _value(scribe: Scribe, within: str) -> None:
    """`within`: the brackets that are open around it."""
    if len(within) > strictjson.MAX_DEPTH:
        limit = strictjson.MAX_DEPTH
        raise Stop(Phrase(gettext_noop("it is nested more than {limit} levels deep"), limit=limit))
    char = scribe.peek()
    if char and char in "{[":
        scribe.take_to(scribe.at + 1)
        _members(scribe, within + char)
    elif char and char in repair_strings.QUOTES:
        repair_strings.read(scribe, within[-1])
    else:
        repair_words.read_value(scribe)


def _members(scribe: Scribe, within: str) -> None:
    """What stands in the innermost open bracket, up to and with the closing one."""
    close = "}" if within[-1] == "{" else "]"
    while True:
        _gap(scribe)
        _extra_commas(scribe)
        if scribe.peek() == close:
            return scribe.take_to(scribe.at + 1)
        began = scribe.peek()
        _member(scribe, within)
        ended_at = scribe.at
        _gap(scribe)
        if _closed(scribe, within, close):
            return None
        _separate(scribe, within, began, ended_at)


def _member(scribe: Scribe, within: str) -> None:
    if not scribe.peek():
        raise ended()
    if within[-1] == "{":
        _key(scribe)
        _gap(scribe)
        _colon(scribe)
        _gap(scribe)
        if not scribe.peek():
            raise ended()
    _value(scribe, within)


def _key(scribe: Scribe) -> None:
    if scribe.peek() in repair_strings.QUOTES:
        repair_strings.read(scribe, ":")
    else:
        repair_words.read_key(scribe)


def _colon(scribe: Scribe) -> None:
    match scribe.peek():
        case ":":
            scribe.take_to(scribe.at + 1)
        case "：":
            scribe.write(":", scribe.at + 1, "commas")
        case "":
            raise ended()
        case _:
            raise scribe.stop()


def _closed(scribe: Scribe, within: str, close: str) -> bool:
    """Whether the bracket ends after this member, also where its closing one is missing."""
    char = scribe.peek()
    if char == close:
        scribe.take_to(scribe.at + 1)
        return True
    if not char:
        scribe.cut_off = True
        scribe.write(close, scribe.at, "brackets")
        return True
    if char in "]}" and ("[" if char == "]" else "{") in within[:-1]:
        scribe.write(close, scribe.at, "brackets", contested=True)
        return True
    return False


def _separate(scribe: Scribe, within: str, began: str, ended_at: int) -> None:
    """The comma between two members: taken, left out at the end, or put where it is missing."""
    char = scribe.peek()
    if char not in COMMAS:
        return _missing_comma(scribe, within, began, ended_at)
    following = TO_NEXT.match(scribe.text, scribe.at + 1, scribe.end)
    if following and scribe.text[following.end() : following.end() + 1] in ("]", "}"):
        scribe.write("", scribe.at + 1, "commas")
    elif char == ",":
        scribe.take_to(scribe.at + 1)
    else:
        scribe.write(",", scribe.at + 1, "commas")
    return None


def _missing_comma(scribe: Scribe, within: str, began: str, ended_at: int) -> None:
    """Two things side by side are two members beyond doubt if a bracket or a line stands between them, or a key follows
    what is no string; otherwise they could be one."""
    char = scribe.peek()
    between = scribe.text[ended_at : scribe.at]
    last = scribe.text[ended_at - 1]
    if within[-1] == "{":
        clear = "\n" in between or last not in repair_strings.CLOSING
        if char not in repair_strings.QUOTES and not repair_words.BARE_MEMBER.match(scribe.text, scribe.at):
            raise scribe.stop()
    else:
        clear = char in "{[" and began in "{["
    scribe.write(",", scribe.at, "commas", contested=not clear)


def _extra_commas(scribe: Scribe) -> None:
    """A comma where a member should stand: something may be missing there."""
    while (char := scribe.peek()) and char in COMMAS:
        scribe.write("", scribe.at + 1, "commas", contested=True)
        _gap(scribe)


def _gap(scribe: Scribe) -> None:
    """Spaces and comments between two tokens."""
    while char := scribe.peek():
        if found := SPACE.match(scribe.text, scribe.at, scribe.end):
            scribe.take_to(found.end())
        elif found := ODD_SPACE.match(scribe.text, scribe.at, scribe.end):
            scribe.write(" ", found.end(), "prose")
        elif char in "/#" and (found := COMMENT.match(scribe.text, scribe.at, scribe.end)):
            doubtful = bool(HIDING.search(found[0])) or comment_is_doubtful(scribe.text, scribe.at, found[0])
            scribe.write("", found.end(), "comments", contested=doubtful)
        else:
            return
