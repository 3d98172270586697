"""Reads a string in any quotes and writes it in plain ones. Pure.

A quote closes the string only where the next thing is what may follow a string; one that does not, belongs to the text
and should have been escaped. That is a guess, hence contested.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.pipeline.phrase import Phrase, gettext_noop
from tools.pipeline.repair_scribe import Scribe, Stop, ended

QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "“”", "‘": "’", "’": "’"}
"""What opens a string, and what closes it."""
CURLY = "“”„‘’"
CLOSING = "\"'“”’"
STRICT = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"')
RUN = re.compile(r"""[^"'“”„‘’\\\x00-\x1f]++""")
ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
CUT_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}")
SPACES = re.compile(r"[\s\ufeff\u200b-\u200d\u2060]*+")
NEXT_KEY = re.compile(r"""["'“”][^"'“”\\\n]*+["'”]\s*+[:：]""")
AFTER = {":": ":：", "{": ",，}]", "[": ",，]}"}
CONTROL = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def read(scribe: Scribe, place: str) -> None:
    """`place`: ":" for a key, else the bracket the string stands in."""
    found = STRICT.match(scribe.text, scribe.at, scribe.end)
    if found and not _is_tripled(scribe) and _closes(scribe, found.end(), place):
        scribe.plain_strings += 1
        return scribe.take_to(found.end())
    if _is_tripled(scribe):
        return _read_tripled(scribe)
    return _Loose(scribe, place, scribe.peek(), scribe.at, scribe.length).read()


@dataclass(slots=True)
class _Loose:
    """A string that is not as JSON has it, while it is read."""

    scribe: Scribe
    place: str
    opening: str
    start: int
    out_start: int
    inner: int = 0
    """Quotes of its own kind within it."""
    strangers: int = 0
    """Plain double quotes within other ones."""

    def read(self) -> None:
        scribe, closing = self.scribe, QUOTES[self.opening]
        scribe.replace('"', scribe.at + 1)
        while True:
            _run(scribe)
            char = scribe.peek()
            if not char:
                raise _unescaped() if self.inner else ended()
            if char in closing and _closes(scribe, scribe.at + 1, self.place):
                scribe.replace('"', scribe.at + 1)
                return self.judge()
            self.quote(char, closing)

    def quote(self, char: str, closing: str) -> None:
        """A quote that belongs to the text."""
        if char in closing or char == self.opening:
            self.inner += 1
            _check_inner(self.scribe, self.place, self.opening)
        if self.opening == '"' and char == '"':
            return self.scribe.write('\\"', self.scribe.at + 1, "escapes", contested=True)
        self.strangers += char == '"'
        return self.scribe.replace('\\"' if char == '"' else char, self.scribe.at + 1)

    def judge(self) -> None:
        """Whether it could have been meant otherwise."""
        if self.opening == '"':
            self.scribe.plain_strings += 1
            if self.inner % 2:
                raise _unescaped()
            return
        curly = self.opening in CURLY
        contested = bool(self.inner or self.strangers % 2 or (self.strangers and curly))
        mend = self.scribe.note("quotes", self.start, self.out_start, contested)
        if curly and self.place != ":":
            self.scribe.curly_values.append(mend)


def _check_inner(scribe: Scribe, place: str, opening: str) -> None:
    """A quote before a colon ends a name: then it is not this text's."""
    if place == ":" and opening == '"':
        raise Stop(Phrase(gettext_noop("a name is not followed by a colon")))
    spaces = SPACES.match(scribe.text, scribe.at + 1, scribe.end)
    if spaces and scribe.text[spaces.end() : spaces.end() + 1] in (":", "："):
        raise _unescaped()


def _run(scribe: Scribe) -> None:
    """Everything up to the next quote; escapes and control characters are put right on the way."""
    while char := scribe.peek():
        if found := RUN.match(scribe.text, scribe.at, scribe.end):
            scribe.take_to(found.end())
        elif char == "\\":
            _escape(scribe)
        elif char < " ":
            scribe.write(CONTROL.get(char, f"\\u{ord(char):04x}"), scribe.at + 1, "escapes")
        else:
            return


def _escape(scribe: Scribe) -> None:
    """One backslash and what follows it. JavaScript drops a needless one, Python keeps it."""
    following = scribe.peek(1)
    if not following:
        raise ended()
    if found := ESCAPE.match(scribe.text, scribe.at, scribe.end):
        scribe.take_to(found.end())
    elif following == "'":
        scribe.write("'", scribe.at + 2, "escapes")
    elif following in "uUxN0123456789":
        if CUT_ESCAPE.fullmatch(scribe.text, scribe.at, scribe.end):
            raise ended()
        raise Stop(Phrase(gettext_noop("{text} is not an escape that JSON knows"), text="\\" + following))
    else:
        scribe.write("\\\\", scribe.at + 1, "escapes", contested=True)


def _closes(scribe: Scribe, place_after: int, place: str) -> bool:
    """Whether what follows is what may follow a string here."""
    text = scribe.text
    spaces = SPACES.match(text, place_after, scribe.end)
    at = spaces.end() if spaces else place_after
    if at >= scribe.end or text[at] in AFTER[place] or text[at] == "#" or text.startswith(("//", "/*"), at):
        return True
    if place == "{":
        return bool(NEXT_KEY.match(text, at, scribe.end))
    return place == "[" and at > place_after and text[at] in QUOTES


def _is_tripled(scribe: Scribe) -> bool:
    return scribe.text.startswith(('"""', "'''"), scribe.at, scribe.end)


def _read_tripled(scribe: Scribe) -> None:
    """Python's string over several lines."""
    start, out_start, quotes = scribe.at, scribe.length, scribe.text[scribe.at : scribe.at + 3]
    scribe.replace('"', start + 3)
    while not scribe.text.startswith(quotes, scribe.at, scribe.end):
        _run(scribe)
        char = scribe.peek()
        if not char:
            raise ended()
        if not scribe.text.startswith(quotes, scribe.at, scribe.end):
            scribe.replace('\\"' if char == '"' else char, scribe.at + 1)
    if scribe.peek(3) == quotes[0]:
        raise _unescaped()
    scribe.replace('"', scribe.at + 3)
    scribe.note("quotes", start, out_start)


def _unescaped() -> Stop:
    return Stop(Phrase(gettext_noop("a quotation mark within a text is not escaped")))
