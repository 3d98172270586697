"""The tool calls of one reply, put together from their pieces. Pure.

A piece becomes a `CallDelta` at once, with two exceptions: arguments that came before their call's name, and those of a
tool whose strict form forces nulls on the model, which are told whole at the end, without the nulls.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass, field

from agents.providers import faults
from agents.providers.openai_tools import Toolbox
from agents.stream import CallDelta
from platform_site.ids import new_id

MOST_CALLS = 512
LONGEST_ARGUMENTS = 1_000_000
"""Characters of all calls together. No tool takes a twentieth of either."""
LONGEST_LOOKED_AT = 64 * 1024
"""Longer arguments no tool takes; looking at them with each piece would cost more each time."""


@dataclass(slots=True)
class _Call:
    index: int
    id: str
    """The server's; empty if it gave none."""
    name: str = ""
    """Ours."""
    kept: list[str] = field(default_factory=list)
    """Arguments not told yet."""
    texts: list[str] = field(default_factory=list)
    is_held: bool = True

    @property
    def arguments(self) -> str:
        if len(self.texts) > 1:
            self.texts[:] = ["".join(self.texts)]
        return self.texts[0] if self.texts else ""


class Calls:
    """The calls so far. `place` is where the server says a piece belongs."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._at: dict[Hashable, _Call] = {}
        self._all: list[_Call] = []
        self._ids: set[str] = set()
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, place: Hashable, id: str, name: str, arguments: str) -> list[CallDelta]:
        """Take a piece in: part of the call at `place`, or the beginning of another one there."""
        call = self._at.get(place)
        if call is None or _is_another(call, id, name, arguments):
            return self._begin(place, id, name, arguments)
        call.id = call.id or id
        return [*self._named(call, name), *self._more(call, arguments)]

    def arguments_at(self, place: Hashable) -> str | None:
        """The arguments so far of the call there; None if there is none."""
        call = self._at.get(place)
        return None if call is None else call.arguments

    def end(self) -> list[CallDelta]:
        """What was held back."""
        told: list[CallDelta] = []
        for call in self._all:
            if text := "".join(call.kept):
                call.kept.clear()
                mended = (
                    self._toolbox.mended(call.name, text) if self._toolbox.is_changed(call.name) else text
                )
                told.append(CallDelta(call.index, arguments=mended))
        return told

    def _begin(self, place: Hashable, id: str, name: str, arguments: str) -> list[CallDelta]:
        if len(self._all) >= MOST_CALLS:
            raise faults.unreadable("more calls than any answer has")
        told_id = id if id and id not in self._ids else f"call_{new_id()}"
        self._ids.add(told_id)
        call = self._at[place] = _Call(len(self._all), id)
        self._all.append(call)
        named = self._named(call, name)
        return [CallDelta(call.index, id=told_id, name=call.name), *named[1:], *self._more(call, arguments)]

    def _named(self, call: _Call, name: str) -> list[CallDelta]:
        """The name with its first piece; a repeated one says nothing."""
        if call.name or not name:
            return []
        call.name = self._toolbox.table.ours(name)
        call.is_held = self._toolbox.is_changed(call.name)
        told = [CallDelta(call.index, name=call.name)]
        if call.kept and not call.is_held:
            told.append(CallDelta(call.index, arguments="".join(call.kept)))
            call.kept.clear()
        return told

    def _more(self, call: _Call, arguments: str) -> list[CallDelta]:
        if not arguments:
            return []
        self._size += len(arguments)
        if self._size > LONGEST_ARGUMENTS:
            raise faults.unreadable("longer arguments than any answer has")
        call.texts.append(arguments)
        if call.is_held:
            call.kept.append(arguments)
            return []
        return [CallDelta(call.index, arguments=arguments)]


def _is_another(call: _Call, id: str, name: str, arguments: str) -> bool:
    """Whether a piece for the same place begins a new call (Ollama gives every call index 0).

    A new id alone is no sign: some servers make one up for every piece, but give the name only once.
    """
    if not name:
        return False
    if id and call.id:
        return id != call.id
    return bool(arguments.strip()) and _is_whole(call.arguments)


def _is_whole(text: str) -> bool:
    if len(text) > LONGEST_LOOKED_AT or not text.rstrip().endswith("}"):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
