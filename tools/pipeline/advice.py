"""How to put an argument right: the name or value that was probably meant, what a type looks like. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tools.pipeline.phrase import Phrase, Text
from tools.pipeline.phrase import gettext_noop as _

LONGEST_NAME = 60
MOST_NAMES = 200
ALIKE = 0.45


def near(word: str, known: Collection[str]) -> str | None:
    """The one of the known words that looks most like it, if any does; case and hyphens do not count.

    Measured by the pairs of letters they share: difflib takes 20 ms for one word among 200.
    """
    pairs = _pairs(word[:LONGEST_NAME])
    likeness = {one: _likeness(pairs, _pairs(one[:LONGEST_NAME])) for one in list(known)[:MOST_NAMES]}
    best = max(likeness, key=likeness.__getitem__, default=None)
    return best if best is not None and likeness[best] >= ALIKE else None


def on_name(name: str, known: Collection[str]) -> Text:
    """About an argument that does not exist; `known` are those that were not given."""
    meant = near(name, known)
    if meant:
        return Phrase(_("Did you mean {near}?"), near=meant)
    return Phrase(_("Leave {name} out."), name=name[:LONGEST_NAME])


def on_option(given: Any, options: Sequence[Any]) -> Text:
    """About a value that is not one of the listed ones."""
    texts = [option for option in options if isinstance(option, str)]
    meant = near(given, texts) if isinstance(given, str) else None
    return Phrase(_("Did you mean {near}?"), near=meant) if meant else ""


def on_type(types: Sequence[str], given: Any) -> Text:
    """What a value of the wanted type looks like."""
    wanted = [one for one in types if one != "null"]
    if len(wanted) != 1:
        return ""
    if wanted[0] == "array" and isinstance(given, str):
        return Phrase(_('Send a list: ["first", "second"].'))
    sentence = _TYPES.get(wanted[0])
    return Phrase(sentence) if sentence else ""


def on_format(name: str) -> Text:
    """A value in the format."""
    example = _FORMATS.get(name)
    return Phrase(_("For example {example}."), example=example) if example else ""


def on_length(keyword: str, given: Any) -> Text:
    """How long it is now: models count badly."""
    if keyword not in _LENGTHS or not isinstance(given, str | list | Mapping):
        return ""
    return Phrase(_("It has {count} now."), count=len(given))


@lru_cache(4_096)
def _pairs(word: str) -> frozenset[str]:
    """Its pairs of letters, with its beginning and end."""
    letters = f"^{word.casefold().replace('-', '').replace('_', '')}$"
    return frozenset(map("".join, pairwise(letters)))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


_TYPES = {
    "integer": _("Send a whole number, without quotes."),
    "number": _("Send a number, without quotes or unit."),
    "boolean": _("Send true or false, without quotes."),
    "array": _("Send a list in square brackets."),
    "object": _("Send an object in braces."),
    "string": _("Send a text in double quotes."),
}
_FORMATS = {
    "date": "2026-11-20", "time": "09:30:00Z", "date-time": "2026-11-20T09:30:00Z", "duration": "P1DT12H",
    "email": "name@example.com", "uri": "https://example.com/page", "hostname": "example.com",
    "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uuid": "9b2f5c1e-8d3a-4f6b-a1c7-0e5d4b3a2f10",
}  # fmt: skip
_LENGTHS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
