"""A tool's answer, taken apart: data for the model, directives for the client (M8), and whether that was all.

Directives are data with a known form (`directives.schema.json`), never HTML. One that does not fit is dropped, and
an untrusted tool directs nothing, but may show where it found what it says.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from platform_site import wire
from tools.outcome import Succeeded
from tools.pipeline.phrase import Text
from tools.spec import ToolSpec
from tools.strictjson import storable_json

MOST_FOR_MODEL = 32_000
"""Characters of an answer that a model is given."""
MOST_FOR_PAGE = 200_000
"""Characters of all directives of an answer, as JSON; more is not shown."""
MOST_DIRECTIVES = 10
FOR_UNTRUSTED = frozenset({"sources"})
"""Kinds that hold text and http(s) links alone."""


def succeeded(answer: Any, spec: ToolSpec, *, warnings: Sequence[Text] = ()) -> Succeeded:
    """The outcome of a good answer; `warnings` say what looks wrong about it."""
    answer = storable_json(answer)
    given: Any = None
    final = False
    if isinstance(answer, dict) and "ui" in answer:
        given = answer["ui"]
        final = answer.get("final") is True
        answer = {name: value for name, value in answer.items() if name not in ("ui", "final")}
    ui, flags = _directives(given, spec)
    content = wire.as_text({"warnings": [str(one) for one in warnings], **answer} if warnings else answer)
    display = answer if len(content) <= MOST_FOR_MODEL else None
    if len(content) > MOST_FOR_MODEL:
        flags.append({"name": "answer_cut", "detail": f"{len(content)} characters"})
        content = f"{content[:MOST_FOR_MODEL]}… [cut here; the answer has {len(content)} characters]"
    return Succeeded(
        content, ui=ui, final=final and bool(ui), display=display, flags=flags, warnings=warnings
    )


def _directives(given: Any, spec: ToolSpec) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    if given is None:
        return [], []
    if spec.untrusted and not _only_for_untrusted(given):
        return [], [{"name": "directives_ignored", "detail": "the tool is not trusted"}]
    if not isinstance(given, list) or len(json.dumps(given)) > MOST_FOR_PAGE:
        return [], [{"name": "directive_dropped", "path": "$.ui", "detail": "not a list, or too large"}]
    good, flags = [], []
    for index, directive in enumerate(given):
        problem = _problem(directive) if index < MOST_DIRECTIVES else "too many"
        if problem:
            flags.append({"name": "directive_dropped", "path": f"$.ui[{index}]", "detail": problem})
        else:
            good.append(directive)
    return good, flags


def _only_for_untrusted(given: Any) -> bool:
    listed = given if isinstance(given, list) else [None]
    kinds = [one.get("kind") if isinstance(one, dict) else None for one in listed]
    return all(isinstance(kind, str) and kind in FOR_UNTRUSTED for kind in kinds)


def _problem(directive: Any) -> str:
    """What is wrong with a directive; empty when it may be used."""
    kind = directive.get("kind") if isinstance(directive, dict) else None
    validator = _validators().get(kind) if isinstance(kind, str) else None
    if validator is None:
        return "unknown kind"
    error = next(iter(validator.iter_errors(directive)), None)
    return error.message[:200] if error else ""


@cache
def _validators() -> dict[str, jsonschema_rs.Validator]:
    """One validator a kind, from the `$defs` that are listed under `kinds`."""
    schema = json.loads((Path(__file__).parent.parent / "directives.schema.json").read_text())
    shared = {"$defs": schema["$defs"]}
    kinds = schema["$defs"]["kinds"]["enum"]
    return {kind: jsonschema_rs.Draft202012Validator({**shared, "$ref": f"#/$defs/{kind}"}) for kind in kinds}
