"""What would come of a text, step by step: the arguments, each rule, the risk, who could approve, what a model is told.

Composed of what the gate itself is made of. Nothing is stored and nothing runs; that it says what the gate then does
is what `tests/review/test_playground_look.py` compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from django.utils import timezone
from django.utils.translation import gettext

from platform_site.models import User
from tools import arguments, policy, risk, rules
from tools.gate.approvers import Approvers, approvers_of
from tools.pipeline import allowance, feedback
from tools.pipeline.budget import CORRECTIONS_A_TOOL
from tools.pipeline.phrase import Text
from tools.pipeline.values import Accepted, Rejected, Trace
from tools.policy import Ceremony
from tools.schema_words import ArgumentError
from tools.spec import RiskLevel, Rule, ToolSpec

Outcome = Literal["runs", "asks", "rejected", "refused"]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Who would ask, and in what situation. `tainted`: outside text was read; `truncated`: the text was cut off."""

    user: User
    role: str
    tainted: bool = False
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class RuleSeen:
    """One rule on these arguments; `message` is empty when it did not fire."""

    rule: Rule
    message: Text

    @property
    def fired(self) -> bool:
        return bool(str(self.message))


@dataclass(frozen=True, slots=True)
class Approval:
    """Who would have to agree, whether they could today, and what they would be asked for."""

    who: Approvers
    ceremony: Ceremony


@dataclass(frozen=True, slots=True)
class Looked:
    """All of it. `told` is what a model would get for bad arguments."""

    trace: Trace
    outcome: Outcome
    risk: RiskLevel
    rules: Sequence[RuleSeen] = ()
    reasons: Sequence[Text] = ()
    errors: Sequence[ArgumentError] = ()
    told: str = ""
    approval: Approval | None = None

    @property
    def accepted(self) -> Accepted | None:
        return self.trace.verdict if isinstance(self.trace.verdict, Accepted) else None


def look(spec: ToolSpec, raw: str, what_if: WhatIf) -> Looked:
    """1. The arguments. 2. The tool's rules. 3. The risk, and what it allows to be mended. 4. Who could agree."""
    trace = arguments.explain(spec, raw, truncated=what_if.truncated)
    match trace.verdict:
        case Rejected() as rejected:
            return _rejected(spec, trace, rejected)
        case Accepted() as accepted:
            return _with_rules(spec, trace, accepted, what_if)
        case _:
            assert_never(trace.verdict)


def _with_rules(spec: ToolSpec, trace: Trace, accepted: Accepted, what_if: WhatIf) -> Looked:
    sources = [gettext("an untrusted tool")] if what_if.tainted else []
    facts = _facts(spec, accepted, what_if)
    seen = [_seen(rule, accepted, facts) for rule in spec.rules]
    findings = rules.apply(spec.rules, accepted.arguments, facts)
    if findings.errors:
        flags = (*accepted.flags, *findings.flags)
        bad = Rejected(tuple(findings.errors), flags, accepted.mended, accepted.arguments)
        return _rejected(spec, trace, bad, seen)
    verdict = risk.assess(spec, findings.raised, tainted_by=sources)
    looked = Looked(trace, "runs", verdict.risk, seen, verdict.reasons)
    return _assessed(spec, looked, accepted, verdict, what_if.user)


def _assessed(
    spec: ToolSpec, looked: Looked, accepted: Accepted, verdict: risk.Verdict, user: User
) -> Looked:
    match verdict:
        case risk.Proceed():
            return looked
        case risk.Ask(level):
            if error := allowance.check(level, accepted.flags):
                bad = Rejected((error,), accepted.flags, accepted.mended, accepted.arguments)
                return _rejected(spec, looked.trace, bad, looked.rules)
            return replace(looked, outcome="asks", approval=approval_of(spec, level, user))
        case _:
            assert_never(verdict)


def approval_of(spec: ToolSpec, level: RiskLevel, user: User) -> Approval:
    """What deciding on a call of this level takes when this person asks, and who is there to do it."""
    who = approvers_of(spec, level, user)
    return Approval(who, policy.ceremony(who.asks.proof, has_password=user.has_usable_password()))


def _rejected(spec: ToolSpec, trace: Trace, rejected: Rejected, seen: Sequence[RuleSeen] = ()) -> Looked:
    told = feedback.tell(spec, rejected, left=CORRECTIONS_A_TOOL)
    return Looked(trace, "rejected", spec.risk, seen, errors=rejected.errors, told=told)


def _facts(spec: ToolSpec, accepted: Accepted, what_if: WhatIf) -> rules.Facts:
    user = what_if.user
    who = {"id": user.pk, "email": user.email, "name": user.name, "role": what_if.role}
    names = [flag["name"] for flag in accepted.flags]
    return rules.Facts(
        spec.name,
        spec.risk,
        timezone.now(),
        who,
        flags=names,
        tainted=what_if.tainted,
        language=user.locale or "",
    )


def _seen(rule: Rule, accepted: Accepted, facts: rules.Facts) -> RuleSeen:
    """Each rule by itself: none reads what another one found."""
    found = rules.apply([rule], accepted.arguments, facts)
    texts: list[Text] = [
        *(error.message for error in found.errors),
        *(reason for _level, reason in found.raised),
        *(flag["detail"] for flag in found.flags),
    ]
    return RuleSeen(rule, texts[0] if texts else "")
