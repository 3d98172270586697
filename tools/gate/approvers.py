"""Could anybody approve? Of one person's call when it is asked about, and of a tool's calls when it is saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from platform_site.models import Membership, User
from tools import policy
from tools.gate.reviewers import groups_for, reviewers_of
from tools.proofs import can_give, proofs_of
from tools.spec import ConfirmationPolicy, Proof, RiskLevel, ToolSpec

RAISED_TO: dict[str, RiskLevel] = {"confirm": "CONFIRM", "critical": "CRITICAL"}
WITHOUT: dict[str, Promise] = {
    "password": _("a password"),
    "code": _("an authenticator app"),
    "any": _("a password or an authenticator app"),
}


@dataclass(frozen=True, slots=True)
class Approvers:
    """Who could agree to a call that one person asks for; `others`: those who may review it, and can prove it."""

    asks: ConfirmationPolicy
    user_can_prove: bool
    others: int
    groups: Sequence[str] = ()

    @property
    def nobody(self) -> bool:
        return policy.nobody_can(self.asks, user_can_prove=self.user_can_prove, other_reviewers=self.others)


def approvers_of(spec: ToolSpec, level: RiskLevel, requester: User) -> Approvers:
    """Who could agree today to a call of this level that `requester` asks for."""
    asks = policy.policy_for(spec, level)
    kinds = policy.accepted_proofs(asks.proof)
    if not policy.needs_reviewer(asks.by):
        return Approvers(asks, policy.can_prove(asks.proof, proofs_of(requester, kinds)), 0)
    others = reviewers_of(spec).filter(can_give(kinds)).exclude(user=requester).count()
    groups = [group.name for group in groups_for(spec)]
    return Approvers(asks, policy.can_prove(asks.proof, proofs_of(requester, kinds)), others, groups)


def warnings_of(spec: ToolSpec) -> list[Promise]:
    """Why calls of this tool could be approved by nobody, or not by everybody's reviewers; empty when all is well."""
    found: list[Promise] = []
    for level in _levels(spec):
        asks = policy.policy_for(spec, level)
        if "user" in asks.by:
            found += _of_users(asks.proof)
        if policy.needs_reviewer(asks.by):
            found += _of_reviewers(spec, asks)
    return list({str(one): one for one in found}.values())


def _levels(spec: ToolSpec) -> list[RiskLevel]:
    """The levels its calls may have: its own, and those its rules raise them to."""
    raised = [RAISED_TO[rule.severity] for rule in spec.rules if rule.severity in RAISED_TO]
    levels: list[RiskLevel] = [level for level in (spec.risk, *raised) if level != "SAFE"]
    return list(dict.fromkeys(levels))


def _of_users(proof: Proof) -> Iterator[Promise]:
    people = Membership.objects.filter(is_active=True, user__is_active=True)
    if not people.filter(can_give(policy.accepted_proofs(proof))).exists():
        words = _("Nobody can approve it: no person here has {what} to prove with who they are.")
        yield format_lazy(words, what=WITHOUT[proof])


def _of_reviewers(spec: ToolSpec, asks: ConfirmationPolicy) -> Iterator[Promise]:
    may = reviewers_of(spec)
    able = may.filter(can_give(policy.accepted_proofs(asks.proof))).count()
    if able > asks.votes:
        return
    if able == asks.votes:
        words = _(
            "What one of its reviewers asks for, nobody can approve: it takes one more who may review it."
        )
        yield format_lazy(words)
    elif able < may.count():
        words = _("Nobody can approve it: too few of its reviewers have {what} to prove with who they are.")
        yield format_lazy(words, what=WITHOUT[asks.proof])
    else:
        yield _too_few(spec, asks.votes, able)


def _too_few(spec: ToolSpec, votes: int, able: int) -> Promise:
    if groups := groups_for(spec):
        words = _(
            "Nobody can approve it: it takes {votes}, and of the groups it belongs to ({groups}) {able} may review."
        )
        names = ", ".join(group.name for group in groups)
        return format_lazy(words, votes=_votes(votes), groups=names, able=able)
    words = _("Nobody can approve it: it takes {votes}, and {able} here may review.")
    return format_lazy(words, votes=_votes(votes), able=able)


def _votes(number: int) -> Promise:
    return format_lazy(ngettext_lazy("{count} reviewer", "{count} reviewers", number), count=number)
