"""What a model is told of a rejected call: first plain words, then one JSON object that helps it to do better. Pure.

A line of words, the errors, and while there is room the pieces of schema they are about, templates and an example.
What an earlier attempt was told already is not told again. Nothing is in it but the tool's definition, which the
model has, and what the model gave (T24).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tools.pipeline import pieces
from tools.pipeline.values import Rejected
from tools.schema_words import ArgumentError
from tools.spec import ToolSpec

MOST_CHARACTERS = 2_000
MOST_ERRORS = 10
ROOM_FOR_A_COUNT = 20
LONGEST_PATH = 80
LONGEST_WORDS = 300
"""Of a problem or how to fix it: rules say them in their author's words."""
_WHOLE = {
    "json": "its arguments are not one valid JSON object",
    "truncated": "your answer was cut off before its arguments were complete",
    "too_large": "its arguments are too large",
    "not_allowed": "its arguments had to be mended, which is not done for this tool",
}
Stored = Mapping[str, Any]
Key = tuple[str, str]


def tell(spec: ToolSpec, rejected: Rejected, *, before: Sequence[Stored] = (), left: int) -> str:
    """The answer to a rejected call. `before`: errors of the attempt it corrects, `left`: tries that are left."""
    told: set[Key] = {(str(error.get("path")), str(error.get("keyword"))) for error in before}
    name = _one_line(spec.name, LONGEST_PATH)
    line = f"{name} was not run: {_what(rejected.errors, told)}. {_then(len(rejected.errors), left)}"
    room = MOST_CHARACTERS - len(line) - 1
    answer: dict[str, Any] = {"status": "REJECTED", "errors": []}
    for error in rejected.errors[:MOST_ERRORS]:
        if not _put(answer, "errors", [*answer["errors"], _as_told(error, told)], room - ROOM_FOR_A_COUNT):
            break
    if not answer["errors"]:
        answer["errors"] = [_in_short(rejected.errors[0])]
    if (more := len(rejected.errors) - len(answer["errors"])) > 0:
        _put(answer, "more_errors", more, room)
    for name, part in _help(spec, rejected.errors, told):
        if part:
            _put(answer, name, part, room)
    return f"{line}\n{_compact(answer)}"


def _what(errors: Sequence[ArgumentError], told: set[Key]) -> str:
    if errors[0].keyword in _WHOLE:
        return _WHOLE[errors[0].keyword]
    again = list(dict.fromkeys(error.path for error in errors if _key(error) in told and error.path != "$"))[
        :3
    ]
    if again:
        more = sum(error.path not in again for error in errors)
        return f"still wrong is {', '.join(map(_quoted, again))}" + (f", and {more} more" if more else "")
    count = len(errors)
    if any(error.keyword.startswith("rule:") for error in errors):
        return "1 rule is not kept" if count == 1 else f"{count} rules are not kept"
    return "1 argument is wrong" if count == 1 else f"{count} arguments are wrong"


def _then(count: int, left: int) -> str:
    if left < 1:
        return "Do not call it again now; say what is missing."
    them = "it" if count == 1 else "them"
    return f"Correct {them} and call it again ({left} {'try' if left == 1 else 'tries'} left)."


def _quoted(path: str) -> str:
    """A path as a JSON text: what a model made up as a name is not read as words of ours."""
    return json.dumps(_one_line(path, LONGEST_PATH), ensure_ascii=False)


def _one_line(text: str, most: int) -> str:
    """Without what JSON needs six signs for."""
    shown = " ".join(text[: 2 * most].split())
    return _cut("".join(sign if sign.isprintable() else "\ufffd" for sign in shown), most)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _as_told(error: ArgumentError, told: set[Key]) -> dict[str, Any]:
    """What the model sees of an error; what was expected is said once."""
    parts = {
        "path": _cut(error.path, LONGEST_PATH), "problem": _cut(str(error.message), LONGEST_WORDS),
        "expected": None if _key(error) in told else error.expected,
        "given": error.given, "fix": _cut(str(error.fix), LONGEST_WORDS) or None,
    }  # fmt: skip
    return {name: value for name, value in parts.items() if value is not None}


def _in_short(error: ArgumentError) -> dict[str, Any]:
    """An error whose values leave no room for it."""
    words = _one_line(str(error.message), LONGEST_WORDS)
    return {"path": _one_line(error.path, LONGEST_PATH), "problem": words}


def _help(spec: ToolSpec, errors: Sequence[ArgumentError], told: set[Key]) -> Iterator[tuple[str, Any]]:
    new = [_key(error) for error in errors if _key(error) not in told]
    yield "schema", pieces.schema_of(spec.schema, new)
    yield "templates", pieces.templates_of(spec, [path for path, _keyword in new])
    if not told:
        yield "example", pieces.example_of(spec)


def _put(answer: dict[str, Any], name: str, part: Any, room: int) -> bool:
    """Add a part if there is room for it."""
    fits = len(_compact({**answer, name: part})) <= room
    if fits:
        answer[name] = part
    return fits


def _key(error: ArgumentError) -> Key:
    return error.path, error.keyword


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
