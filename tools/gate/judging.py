"""The judgement of a call: what its arguments, its tool's rules and what was read before make of it. Stores nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, assert_never

from django.utils.translation import gettext_lazy as _

from tools import arguments, risk, rules
from tools.gate.values import Requester
from tools.models import CallStatus, ToolCall
from tools.pipeline import allowance
from tools.pipeline.values import Accepted, Rejected
from tools.schema_words import Text
from tools.spec import RiskLevel, ToolSpec

Flag = dict[str, Any]
_WRITTEN: list[tuple[RiskLevel, Text]] = [
    ("CONFIRM", _("The agent wrote this call into its text instead of making it."))
]


@dataclass(slots=True)
class Judgement:
    """What is to be stored of a proposal. `rejected` is set with the status of that name, `arguments` otherwise."""

    status: CallStatus
    arguments: dict[str, Any] | None = None
    flags: list[Flag] = field(default_factory=list)
    risk: str = ""
    reasons: Sequence[Text] = ()
    mended: str = ""
    rejected: Rejected | None = None
    answer: str = ""
    """What the model is told at once; empty when the call goes on."""


@dataclass(frozen=True, slots=True)
class Given:
    """Arguments as they came: a model's text, or the object a person filled in."""

    raw: str | Mapping[str, Any]
    topic: str
    by: Requester
    now: datetime
    truncated: bool = False
    written: bool = False
    """The model wrote the call into its text."""
    outside: Sequence[str] = ()
    """Tools whose outside text came in by another way than the topic's calls."""


def judge(spec: ToolSpec, given: Given) -> Judgement:
    """1. The arguments: parsed, mended, checked. 2. The tool's rules. 3. The risk, and what it allows to be mended."""
    match arguments.check(spec, given.raw, truncated=given.truncated):
        case Rejected() as rejected:
            return _rejected(spec, rejected)
        case Accepted() as accepted:
            return _assess(spec, given, accepted)


def _assess(spec: ToolSpec, given: Given, accepted: Accepted) -> Judgement:
    sources = [] if spec.read_only and not spec.rules else outside_text(given.topic, given.outside)
    flags = [*accepted.flags, *([{"name": "written_as_text"}] if given.written else [])]
    findings = rules.apply(spec.rules, accepted.arguments, _facts(spec, given, flags, tainted=bool(sources)))
    flags += findings.flags
    if findings.errors:
        errors = tuple(findings.errors)
        return _rejected(spec, Rejected(errors, tuple(flags), accepted.mended, accepted.arguments))
    if sources and not spec.read_only:
        flags.append({"name": "after_untrusted", "detail": ", ".join(sources)})
    raised = findings.raised + (_WRITTEN if given.written else [])
    return _verdict(spec, accepted, flags, risk.assess(spec, raised, tainted_by=sources))


def _verdict(spec: ToolSpec, accepted: Accepted, flags: list[Flag], verdict: risk.Verdict) -> Judgement:
    judged = Judgement(
        CallStatus.CLEARED, accepted.arguments, flags, verdict.risk, verdict.reasons, accepted.mended
    )
    match verdict:
        case risk.Proceed():
            return judged
        case risk.Ask(level):
            if error := allowance.check(level, flags):
                return _rejected(spec, Rejected((error,), tuple(flags), accepted.mended, accepted.arguments))
            judged.status = CallStatus.HELD
            return judged
        case _:
            assert_never(verdict)


def _rejected(spec: ToolSpec, rejected: Rejected) -> Judgement:
    return Judgement(
        CallStatus.REJECTED,
        flags=list(rejected.flags),
        risk=spec.risk,
        mended=rejected.mended,
        rejected=rejected,
    )


def _facts(spec: ToolSpec, given: Given, flags: Sequence[Flag], *, tainted: bool) -> rules.Facts:
    user = given.by.user
    who = {"id": user.pk, "email": user.email, "name": user.name, "role": str(given.by.role)}
    return rules.Facts(
        spec.name, spec.risk, given.now, who, flags=[flag["name"] for flag in flags], tainted=tainted,
        language=user.locale or "",
    )  # fmt: skip


def carry(judged: Judgement, outside: Sequence[str]) -> None:
    """A rejected call that a person may put right keeps what came in by another way, for `carried_by`."""
    if outside and not any(flag["name"] == "after_untrusted" for flag in judged.flags):
        judged.flags.append({"name": "after_untrusted", "detail": ", ".join(outside)})


def carried_by(call: ToolCall) -> tuple[str, ...]:
    """The tools whose outside text counted when this call was judged: they count when it is judged again."""
    marks = [flag["detail"] for flag in call.flags if flag["name"] == "after_untrusted"]
    return tuple(marks[0].split(", ")) if marks else ()


def outside_text(topic: str, besides: Sequence[str] = ()) -> list[str]:
    """Tools whose outside text this conversation has read. Failed ones answered too."""
    answered = ToolCall.objects.filter(topic=topic, status__in=[CallStatus.SUCCEEDED, CallStatus.FAILED])
    untrusted = answered.filter(version__definition__untrusted=True)
    read = untrusted.order_by("name").values_list("name", flat=True).distinct()[:5]
    return list(dict.fromkeys([*besides, *read]))[:5]
