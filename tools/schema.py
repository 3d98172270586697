"""JSON Schema 2020-12 for tools' arguments: compiled once a version, never fetching.

`check_schema` is for saving, `errors_of` for a call. Patterns run on a linear engine; what a schema may cost is
bounded in `schema_limits`; `schema_words` puts what is wrong into words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

import jsonschema_rs

from tools.kept import Kept
from tools.pipeline.phrase import Phrase, Text
from tools.schema_limits import TooMuch, check_form, most_meeting
from tools.schema_words import ArgumentError, put_into_words

MAX_ERRORS = 20
LENGTH_OF_A_LOOK = 5_000
OPTIONS_OF_A_LOOK = 100
"""An error repeats what the schema wants, such as a list of values: so many characters, or values, take as long as one
look."""
MAX_LOOKS = 8_000
"""Values times subschemas meeting at one: above this only the first error is told (one costs about 13 µs)."""
_kept: Kept[Judge] = Kept(512)
_PATTERNS = jsonschema_rs.RegexOptions()


def check_schema(schema: Any) -> list[dict[str, Text]]:
    """What is wrong with a schema somebody wants to save, as [{path, message}]; empty when it may be used."""
    try:
        check_form(schema)
        _compile(schema)
        most_meeting(schema)
    except TooMuch as problem:
        return [{"path": problem.path, "message": problem.message}]
    except jsonschema_rs.ValidationError as error:
        return [{"path": one.path, "message": _with_expected(one)} for one in put_into_words([error])]
    except ValueError as error:
        return [{"path": "$", "message": str(error)[:300]}]
    return []


def errors_of(version: str, schema: Mapping[str, Any], value: Any) -> list[ArgumentError]:
    """Everything wrong with `value`, at most `MAX_ERRORS`. `version` is what the compiled schema is kept under."""
    judge = judge_of(version, schema)
    return [] if judge.is_valid(value) else judge.words(judge.errors(value))


def judge_of(version: str, schema: Mapping[str, Any]) -> Judge:
    """The compiled schema of a version."""

    def make() -> Judge:
        words = len(json.dumps(schema, ensure_ascii=False)) // LENGTH_OF_A_LOOK
        words += _longest_list(schema) // OPTIONS_OF_A_LOOK
        return Judge(schema, _compile(schema), most_meeting(schema) + words)

    return _kept.get_or_make(version, make) if version else make()


@dataclass(frozen=True, slots=True)
class Judge:
    """A schema that was compiled. `cost`: what telling the errors of one value takes at most, in looks."""

    schema: Mapping[str, Any]
    validator: jsonschema_rs.Validator
    cost: int

    def is_valid(self, value: Any) -> bool:
        return self.validator.is_valid(value)

    def errors(self, value: Any) -> list[jsonschema_rs.ValidationError]:
        """Everything wrong with a value, or only the first thing if the rest would take long to tell."""
        if self.looks(value) > MAX_LOOKS:
            return _first(self.validator, value)
        return list(self.validator.iter_errors(value))

    def looks(self, value: Any) -> int:
        """What telling all errors of a value costs."""
        return _size(value) * self.cost

    def words(self, errors: Iterable[jsonschema_rs.ValidationError]) -> list[ArgumentError]:
        """The errors in words, at most `MAX_ERRORS`."""
        return list(islice(put_into_words(errors, self.schema), MAX_ERRORS))


def _with_expected(error: ArgumentError) -> Text:
    if not isinstance(error.expected, list) or not error.expected:
        return error.message
    return Phrase("{message} ({options})", message=error.message, options=", ".join(map(str, error.expected)))


def _compile(schema: Any) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator(
        schema, validate_formats=True, retriever=_refuse, pattern_options=_PATTERNS
    )


def _refuse(uri: str) -> NoReturn:
    raise ValueError("a schema never fetches anything")


def _first(validator: jsonschema_rs.Validator, value: Any) -> list[jsonschema_rs.ValidationError]:
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return [error]
    return []


def _size(value: Any) -> int:
    """How many values it is made of."""
    count, todo = 0, [value]
    while todo:
        item = todo.pop()
        count += 1
        todo += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return count


def _longest_list(schema: Any) -> int:
    """The most items in one list, such as the values of an `enum`."""
    longest, todo = 0, [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            longest = max(longest, len(item))
        todo += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return longest
