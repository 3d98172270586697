"""How much mending a risk allows. Pure.

Reading may be mended in any way that is flagged; what acts after a person's yes only in how it was written; what
acts at once the same, and no words may have stood around it, since nobody sees them; what is hard to undo not at all.
The pipeline asks with the tool's own level, the gate once more when something raised it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tools.pipeline.flags import FORMAT_MENDS, MENDS
from tools.pipeline.phrase import Phrase
from tools.pipeline.phrase import gettext_noop as _
from tools.schema_words import ArgumentError
from tools.spec import RiskLevel, ToolSpec


def level_of(spec: ToolSpec) -> RiskLevel:
    """The level that counts here: a SAFE tool that writes is treated as one that asks."""
    return "CONFIRM" if acts_at_once(spec) else spec.risk


def format_only(flags: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the mends among the flags changed only how the arguments were written, beyond doubt."""
    return all(flag["name"] in FORMAT_MENDS and not flag.get("contested") for flag in _mends(flags))


def acts_at_once(spec: ToolSpec) -> bool:
    """A tool that writes without anybody having looked."""
    return spec.risk == "SAFE" and not spec.read_only


def check(
    level: RiskLevel, flags: Iterable[Mapping[str, Any]], *, at_once: bool = False
) -> ArgumentError | None:
    """Why the mends among the flags are too much for a call of this level, if they are. `at_once`: nobody looks."""
    mends = _mends(flags)
    is_spoken_of = at_once and any(flag.get("words") for flag in mends)
    if not mends or level == "SAFE" or (level == "CONFIRM" and format_only(mends) and not is_spoken_of):
        return None
    names = ", ".join(dict.fromkeys(str(flag["name"]) for flag in mends))
    message = Phrase(_("The arguments had to be mended, and a call of this risk is not guessed at."))
    fix = Phrase(_("Send one JSON object, and nothing else."))
    return ArgumentError("$", "not_allowed", message, given=names, fix=fix)


def _mends(flags: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [flag for flag in flags if flag["name"] in MENDS]
