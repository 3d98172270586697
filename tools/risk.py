"""Whether a call goes ahead or needs a person, and why. Pure.

Everything here can raise the risk and nothing can lower it (rule 7): not what the model says, not a tool's answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tools.schema_words import Text
from tools.spec import RISKS, RiskLevel, ToolSpec


@dataclass(frozen=True, slots=True)
class Proceed:
    """Nobody needs to be asked."""

    risk: RiskLevel
    reasons: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """A person decides, with the ceremony of `risk`."""

    risk: RiskLevel
    reasons: tuple[Text, ...]


Verdict = Proceed | Ask


def assess(
    spec: ToolSpec, raised: Iterable[tuple[RiskLevel, Text]] = (), *, tainted_by: Sequence[str] = ()
) -> Verdict:
    """The verdict on a call whose arguments are good.

    `raised`: what its rules raise it to. `tainted_by`: tools whose outside text the conversation has read; what is
    not read-only then needs at least a person's yes.
    """
    risk, reasons = spec.risk, [_OF_TOOL[spec.risk]] if spec.risk in _OF_TOOL else []
    for level, reason in raised:
        risk = higher(risk, level)
        reasons.append(reason)
    if tainted_by and not spec.read_only:
        risk = higher(risk, "CONFIRM")
        reasons.append(
            format_lazy(_("The agent has read outside text ({tools})."), tools=", ".join(tainted_by))
        )
    return Proceed(risk, tuple(reasons)) if risk == "SAFE" else Ask(risk, tuple(reasons))


def higher(one: RiskLevel, other: RiskLevel) -> RiskLevel:
    """The higher of two levels."""
    return max(one, other, key=RISKS.index)


_OF_TOOL: dict[RiskLevel, Text] = {
    "CONFIRM": _("This tool asks before it acts."),
    "CRITICAL": _("This tool acts in a way that is hard to undo."),
}
