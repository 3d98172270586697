"""Who may decide on a held call, with what proof, and whether anybody can. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from platform_site.models import Role
from tools.spec import DEFAULT_CONFIRMATION, By, ConfirmationPolicy, Proof, RiskLevel, ToolSpec

REVIEWER_ROLES: frozenset[str] = frozenset({Role.OWNER, Role.ADMIN, Role.REVIEWER})
MAX_WRONG_PROOFS = 5
LOCKED_FOR_S = 15 * 60
Part = Literal["user", "reviewer"]
Ceremony = Literal["simple", "password", "code"]


def policy_for(spec: ToolSpec, risk: RiskLevel) -> ConfirmationPolicy:
    """What deciding on a call of this risk takes.

    A call raised above its tool's own level takes the higher level's defaults and keeps whatever of the tool's own
    policy is stricter.
    """
    usual = DEFAULT_CONFIRMATION[risk]
    own = spec.confirmation
    if own is None:
        return usual
    if risk == spec.risk:
        return own
    return ConfirmationPolicy(
        by=_both(own.by, usual.by),
        proof=own.proof if own.proof != "none" else usual.proof,
        decide_within_s=min(own.decide_within_s, usual.decide_within_s),
        execute_within_s=min(own.execute_within_s, usual.execute_within_s),
        votes=max(own.votes, usual.votes),
    )


def _both(one: By, other: By) -> By:
    return one if one == other else "user+reviewer"


def needs_reviewer(by: str) -> bool:
    return "reviewer" in by


def ceremony(proof: str, *, has_password: bool = True) -> Ceremony:
    """What the page asks of the person who decides."""
    match proof:
        case "none":
            return "simple"
        case "code":
            return "code"
        case "any" if not has_password:
            return "code"
    return "password"


def accepted_proofs(proof: str) -> frozenset[Literal["password", "code"]]:
    """The kinds of proof that do. Empty: none is asked for."""
    kinds: dict[str, frozenset[Literal["password", "code"]]] = {
        "password": frozenset({"password"}),
        "code": frozenset({"code"}),
        "any": frozenset({"password", "code"}),
    }
    return kinds.get(proof, frozenset())


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a pending confirmation has come, and who asks to decide."""

    by: str
    user_approved: bool
    is_requester: bool
    can_review: bool
    has_voted: bool = False


def part_of(standing: Standing) -> Part | None:
    """The part this person decides now; None when it is not theirs.

    The requester alone gives the user's part, and never the reviewer's (four eyes), whatever their role.
    """
    if standing.is_requester:
        return "user" if "user" in standing.by and not standing.user_approved else None
    waits_for_user = "user" in standing.by and not standing.user_approved
    may_review = needs_reviewer(standing.by) and standing.can_review and not standing.has_voted
    return "reviewer" if may_review and not waits_for_user else None


def nobody_can(policy: ConfirmationPolicy, *, user_can_prove: bool, other_reviewers: int) -> bool:
    """Whether, as things stand, no set of people could approve."""
    without_user = "user" in policy.by and not user_can_prove
    return without_user or (needs_reviewer(policy.by) and other_reviewers < policy.votes)


def can_prove(proof: Proof, kinds: Collection[str]) -> bool:
    """Whether somebody who has these kinds of proof can give one that does."""
    return proof == "none" or bool(accepted_proofs(proof) & set(kinds))
