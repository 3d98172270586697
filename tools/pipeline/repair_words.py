"""Reads what stands without quotes: numbers, literals, names. Pure.

Numbers are taken as JSON has them or not at all. A name where a value should stand may be a text, or a variable that
was never filled in: contested.
"""

from __future__ import annotations

import re

from tools import strictjson
from tools.pipeline.phrase import Phrase, gettext_noop
from tools.pipeline.repair_scribe import Scribe, Stop, ended

NUMBER = re.compile(r"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+")
ENDS_NUMBER = re.compile(r"""[\s\ufeff\u200b-\u200d\u2060,，\]}"'“‘#/{\[]""")
BARE_KEY = re.compile(r"(?:[^\W\d]|\$)[\w$-]*+")
BARE_MEMBER = re.compile(r"(?:[^\W\d]|\$)[\w$-]*+\s*+[:：]")
BARE_TEXT = re.compile(r"[^\W\d][\w-]*+(?: [\w-]++)*+")
AFTER_TEXT = re.compile(r"\s*+(?:[,，\]}\n]|//|/\*|#|\Z)")
LITERALS = {
    "True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "None": "null", "NULL": "null",
    "Null": "null",
}  # fmt: skip
STRICT_LITERALS = ("true", "false", "null")
NO_VALUES = ("nan", "infinity", "inf", "undefined")


def read_key(scribe: Scribe) -> None:
    found = BARE_KEY.match(scribe.text, scribe.at, scribe.end)
    if not found:
        raise scribe.stop()
    if found.end() == scribe.end:
        raise ended()
    scribe.write(f'"{found[0]}"', found.end(), "unquoted")


def read_value(scribe: Scribe) -> None:
    char = scribe.peek()
    if char and char in "-0123456789":
        return _number(scribe)
    found = BARE_TEXT.match(scribe.text, scribe.at, scribe.end)
    if not found:
        raise scribe.stop()
    return _word(scribe, found[0])


def _number(scribe: Scribe) -> None:
    found = NUMBER.match(scribe.text, scribe.at, scribe.end)
    stop = found.end() if found else scribe.at + 1
    if stop >= scribe.end or (scribe.text[stop] in ".eE+-" and stop + 1 >= scribe.end):
        raise ended()
    if not found or not ENDS_NUMBER.match(scribe.text, stop):
        shown = re.split(r"[\s,\]}]", scribe.text[scribe.at : scribe.at + 24], maxsplit=1)[0]
        why = Phrase(
            gettext_noop("{text} is not a number as JSON writes it"), text=strictjson.storable(shown)
        )
        raise Stop(why)
    scribe.take_to(stop)


def _word(scribe: Scribe, word: str) -> None:
    stop = scribe.at + len(word)
    if word in STRICT_LITERALS:
        return scribe.take_to(stop)
    if stop == scribe.end:
        raise ended()
    if word in LITERALS:
        return scribe.write(LITERALS[word], stop, "literals")
    if word.lower() in NO_VALUES:
        raise Stop(Phrase(gettext_noop("{name} is not a JSON value"), name=word))
    if not AFTER_TEXT.match(scribe.text, stop, scribe.end):
        raise scribe.stop()
    return scribe.write(f'"{word}"', stop, "unquoted", contested=True)
