"""Output that was cut off: never completed, with one exception that reads. Pure."""

from __future__ import annotations

from tools.pipeline.phrase import Phrase
from tools.pipeline.phrase import gettext_noop as _
from tools.pipeline.places import Place
from tools.pipeline.values import Flag
from tools.schema_words import ArgumentError
from tools.spec import ToolSpec

FLAG: Flag = {"name": "truncated"}
TRUNCATED = ArgumentError(
    "$", "truncated", Phrase(_("The answer was cut off before the arguments were complete.")),
    fix=Phrase(_("Make the same call again with shorter arguments.")),
)  # fmt: skip
NOTHING = ArgumentError(
    "$", "truncated", Phrase(_("Nothing was given, which could be all that is left of a longer call.")),
    fix=Phrase(_("If no arguments are meant, send {braces}."), braces="{}"),
)  # fmt: skip


def may_be_nothing(spec: ToolSpec) -> bool:
    """Whether nothing at all means no arguments: where there are none, or to look something up. Elsewhere a call that
    was cut off before its first sign would do more than what was meant: "clear the shoes" would clear everything."""
    return (spec.risk == "SAFE" and spec.read_only) or not Place(spec.schema, [spec.schema]).names


def may_close(spec: ToolSpec, flags: tuple[Flag, ...]) -> bool:
    """Whether brackets that are missing at the end may be added: to look something up, and if nothing is in doubt."""
    return spec.risk == "SAFE" and spec.read_only and not any(flag.get("contested") for flag in flags)
