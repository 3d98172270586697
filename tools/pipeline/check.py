"""The argument pipeline: from what a model gave to `Accepted` arguments or `Rejected` with every error. Pure.

size, whole, json, repair, coerce, schema, defaults, handler: each looks at what the one before handed on, may change
it with a flag, and may end it. Content rules come after, in `tools.rules`: they read what was accepted here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jsonschema_rs import ValidationError

from tools import strictjson
from tools.pipeline import allowance, coerce, cutoff, defaults, flags, repair, size, whole_numbers
from tools.pipeline.phrase import Phrase, Text
from tools.pipeline.phrase import gettext_noop as _
from tools.pipeline.values import Accepted, Flag, Rejected, Step, StepName, Trace, Verdict
from tools.schema import Judge, judge_of
from tools.schema_words import ArgumentError, shortened
from tools.spec import ToolSpec

Raw = str | Mapping[str, Any]
Handler = Callable[[Mapping[str, Any]], list[ArgumentError]]
"""The check of a handler's own model, beyond the schema."""


def trace(spec: ToolSpec, raw: Raw, *, truncated: bool = False, handler: Handler | None = None) -> Trace:
    """Every step for this tool. `truncated`: the model's output was cut off, so nothing is read from it."""
    call = _Call(spec, raw, truncated, handler, judge_of(spec.version, spec.schema))
    return Trace(tuple(call.take(name, step) for name, step in _STEPS.items()), call.verdict())


@dataclass(slots=True)
class _Call:
    """A call's arguments on their way through the steps."""

    spec: ToolSpec
    raw: Raw
    truncated: bool
    handler: Handler | None
    judge: Judge
    text: str = ""
    value: Any = None
    damage: strictjson.NotJson | None = None
    faults: tuple[ValidationError, ...] = ()
    flags: tuple[Flag, ...] = ()
    mended: str = ""
    errors: tuple[ArgumentError, ...] = ()

    def take(self, name: StepName, step: Callable[[_Call], Step | None]) -> Step:
        """Carry out a step, unless an earlier one ended it. None: there was nothing for it to do."""
        done = (None if self.errors else step(self)) or Step(name, "skipped")
        done = replace(done, flags=flags.at_most(done.flags))
        self.flags = flags.at_most((*self.flags, *done.flags))
        if done.outcome == "failed" and not self.damage:
            self.errors = done.errors
        return done

    def verdict(self) -> Verdict:
        value = self.value if isinstance(self.value, dict) else None
        if self.errors:
            return Rejected(self.errors, self.flags, self.mended, value)
        return Accepted(value or {}, self.flags, self.mended)


def _size(call: _Call) -> Step:
    too_large = Step("size", "failed", ({"name": "too_large"},), (size.TOO_LARGE,))
    if isinstance(call.raw, str):
        call.text = call.raw
    elif size.is_surely_too_large(call.raw):
        return too_large
    else:
        try:
            call.text = json.dumps(call.raw, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            error = _not_json(Phrase(_("this object cannot be written as JSON")))
            return Step("size", "failed", errors=(error,))
    return too_large if size.is_too_large(call.text) else Step("size", "ok")


def _whole(call: _Call) -> Step:
    if call.truncated:
        return Step("whole", "failed", (cutoff.FLAG,), (cutoff.TRUNCATED,))
    return Step("whole", "ok")


def _json(call: _Call) -> Step:
    if not call.text.strip():
        if not cutoff.may_be_nothing(call.spec):
            return Step("json", "failed", ({"name": "empty"}, cutoff.FLAG), (cutoff.NOTHING,))
        call.value = {}
        return Step("json", "changed", ({"name": "empty"},), value={})
    try:
        call.value = strictjson.loads(call.text)
    except strictjson.NotJson as error:
        call.damage = error if error.is_damage else None
        return Step("json", "failed", errors=(_not_json(error.why, call.text, error.fix),))
    return Step("json", "ok", value=call.value)


def _repair(call: _Call) -> Step | None:
    """What is damaged is mended as far as the risk allows; an object that stands in a JSON text is taken out of it."""
    is_encoded = isinstance(call.value, str) and call.value.lstrip().startswith("{")
    if not call.damage and not is_encoded:
        return None
    call.damage = None
    match repair.mend(call.text):
        case repair.Hopeless(cut_off=True):
            return Step("repair", "failed", (cutoff.FLAG,), (cutoff.TRUNCATED,))
        case repair.Hopeless(why=why):
            return Step("repair", "failed", errors=(_not_json(why, call.text),))
        case repair.Mended() as mended:
            return _mended(call, mended)


def _mended(call: _Call, mended: repair.Mended) -> Step:
    call.value, call.mended = mended.value, mended.text
    done = Step("repair", "changed", mended.flags, text=mended.text, value=mended.value)
    if mended.cut_off and not cutoff.may_close(call.spec, mended.flags):
        return replace(done, outcome="failed", flags=(*mended.flags, cutoff.FLAG), errors=(cutoff.TRUNCATED,))
    at_once = allowance.acts_at_once(call.spec)
    if error := allowance.check(allowance.level_of(call.spec), mended.flags, at_once=at_once):
        return replace(done, outcome="failed", errors=(error,))
    return done


def _coerce(call: _Call) -> Step | None:
    if not isinstance(call.value, dict):
        return None
    read: tuple[Flag, ...] = ()
    if not call.judge.is_valid(call.value):
        found = coerce.coerce(call.judge, call.value)
        call.value, call.faults, read = found.value, found.errors, found.flags
    call.value, whole = whole_numbers.written_whole(call.spec.schema, call.value)
    read += whole
    return Step("coerce", "changed" if read else "ok", read, value=call.value)


def _schema(call: _Call) -> Step:
    if not isinstance(call.value, dict):
        return Step("schema", "failed", errors=(_not_an_object(call.value),))
    if call.faults:
        return Step("schema", "failed", errors=tuple(call.judge.words(call.faults)))
    return Step("schema", "ok")


def _defaults(call: _Call) -> Step:
    found = defaults.filled(call.spec.schema, call.value, call.judge.is_valid)
    if found.error:
        return Step("defaults", "failed", ({"name": "too_large"},), (found.error,))
    call.value = found.value
    return Step("defaults", "changed" if found.flags else "ok", found.flags, value=found.value)


def _handler(call: _Call) -> Step | None:
    if call.handler is None:
        return None
    errors = tuple(call.handler(call.value))
    return Step("handler", "failed" if errors else "ok", errors=errors)


_STEPS: dict[StepName, Callable[[_Call], Step | None]] = {
    "size": _size, "whole": _whole, "json": _json, "repair": _repair,
    "coerce": _coerce, "schema": _schema, "defaults": _defaults, "handler": _handler,
}  # fmt: skip


def _not_json(why: Text, text: str = "", fix: Text = "") -> ArgumentError:
    message = Phrase(_("The arguments are not valid JSON: {problem}."), problem=why)
    fix = fix or Phrase(_("Send one JSON object, and nothing else."))
    given = shortened(strictjson.storable(text)) if text else None
    return ArgumentError("$", "json", message, given=given, fix=fix)


def _not_an_object(value: Any) -> ArgumentError:
    message = Phrase(_("The arguments must be one JSON object."))
    return ArgumentError("$", "type", message, expected=["object"], given=shortened(value))
