"""JSON read strictly: one text means one value, or it is refused. Pure; called for arguments and tools' answers.

Python's own reader takes the last of two equal keys, NaN, 1e400 as infinity and lone surrogates; a digest over such
a value would be ambiguous, and PostgreSQL stores neither lone surrogates nor NUL.

Numbers mean what is written: no whole number is rounded to another, nothing small becomes nothing. Fractions with more
digits than a double keeps (some 16) become the nearest double, as everywhere. -0.0 stays as it is, -0 is 0.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NoReturn

from tools.pipeline.phrase import Phrase, Text, gettext_noop
from tools.pipeline.phrase import gettext_noop as _

MAX_DEPTH = 64
LONGEST_NUMBER = 400
LARGEST_EXACT = 2**53
"""From here on a double does not have every whole number."""
_UNSTORABLE = re.compile("[\ud800-\udfff\0]")


class NotJson(ValueError):
    """The text is not JSON in the strict sense. `why` says it and where: to a model in English, to people in theirs.

    `fix`: what to do instead, where there is more to say than to send JSON. `is_damage`: it was written wrongly and
    could be mended; else it is well-formed and says what no value can be.
    """

    def __init__(self, why: Text, fix: Text = "", *, is_damage: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.fix = fix
        self.is_damage = is_damage


def loads(text: str) -> Any:
    """The value of `text`. Raises `NotJson`."""
    try:
        value = _READER.decode(text)
    except json.JSONDecodeError as error:
        raise _not_read(error) from None
    except RecursionError:
        raise _too_deep() from None
    if text.count("[") + text.count("{") > MAX_DEPTH and is_too_deep(value):
        raise _too_deep()
    if "\\u" in text or not (text.isascii() or _is_unicode(text)):
        _check_texts(value)
    return value


def is_too_deep(value: Any) -> bool:
    """Nested more than `MAX_DEPTH` levels deep. Looked at level by level, without recursion."""
    level = [value]
    for _depth in range(MAX_DEPTH + 1):
        level = [inner for item in level if isinstance(item, dict | list) for inner in _inside(item)]
        if not level:
            return False
    return True


def storable(text: str) -> str:
    """`text` with what no database stores (lone surrogates, NUL) shown as U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def storable_json(value: Any) -> Any:
    """`storable` for every text in a JSON value, keys included; numbers that JSON readers choke on become texts."""
    match value:
        case str():
            return storable(value)
        case dict():
            return {storable(str(key)): storable_json(item) for key, item in value.items()}
        case list() | tuple():
            return [storable_json(item) for item in value]
        case float() if not math.isfinite(value):
            return str(value)
        case int() if not -(2**63) <= value < 2**64:
            return str(value)
    return value


_OF_PYTHON = (
    gettext_noop("Expecting value"), gettext_noop("Expecting property name enclosed in double quotes"),
    gettext_noop("Expecting ':' delimiter"), gettext_noop("Expecting ',' delimiter"), gettext_noop("Extra data"),
    gettext_noop("Unterminated string starting at"), gettext_noop("Invalid control character at"),
    gettext_noop("Invalid \\escape"), gettext_noop("Invalid \\uXXXX escape"),
    gettext_noop("Illegal trailing comma before end of object"),
    gettext_noop("Illegal trailing comma before end of array"),
)  # fmt: skip
"""What Python's reader says, written here so that it is translated."""


def _not_read(error: json.JSONDecodeError) -> NotJson:
    what = next((Phrase(words) for words in _OF_PYTHON if error.msg.startswith(words)), error.msg)
    where = _("{what} at line {line}, column {column}")
    return NotJson(Phrase(where, what=what, line=error.lineno, column=error.colno), is_damage=True)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _times),) = Counter(key for key, _ in pairs).most_common(1)
        name = json.dumps(twice[:60])
        fix = Phrase(_("Use each name once: {name} stands twice."), name=name)
        raise NotJson(Phrase(_("the key {name} stands twice in one object"), name=name), fix)
    return found


def _constant(name: str) -> NoReturn:
    raise NotJson(Phrase(_("{name} is not a JSON value"), name=name))


def _integer(digits: str) -> int:
    value = int(digits) if len(digits) <= 20 else None
    if value is None or not -(2**63) <= value < 2**63:
        raise NotJson(
            Phrase(_("the number {digits} does not fit into 64 bits"), digits=digits[:40]), _fitting()
        )
    return value


def _double(digits: str) -> float:
    value = float(digits) if len(digits) <= LONGEST_NUMBER else math.inf
    if math.isinf(value):
        raise NotJson(Phrase(_("the number {digits} is too large"), digits=digits[:40]), _fitting())
    if (value == 0 or abs(value) >= LARGEST_EXACT) and Decimal(repr(value)) != Decimal(digits):
        raise NotJson(Phrase(_("the number {digits} cannot be kept exactly"), digits=digits[:40]))
    return value


_READER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_double
)


def _too_deep() -> NotJson:
    why = Phrase(_("it is nested more than {limit} levels deep"), limit=MAX_DEPTH)
    return NotJson(why, Phrase(_("Nest at most {limit} levels."), limit=MAX_DEPTH))


def _fitting() -> Phrase:
    return Phrase(_("Use a number that fits 64 bits."))


def _is_unicode(text: str) -> bool:
    """No lone surrogates; the encoder is ten times as fast as a pattern."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_texts(value: Any) -> None:
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str) and _UNSTORABLE.search(item):
            why = Phrase(_("a text holds half a surrogate pair or a NUL character"))
            raise NotJson(why, Phrase(_("Leave out NUL and half surrogates.")))
        if isinstance(item, dict | list):
            todo += _inside(item)
            todo += item if isinstance(item, dict) else ()


def _inside(item: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return item.values() if isinstance(item, dict) else item
