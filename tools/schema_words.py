"""What is wrong with an argument, in words: where, what, what was given, how to fix it. Pure.

Texts are `Phrase`s: the model is told in English, a person in their own language.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from tools.pipeline import advice
from tools.pipeline.phrase import Phrase
from tools.pipeline.phrase import Text as Text
from tools.pipeline.phrase import gettext_noop as _
from tools.pipeline.places import Node, Place, within

LONGEST_GIVEN = 120
MOST_OPTIONS = 30


@dataclass(frozen=True, slots=True)
class ArgumentError:
    """One thing wrong with a call's arguments. `path` is a JSON path: `$.items[0].size`."""

    path: str
    keyword: str
    message: Text
    expected: Any = None
    given: Any = None
    fix: Text = ""

    def as_json(self, say: Callable[[Text], str] = str) -> dict[str, Any]:
        """For the record and the wire; `say` puts texts into the reader's language (`words.said`)."""
        told: dict[str, Any] = {"path": self.path, "keyword": self.keyword, "message": say(self.message)}
        told |= {name: value for name in ("expected", "given") if (value := getattr(self, name)) is not None}
        return told | ({"fix": say(self.fix)} if self.fix else {})


def put_into_words(errors: Iterable[ValidationError], schema: Node | None = None) -> Iterator[ArgumentError]:
    """The validator's errors, one or more of ours each. With the schema, near matches are found for wrong names."""
    return (told for error in errors for told in _told(error, schema or {}))


def path_of(steps: Iterable[str | int]) -> str:
    """A JSON path: `$.items[0].size`."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step[:60]}" for step in steps)


def shortened(value: Any) -> Any:
    """`value` if it is small, else its beginning as text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= LONGEST_GIVEN else text[:LONGEST_GIVEN] + "…"


def _told(error: ValidationError, schema: Node) -> list[ArgumentError]:
    match error.kind:
        case Kind.Required(property=name):
            fix = Phrase(_("Add {name}."), name=name[:60])
            missing = path_of([*error.instance_path, name])
            return [ArgumentError(missing, "required", Phrase(_("This argument is missing.")), fix=fix)]
        case Kind.AdditionalProperties(unexpected=names) | Kind.UnevaluatedProperties(unexpected=names):
            known = Place(schema, [within(schema, error.schema_path[:-1])]).names
            return [_unexpected(error, name, known) for name in names[:MOST_OPTIONS]]
        case Kind.AnyOf(context=branches) | Kind.OneOfNotValid(context=branches):
            return _of_branches(error, branches, schema)
        case Kind.PropertyNames(error=inner):
            return [
                _one(error, Phrase(_("A name in this object is not allowed.")), expected=inner.message[:200])
            ]
    message, expected = _words(error.kind)
    return [_one(error, message, expected=expected, fix=_fix(error))]


def _one(error: ValidationError, message: Text, *, expected: Any = None, fix: Text = "") -> ArgumentError:
    path, given = path_of(error.instance_path), shortened(error.instance)
    return ArgumentError(path, error.kind.name, message, expected=expected, given=given, fix=fix)


def _fix(error: ValidationError) -> Text:
    match error.kind:
        case Kind.Type(types=types):
            return advice.on_type(types, error.instance)
        case Kind.Enum(options=options):
            return advice.on_option(error.instance, options)
        case Kind.Format(format=name):
            return advice.on_format(name)
    return advice.on_length(error.kind.name, error.instance)


def _unexpected(error: ValidationError, name: str, known: list[str]) -> ArgumentError:
    path = path_of([*error.instance_path, name])
    given: Any = error.instance if isinstance(error.instance, dict) else {}
    free = [one for one in known if one not in given]
    message, fix = Phrase(_("There is no argument of this name.")), advice.on_name(name, free)
    return ArgumentError(
        path,
        error.kind.name,
        message,
        expected=known[:MOST_OPTIONS] or None,
        given=shortened(given.get(name)),
        fix=fix,
    )


def _of_branches(
    error: ValidationError, branches: list[list[ValidationError]], schema: Node
) -> list[ArgumentError]:
    """The errors of the one alternative that was meant, if one stands out; else that none fits."""
    meant = [branch for branch in branches if not any(_is_of_another_type(error, one) for one in branch)]
    if len(meant) == 1:
        return list(islice(put_into_words(meant[0], schema), MOST_OPTIONS))
    types = [
        kind
        for branch in branches
        for one in branch
        if isinstance(one.kind, Kind.Type)
        for kind in one.kind.types
    ]
    return [_one(error, Phrase(_("This fits none of the allowed forms.")), expected=types or None)]


def _is_of_another_type(error: ValidationError, inner: ValidationError) -> bool:
    wrong_kind = isinstance(inner.kind, Kind.Type | Kind.Constant)
    return wrong_kind and list(inner.instance_path)[-1:] == list(error.instance_path)[-1:]


def _words(kind: Kind) -> tuple[Text, Any]:
    """The sentence for a keyword, and what it expects."""
    match kind:
        case Kind.Type(types=types):
            return Phrase(_("This must be of type {types}."), types=", ".join(types)), list(types)
        case Kind.Enum(options=options):
            return Phrase(_("This must be one of the listed values.")), list(options)[:MOST_OPTIONS]
        case Kind.Constant(expected_value=value):
            return Phrase(_("This must be exactly the expected value.")), value
        case Kind.Pattern(pattern=pattern):
            return Phrase(_("This does not match the expected pattern.")), pattern[:LONGEST_GIVEN]
        case Kind.Format(format=name):
            return Phrase(_("This is not in the format {format}."), format=name), name
        case Kind.UniqueItems():
            return Phrase(_("The items must all be different.")), None
        case Kind.MultipleOf(multiple_of=number):
            return Phrase(_("This must be a multiple of {number}."), number=number), number
    return _limits(kind)


def _limits(kind: Kind) -> tuple[Text, Any]:
    sentence = _LIMITS.get(kind.name)
    limit = getattr(kind, "limit", None)
    if sentence is None or limit is None:
        return Phrase(_("This is not allowed here ({keyword})."), keyword=kind.name), None
    return Phrase(sentence, limit=limit), limit


_LIMITS: dict[str, str] = {
    "minimum": _("This must be at least {limit}."),
    "maximum": _("This must be at most {limit}."),
    "exclusiveMinimum": _("This must be more than {limit}."),
    "exclusiveMaximum": _("This must be less than {limit}."),
    "minLength": _("This must have at least {limit} characters."),
    "maxLength": _("This must have at most {limit} characters."),
    "minItems": _("This must have at least {limit} items."),
    "maxItems": _("This must have at most {limit} items."),
    "minProperties": _("This must have at least {limit} entries."),
    "maxProperties": _("This must have at most {limit} entries."),
}
