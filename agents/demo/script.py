"""What a script decides on: one reply, as text and calls. Pure values.

`Scripted` is the whole reply before it is streamed; `providers.demo` cuts it into pieces.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """A call to make. `arguments` is the raw text a model would send."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Scripted:
    """One reply."""

    text: str
    calls: tuple[ScriptedCall, ...] = ()


def call(name: str, arguments: dict[str, Any]) -> ScriptedCall:
    """A call with well-formed arguments."""
    return ScriptedCall(name, json.dumps(arguments, ensure_ascii=False))
