"""How a value of the wrong type may be read, where its meaning is beyond doubt (A3). Pure.

"3" is 3 and "true" is true; "10 apples", "1,5", "007", "yes", "" and 3.7 are nothing but themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tools import strictjson

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:\.0+)?")
_BOOLEANS = {"true": True, "false": False, "True": True, "False": False, "TRUE": True, "FALSE": False}
_SEVERAL = re.compile(r"[,;|\n、，；]")
_SAYS_WHICH_OBJECT = ("properties", "required", "$ref", "anyOf", "oneOf", "allOf")
MOST_DIGITS = 15
"""More than a double keeps exactly are not read as one."""
Reading = tuple[Any, str]
"""The value, and the name of how it was read."""


def as_type(wanted: str, value: Any, node: Mapping[str, Any]) -> Iterator[Reading]:
    """The reading of `value` as a type that `node` wants, if there is one."""
    match wanted:
        case "integer" if isinstance(value, str) and (match := _INTEGER.fullmatch(value)):
            yield from _read(match[1], "text_to_integer")
        case "number" if isinstance(value, str) and _NUMBER.fullmatch(value) and _is_exact(value):
            yield from _read(value, "text_to_number")
        case "boolean" if isinstance(value, str) and value in _BOOLEANS:
            yield _BOOLEANS[value], "text_to_boolean"
        case "object" if isinstance(value, str) and value.strip().startswith("{"):
            yield from _read(value, "parsed_json_text")
        case "array" if isinstance(value, str) and value.strip().startswith("["):
            yield from _read(value, "parsed_json_text")
        case "array" if _is_lone(value, node.get("items")):
            yield [value], "wrapped_in_list"


def as_option(options: Iterable[Any], value: Any) -> Iterator[Reading]:
    """The one of a closed list of values that is meant, written as the wrong type. The value is read only once."""
    if isinstance(value, str) and value in _BOOLEANS:
        yield from ((one, "text_to_boolean") for one in options if one is _BOOLEANS[value])
    elif isinstance(value, str):
        for number, how in as_type("number", value, {}):
            yield from ((one, how) for one in options if _is_number(one) and one == number)
    elif isinstance(value, int) and not isinstance(value, bool):
        text = str(value)
        yield from ((one, "number_to_text") for one in options if one == text)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _read(text: str, how: str) -> Iterator[Reading]:
    try:
        yield strictjson.loads(text), how
    except strictjson.NotJson:
        return


def _is_exact(number: str) -> bool:
    """A whole number, or one with so few digits that a double is it."""
    return _INTEGER.fullmatch(number) is not None or sum(map(str.isdigit, number)) <= MOST_DIGITS


def _is_lone(value: Any, items: Any) -> bool:
    """One thing, where a list of such is wanted. A text that may be several, or a list itself, is not."""
    if not isinstance(items, Mapping) or not items:
        return False
    if isinstance(value, str):
        return bool(value.strip()) and not _SEVERAL.search(value) and not value.strip().startswith(("[", "{"))
    if isinstance(value, dict):
        return not items.keys().isdisjoint(_SAYS_WHICH_OBJECT)
    return value is not None and not isinstance(value, list)
