"""The shapes in which models write a call as JSON, and what only looks like one. Pure.

`{"name", "arguments"}`, `{"tool", "args"}`, `{"function": {…}}`, `{"tool_calls": […]}` and lists of them. The arguments
are kept as they are written, broken or not: the argument pipeline mends or refuses them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tools.pipeline.written_scan import Part, Reader

MOST_IN_A_LIST = 16
_NAMES = ("name", "tool", "tool_name", "function", "function_name", "action")
_ARGUMENTS = ("arguments", "args", "parameters", "params", "input", "tool_input", "action_input")
_WRAPPERS = ("tool_calls", "tool_call", "function_call", "function")
_BESIDE = frozenset(
    {"id", "type", "index", "call_id", "tool_call_id", "thought", "thoughts", "reasoning", "explanation"}
)
"""What may stand beside a name and its arguments; with anything else it is data, or a tool's description."""
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,99}")
_SCHEMA = re.compile(
    r"""\{\s*["']\$schema["']|["']type["']\s*:\s*["']object["'].{0,200}["'](?:properties|required)["']""",
    re.DOTALL,
)

Members = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Said:
    """A call as it is written. `sure`: nothing but a call looks like this, whether or not its name is known."""

    name: str
    raw: str
    sure: bool


def read(reader: Reader, start: int, *, sure: bool = False) -> tuple[int, list[Said]] | None:
    """Where the JSON that begins at `start` ends, and the calls it consists of (none: it is something else)."""
    bracket = reader.bracket(start)
    if bracket is None:
        return None
    if reader.text[start] == "{":
        return bracket.end, _of_object(reader, _members(reader, bracket.parts), sure)
    return bracket.end, _of_list(reader, bracket.parts, sure)


def _of_list(reader: Reader, parts: tuple[Part, ...], sure: bool) -> list[Said]:
    """Calls, if each item is one."""
    found: list[Said] = []
    for part in parts[:MOST_IN_A_LIST]:
        start = reader.space(part.start)
        inner = read(reader, start, sure=sure) if reader.text.startswith("{", start) else None
        if inner is None or not inner[1]:
            return []
        found += inner[1]
    return found


def _of_object(reader: Reader, members: Members, sure: bool) -> list[Said]:
    for word in _WRAPPERS:
        if (place := members.get(word)) and reader.text[place[0] : place[0] + 1] in ("{", "["):
            inner = read(reader, place[0], sure=True) if members.keys() <= _BESIDE | {word} else None
            return inner[1] if inner else []
    named = next((word for word in _NAMES if word in members), "")
    given = next((word for word in _ARGUMENTS if word in members), "")
    if not named or members.keys() - _BESIDE - {named, given}:
        return []
    return _named(reader, members, named, given, sure)


def _named(reader: Reader, members: Members, named: str, given: str, sure: bool) -> list[Said]:
    name = _plain_text(reader.text[slice(*members[named])])
    if not _NAME.fullmatch(name) or (not given and not sure):
        return []
    if not given:
        return [Said(name, "{}", sure)]
    if _is_schema(reader.text[slice(*members[given])]):
        return []
    unmistakable = sure or given == "arguments" or named in ("tool", "tool_name", "function_name")
    return [Said(name, _carried(reader.text[slice(*members[given])]), unmistakable)]


def _is_schema(written: str) -> bool:
    """A tool's description gives a JSON Schema where a call gives arguments."""
    return bool(_SCHEMA.search(written[:400]))


def _members(reader: Reader, parts: tuple[Part, ...]) -> Members:
    """Each name of an object, with the extent of its value."""
    found: Members = {}
    for part in parts:
        if part.colon >= 0:
            start = min(reader.space(part.colon + 1), part.end)
            key = _plain_text(reader.text[part.start : part.colon])
            found[f"{key}, twice" if key in found else key] = (
                start,
                start + len(reader.text[start : part.end].rstrip()),
            )
    return found


def _plain_text(written: str) -> str:
    return written.strip().strip("\"'")


def _carried(written: str) -> str:
    """The arguments; out of the JSON text in which some formats carry them."""
    if written.startswith('"'):
        try:
            return str(json.loads(written))
        except ValueError:
            return written
    return written
