"""What the argument pipeline comes to: `Accepted` or `Rejected`, flags on the way, the trace of its steps. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tools.schema_words import ArgumentError

Flag: TypeAlias = dict[str, Any]
"""One thing that was changed or noticed: {"name", "path"?, "before"?, "after"?, "detail"?, "contested"?: true}."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Arguments as they will be carried out; flags name what was changed on the way.

    `mended`: the text after repair, empty when it was taken as it came.
    """

    arguments: dict[str, Any]
    flags: tuple[Flag, ...] = ()
    mended: str = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The model's fault: it is told and may try again.

    `value`: the object as far as it could be read and coerced, for a person to correct; None when it could not.
    """

    errors: tuple[ArgumentError, ...]
    flags: tuple[Flag, ...] = ()
    mended: str = ""
    value: dict[str, Any] | None = None


Verdict: TypeAlias = Accepted | Rejected
StepName = Literal["size", "whole", "json", "repair", "coerce", "schema", "defaults", "handler"]
StepOutcome = Literal["ok", "changed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the pipeline: how it went, and the text or value it handed on."""

    name: StepName
    outcome: StepOutcome
    flags: tuple[Flag, ...] = ()
    errors: tuple[ArgumentError, ...] = ()
    text: str | None = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class Trace:
    """Every step in order, also those that were not reached, and what it all came to."""

    steps: tuple[Step, ...]
    verdict: Verdict
