"""`decide`: a person answers what is held. One terminal decision ever, on exactly what was shown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from platform_site import ledger, lifecycle
from platform_site.access import Actor
from platform_site.models import User
from platform_site.throttle import Limit
from tools import catalogue, policy, proofs
from tools.gate import editing, granting, telling
from tools.gate.granting import Wanted
from tools.gate.noting import note_about, note_call
from tools.gate.reviewers import may_review
from tools.gate.settling import answer_call
from tools.gate.values import Answering, Decided, Refused
from tools.models import (
    CALL_ARROWS,
    CONFIRMATION_ARROWS,
    CallStatus,
    Confirmation,
    ConfirmationStatus,
    ToolCall,
    Vote,
)  # fmt: skip
from tools.policy import Part

C = ConfirmationStatus
WRONG_PROOFS = Limit("proof", failures=10, seconds=900)
"""Of one person, over all questions: a new question is only a message away."""


@dataclass(frozen=True, slots=True)
class Deciding:
    """Who answers which part of which question, and when."""

    log: ledger.Log
    confirmation: Confirmation
    actor: Actor
    part: Part
    now: datetime

    @property
    def call(self) -> ToolCall:
        return self.confirmation.call


def decide(
    log: ledger.Log, confirmation_id: str, actor: Actor, answer: Answering, wanted: Wanted | None = None
) -> Decided | Refused:
    """Take a person's answer, inside the transaction `log` writes.

    1. The question exists, is theirs to answer, is open, and is the one they were shown (digest).
    2. For a yes: the proof it asks for, which counts for this answer alone. Other arguments than those shown are
       checked and take their place; the yes is then said to them.
    3. A no is final; a yes is, too, once everybody who has to agree has agreed. `wanted`: a standing yes besides.

    Commit the transaction whatever the answer is: a refusal has counted a wrong proof.
    """
    confirmation = _locked(log, confirmation_id)
    if confirmation is None:
        return Refused("not_found", _("There is no such question."))
    part = part_for(confirmation, actor)
    if part is None:
        return _not_theirs(confirmation, actor)
    deciding = Deciding(log, confirmation, actor, part, timezone.now())
    refused = _not_this(deciding, answer)
    if refused:
        return refused
    if answer.decision == "reject":
        return _deny(deciding, answer)
    return (
        _prove(deciding, answer)
        or _not_to_be_granted(deciding, answer, wanted)
        or _say_yes(deciding, answer, wanted)
    )


def _locked(log: ledger.Log, confirmation_id: str) -> Confirmation | None:
    """The question, its row locked, if it belongs to the topic being written."""
    rows = Confirmation.objects.select_for_update(of=("self",)).select_related(
        "call__requester", "call__version"
    )
    return rows.filter(pk=confirmation_id, call__topic=log.topic).first()


def part_for(confirmation: Confirmation, actor: Actor) -> Part | None:
    """The part of a question that this person decides now, their right to do so included; None when none is theirs."""
    standing = policy.Standing(
        by=confirmation.by,
        user_approved=confirmation.user_approved,
        is_requester=confirmation.call.requester_id == actor.user.pk,
        can_review=actor.can_review,
        has_voted=_has_voted(confirmation, actor),
    )
    part = policy.part_of(standing)
    if part == "user":
        return part if actor.may("chat") else None
    return part if part and _is_among_reviewers(confirmation, actor) else None


def _has_voted(confirmation: Confirmation, actor: Actor) -> bool:
    """About what it shows now: a yes to something else is void."""
    return confirmation.votes.filter(user=actor.user, digest=confirmation.digest).exists()


def _is_among_reviewers(confirmation: Confirmation, actor: Actor) -> bool:
    version = confirmation.call.version
    return version is not None and may_review(actor.user, catalogue.spec_of(version))


def _not_theirs(confirmation: Confirmation, actor: Actor) -> Refused:
    is_requester = confirmation.call.requester_id == actor.user.pk
    if not is_requester and not actor.can_review:
        return Refused("not_found", _("There is no such question."))
    if confirmation.status != C.PENDING:
        return _already(confirmation)
    if _has_voted(confirmation, actor):
        return Refused("conflict", _("You have decided already; somebody else has to agree as well."))
    return Refused("forbidden", _("This is for somebody else to decide."))


def _not_this(deciding: Deciding, answer: Answering) -> Refused | None:
    confirmation, call = deciding.confirmation, deciding.call
    if call.status == CallStatus.PROPOSED:
        return Refused("conflict", _("This is being prepared again. Wait a moment."))
    if confirmation.status != C.PENDING or call.status != CallStatus.HELD:
        return _already(confirmation)
    if confirmation.decide_by <= deciding.now:
        return Refused("expired", _("The time to decide is over."))
    if answer.decision not in ("approve", "reject"):
        return Refused("bad_request", _("The decision is approve or reject."))
    if answer.digest != confirmation.digest:
        return Refused("digest_mismatch", _("This is not what is waiting now. Load the page again."))
    if answer.decision == "reject" and deciding.part == "reviewer" and not answer.reason.strip():
        return Refused("reason_needed", _("Say why: the person who asked and the agent are told."))
    return None


def _already(confirmation: Confirmation) -> Refused:
    if confirmation.status == C.EXPIRED:
        return Refused("expired", _("The time to decide is over."))
    return Refused("conflict", _("This has been decided already."))


def _prove(deciding: Deciding, answer: Answering) -> Refused | None:
    """Refuse unless the proof asked for was given and holds. Five wrong ones lock the question for a while."""
    confirmation, user = deciding.confirmation, deciding.actor.user
    accepted = policy.accepted_proofs(confirmation.proof)
    if not accepted:
        return None
    locked = confirmation.locked_until and confirmation.locked_until > deciding.now
    if locked or WRONG_PROOFS.reached(user.pk):
        return Refused("locked_out", _("Too many wrong proofs. Try again later."))
    kind = proofs.given_kind(answer.proof, accepted)
    if kind is None:
        return _without_proof(user, accepted)
    if proofs.is_right(user, kind, (answer.proof or {})[kind]):
        return None
    WRONG_PROOFS.count(user.pk)
    note_about("call.proof_failed", deciding.call, by=user, part=deciding.part)
    return _count_wrong(deciding)


def _without_proof(user: User, accepted: Collection[proofs.Kind]) -> Refused:
    """None was given; somebody who has none to give is told how to get one."""
    if proofs.proofs_of(user, accepted):
        return Refused("proof_needed", _("This needs your password or a one-time code."))
    if "password" in accepted:
        return Refused(
            "proof_needed", _("You have neither a password nor an authenticator app. Set one up first.")
        )
    return Refused("proof_needed", _("This needs a one-time code. Set up an authenticator app first."))


def _count_wrong(deciding: Deciding) -> Refused:
    row = Confirmation.objects.filter(pk=deciding.confirmation.pk)
    row.update(wrong_proofs=F("wrong_proofs") + 1)
    until = deciding.now + timedelta(seconds=policy.LOCKED_FOR_S)
    too_many = row.filter(wrong_proofs__gte=policy.MAX_WRONG_PROOFS)
    if too_many.update(locked_until=until, wrong_proofs=0):
        return Refused("locked_out", _("Too many wrong proofs. Try again later."))
    wrong = row.values_list("wrong_proofs", flat=True).get()
    return Refused("proof_wrong", _("That is not right."), tries_left=policy.MAX_WRONG_PROOFS - wrong)


def _deny(deciding: Deciding, answer: Answering) -> Decided | Refused:
    if not _close(deciding, C.DENIED):
        return _already(deciding.confirmation)
    _vote(deciding, answer)
    reason = answer.reason.strip()[:1_000]
    said = f" They said: {reason}" if reason else ""
    who = "The person" if deciding.part == "user" else "A reviewer"
    _move_call(deciding, CallStatus.DENIED, why=reason)
    telling.tell_status(deciding.log, deciding.call, CallStatus.DENIED, deciding.actor.user, reason=reason)
    message = f"{who} said no. It was not done; do not call it again unless they ask for it.{said}"
    answer_call(deciding.log, deciding.call, "denied", message)
    return Decided(C.DENIED, ready=True)


def _not_to_be_granted(deciding: Deciding, answer: Answering, wanted: Wanted | None) -> Refused | None:
    return granting.problem(deciding.confirmation, wanted, answer.arguments) if wanted else None


def _say_yes(deciding: Deciding, answer: Answering, wanted: Wanted | None) -> Decided | Refused:
    """A yes to what waits, or to other arguments in its place."""
    given = answer.arguments
    if given is not None and editing.differs(deciding.call, given):
        counts = editing.edit(deciding.log, deciding.confirmation, deciding.actor, given)
        if isinstance(counts, Refused):
            return counts
        if not counts:
            return Decided(C.PENDING, ready=deciding.call.status == CallStatus.PROPOSED)
    decided = _approve(deciding, answer)
    if wanted and isinstance(decided, Decided) and decided.status == C.APPROVED:
        granting.grant(deciding.confirmation, deciding.actor.user, wanted)
    return decided


def _approve(deciding: Deciding, answer: Answering) -> Decided | Refused:
    _vote(deciding, answer)
    if deciding.part == "user":
        Confirmation.objects.filter(pk=deciding.confirmation.pk).update(user_approved=True)
        deciding.confirmation.user_approved = True
    if not _everybody_agreed(deciding.confirmation):
        by = deciding.actor.user
        note_about(
            "call.voted", deciding.call, by=by, part=deciding.part, confirmation=deciding.confirmation.pk
        )
        # After a reviewer's change it is the person's turn again, not a reviewer's.
        turn = deciding.confirmation.user_approved or "user" not in deciding.confirmation.by
        telling.tell_status(deciding.log, deciding.call, CallStatus.HELD, by, needsReviewer=turn)
        return Decided(C.PENDING, ready=False)
    execute_by = deciding.now + timedelta(seconds=deciding.confirmation.execute_within)
    if not _close(deciding, C.APPROVED, execute_by=execute_by):
        return _already(deciding.confirmation)
    _move_call(deciding, CallStatus.APPROVED)
    telling.tell_status(
        deciding.log, deciding.call, CallStatus.APPROVED, deciding.actor.user, executeBy=execute_by
    )
    return Decided(C.APPROVED, ready=True)


def _everybody_agreed(confirmation: Confirmation) -> bool:
    if "user" in confirmation.by and not confirmation.user_approved:
        return False
    if not policy.needs_reviewer(confirmation.by):
        return True
    votes = confirmation.votes.filter(digest=confirmation.digest)
    yes = votes.filter(part="reviewer", decision="approve").count()
    return yes >= confirmation.votes_needed


def _close(deciding: Deciding, status: C, **values: datetime) -> bool:
    """The terminal move; only one caller ever makes it."""
    return lifecycle.move(
        deciding.confirmation, C.PENDING, status, CONFIRMATION_ARROWS, decided_at=deciding.now, **values
    )


def _move_call(deciding: Deciding, status: CallStatus, why: str = "") -> None:
    if not lifecycle.move(deciding.call, CallStatus.HELD, status, CALL_ARROWS):
        raise RuntimeError(f"call {deciding.call.pk} had an open question but was not held")
    confirmation, by = deciding.confirmation, deciding.actor.user
    note_call(deciding.call, by=by, part=deciding.part, confirmation=confirmation.pk, why=why)


def _vote(deciding: Deciding, answer: Answering) -> None:
    kind = proofs.given_kind(answer.proof, policy.accepted_proofs(deciding.confirmation.proof))
    Vote.objects.create(
        confirmation=deciding.confirmation, user=deciding.actor.user, part=deciding.part,
        decision=answer.decision, proof=(kind or "") if answer.decision == "approve" else "",
        reason=answer.reason.strip()[:1_000], digest=deciding.confirmation.digest,
    )  # fmt: skip
