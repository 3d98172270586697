"""The proof that mending invented nothing: every text, number and literal of the mended JSON, keys too, stands in the
text that was mended, in the same order. Pure; knows nothing of how the mends were made, so that it can find them wrong.
"""

from __future__ import annotations

import json
import re

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|-?[0-9][0-9.eE+-]*+|true|false|null', re.DOTALL)
ESCAPE = re.compile(r"""\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt']))""")
PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
SPELLINGS = {
    "true": re.compile("true", re.IGNORECASE | re.ASCII),
    "false": re.compile("false", re.IGNORECASE | re.ASCII),
    "null": re.compile("null|none", re.IGNORECASE | re.ASCII),
}
OF_A_NUMBER = frozenset("0123456789.eE+-_")


def stands_in(mended: str, raw: str) -> bool:
    """Whether everything `mended` says was said in `raw`."""
    said = _plain(raw)
    at = 0
    for token in TOKEN.findall(mended):
        at = _after(token, said, at)
        if at < 0:
            return False
    return True


def _after(token: str, said: str, at: int) -> int:
    """The place behind the first occurrence from `at` on; -1 if there is none."""
    if token[0] == '"':
        text = json.loads(token)
        place = said.find(text, at)
        return place + len(text) if place >= 0 else -1
    if token in SPELLINGS:
        found = SPELLINGS[token].search(said, at)
        return found.end() if found else -1
    return _after_number(token, said, at)


def _after_number(token: str, said: str, at: int) -> int:
    """A number must stand alone, not within a longer one."""
    while (place := said.find(token, at)) >= 0:
        after = place + len(token)
        if said[place - 1 : place] not in OF_A_NUMBER and said[after : after + 1] not in OF_A_NUMBER:
            return after
        at = place + 1
    return -1


def _plain(raw: str) -> str:
    """`raw` with its escapes resolved."""

    def one(found: re.Match[str]) -> str:
        code, char = found.groups()
        return chr(int(code, 16)) if code else PLAIN.get(char, char)

    said = ESCAPE.sub(one, raw)
    return said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
