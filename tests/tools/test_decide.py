"""A person answers what is held: only theirs, only once, only what they were shown, with the proof it asks for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.utils import timezone

from platform_site import ledger
from platform_site.models import Membership, Topic, User
from tests.conftest import PASSWORD
from tests.tools.conftest import YES, Answer, Desk, actor
from tools import gate
from tools.models import CallStatus, Confirmation, ToolCall, Vote
from tools.policy import MAX_WRONG_PROOFS

Make = Callable[[], ToolCall]


def test_the_requester_approves(desk: Desk, ordered: Make, bob: User) -> None:
    call = ordered()
    assert desk.decide(call, bob) == gate.Decided("approved", ready=True)
    call.refresh_from_db()
    assert call.status == CallStatus.APPROVED
    (status,) = desk.events("tool_call.status")
    assert (status["status"], status["by"]) == ("approved", {"id": bob.pk, "name": "Bob"})
    assert "executeBy" in status


def test_the_requester_says_no_and_the_model_is_told(desk: Desk, ordered: Make, bob: User) -> None:
    call = ordered()
    assert desk.decide(call, bob, Answer("reject", reason="Too dear.")) == gate.Decided("denied", ready=True)
    told = desk.told_the_model(call)
    assert told["status"] == "DENIED"
    assert "Too dear." in told["message"]


@pytest.mark.parametrize("second", ["approve", "reject"])
def test_a_second_decision_is_refused(desk: Desk, ordered: Make, bob: User, second: str) -> None:
    """T08: one terminal decision ever."""
    call = ordered()
    desk.decide(call, bob)
    verdict = desk.decide(call, bob, Answer(second))
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "conflict"
    assert Vote.objects.count() == 1


def test_nobody_else_decides_for_the_requester(desk: Desk, ordered: Make, alice: User, adam: User) -> None:
    call = ordered()
    for somebody in (alice, adam):
        verdict = desk.decide(call, somebody)
        assert isinstance(verdict, gate.Refused)
        assert verdict.code == "forbidden"


def test_who_neither_asked_nor_reviews_is_told_nothing(desk: Desk, ordered: Make, charlie: User) -> None:
    """T33: the same answer as for a question that does not exist."""
    call = ordered()
    Membership.objects.create(user=charlie, role="member")
    verdict = desk.decide(call, charlie)
    with ledger.writing(desk.topic) as log:
        absent = gate.decide(log, "no-such-id", actor(desk.tenant, charlie), Answer())
    assert verdict == absent


def test_a_question_of_another_conversation_is_not_found(desk: Desk, ordered: Make, bob: User) -> None:
    question = Confirmation.objects.get(call=ordered())
    with ledger.writing(Topic.objects.create().pk) as log:
        verdict = gate.decide(log, question.pk, actor(desk.tenant, bob), Answer(digest=question.digest))
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "not_found"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(digest="0" * 64), "digest_mismatch"),
        (Answer(arguments={"thing": "yacht"}), "invalid_arguments"),
        (Answer(decision="maybe"), "bad_request"),
    ],
)
def test_only_what_was_shown_can_be_approved(
    desk: Desk, ordered: Make, bob: User, answer: Answer, code: str
) -> None:
    """T02: what the client sends along is compared, never used."""
    call = ordered()
    verdict = desk.decide(call, bob, answer)
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == code
    call.refresh_from_db()
    assert (call.status, call.arguments) == (CallStatus.HELD, {"item": "shoes", "count": 1})


def test_the_same_arguments_sent_back_are_fine(desk: Desk, ordered: Make, bob: User) -> None:
    call = ordered()
    verdict = desk.decide(call, bob, Answer(arguments={"count": 1.0, "item": "shoes"}))
    assert isinstance(verdict, gate.Decided)


def test_too_late_is_refused(desk: Desk, ordered: Make, bob: User) -> None:
    """T10."""
    call = ordered()
    Confirmation.objects.update(decide_by=timezone.now())
    verdict = desk.decide(call, bob)
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "expired"


@pytest.mark.parametrize(
    ("proof", "code"),
    [(None, "proof_needed"), ({}, "proof_needed"), ({"password": ""}, "proof_needed"),
     ({"code": "123456"}, "proof_needed"), ({"password": "wrong"}, "proof_wrong")],
)  # fmt: skip
def test_a_critical_call_needs_the_right_proof(
    desk: Desk, paid: Make, bob: User, proof: dict[str, str] | None, code: str
) -> None:
    verdict = desk.decide(paid(), bob, Answer(proof=proof))
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == code


def test_the_right_password_approves(desk: Desk, paid: Make, bob: User) -> None:
    assert desk.decide(paid(), bob, Answer(proof=YES)) == gate.Decided("approved", ready=True)
    assert Vote.objects.get().proof == "password"


def test_saying_no_needs_no_proof(desk: Desk, paid: Make, bob: User) -> None:
    assert desk.decide(paid(), bob, Answer("reject")) == gate.Decided("denied", ready=True)


def test_five_wrong_proofs_lock_the_question(desk: Desk, paid: Make, bob: User) -> None:
    """T67: even the right password does not help before the time is over."""
    call = paid()
    codes = [desk.decide(call, bob, Answer(proof={"password": "no"})).code for _ in range(MAX_WRONG_PROOFS)]
    assert codes == ["proof_wrong"] * (MAX_WRONG_PROOFS - 1) + ["locked_out"]
    locked = desk.decide(call, bob, Answer(proof=YES))
    assert isinstance(locked, gate.Refused)
    assert locked.code == "locked_out"
    Confirmation.objects.update(locked_until=timezone.now() - timedelta(seconds=1))
    assert isinstance(desk.decide(call, bob, Answer(proof=YES)), gate.Decided)


def test_a_one_time_code_holds_once(desk: Desk, bob: User, settings: object) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}  # type: ignore[attr-defined]
    desk.tool("pay", "CRITICAL", confirmation={"by": "user", "proof": "code"})
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(bob, secret)
    code = totp.format_hotp_value(totp.hotp_value(secret, next(iter(totp.yield_hotp_counters_from_time()))))
    first, second = desk.ask("pay"), desk.ask("pay")
    assert isinstance(desk.decide(first, bob, Answer(proof={"code": code})), gate.Decided)
    again = desk.decide(second, bob, Answer(proof={"code": code}))
    assert isinstance(again, gate.Refused)
    assert again.code == "proof_wrong"


def test_a_recovery_code_holds_once_and_in_place_of_a_code_only(desk: Desk, bob: User, rita: User) -> None:
    desk.tool("pay", "CRITICAL", confirmation={"by": "user", "proof": "code"})
    codes = RecoveryCodes.activate(bob).get_unused_codes()
    first, second = (desk.ask("pay", {"item": name}) for name in ("a", "b"))
    alone = desk.decide(first, bob, Answer(proof={"code": codes[0]}))
    assert isinstance(alone, gate.Refused), "they stand in for an authenticator app, and there is none"
    totp.TOTP.activate(bob, totp.generate_totp_secret())
    assert isinstance(desk.decide(first, bob, Answer(proof={"code": codes[0]})), gate.Decided)
    again = desk.decide(second, bob, Answer(proof={"code": codes[0]}))
    assert isinstance(again, gate.Refused) and again.code == "proof_wrong"
    foreign = RecoveryCodes.activate(rita).get_unused_codes()[0]
    assert isinstance(desk.decide(second, bob, Answer(proof={"code": foreign})), gate.Refused)
    assert isinstance(desk.decide(second, bob, Answer(proof={"code": codes[1]})), gate.Decided)
    desk.tool("pay", "CRITICAL", confirmation={"by": "user", "proof": "password"})
    with_password = desk.ask("pay", {"item": "c"})
    assert isinstance(desk.decide(with_password, bob, Answer(proof={"code": codes[2]})), gate.Refused)


def test_a_proof_is_for_one_answer_alone(desk: Desk, paid: Make, bob: User) -> None:
    """What was typed for one question opens no other, and does not outlive a change of what is asked."""
    one, other = paid(), paid()
    assert isinstance(desk.decide(one, bob, Answer(proof=YES)), gate.Decided)
    unproved = desk.decide(other, bob, Answer())
    assert isinstance(unproved, gate.Refused) and unproved.code == "proof_needed"
    stale = desk.decide(other, bob, Answer(digest="0" * 64, proof=YES))
    assert isinstance(stale, gate.Refused) and stale.code == "digest_mismatch"


def test_a_reviewer_is_asked_for_proof_too(desk: Desk, bob: User, rita: User) -> None:
    desk.tool("pay", "CRITICAL")
    call = desk.ask("pay")
    desk.decide(call, bob, Answer(proof=YES))
    unproved = desk.decide(call, rita, Answer())
    assert isinstance(unproved, gate.Refused) and unproved.code == "proof_needed"
    wrong = desk.decide(call, rita, Answer(proof={"password": "no"}))
    assert isinstance(wrong, gate.Refused) and (wrong.code, wrong.tries_left) == ("proof_wrong", 4)
    assert isinstance(desk.decide(call, rita, Answer(proof=YES)), gate.Decided)


@pytest.mark.parametrize(
    ("proof", "told"), [("any", "neither a password"), ("code", "Set up an authenticator app")]
)
def test_who_has_nothing_to_prove_with_is_told_what_to_do(
    desk: Desk, bob: User, proof: str, told: str
) -> None:
    bob.set_unusable_password()
    bob.save()
    desk.tool("pay", "CRITICAL", confirmation={"by": "user", "proof": proof})
    call = desk.ask("pay")
    assert {"name": "nobody_can_approve"} in call.flags
    for given in (None, {"password": ""}, {"code": ""}):
        refused = desk.decide(call, bob, Answer(proof=given))
        assert isinstance(refused, gate.Refused) and refused.code == "proof_needed" and told in refused.detail


def test_the_users_half_waits_for_a_reviewer(desk: Desk, bob: User, rita: User) -> None:
    desk.tool("pay", "CRITICAL")
    call = desk.ask("pay")
    assert desk.decide(call, bob, Answer(proof=YES)) == gate.Decided("pending", ready=False)
    call.refresh_from_db()
    assert (call.status, call.confirmation.user_approved) == (CallStatus.HELD, True)
    (status,) = desk.events("tool_call.status")
    assert (status["status"], status["needsReviewer"]) == ("held", True)
    told = gate.pending_answer(call)
    assert '"status": "PENDING_CONFIRMATION"' in told
    assert '"confirm_type": "review"' in told
    assert isinstance(desk.claim(call), gate.Lost)
    assert desk.decide(call, rita, Answer(proof=YES)) == gate.Decided("approved", ready=True)
    assert isinstance(desk.claim(call), gate.Claimed)


def test_four_eyes(desk: Desk, rita: User, alice: User) -> None:
    """T09: whoever asked, whatever their role, does not review their own call."""
    desk.user = rita
    desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "none"})
    call = desk.ask("pay")
    verdict = desk.decide(call, rita)
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "forbidden"
    assert isinstance(desk.decide(call, alice), gate.Decided)


def test_two_votes_come_from_two_people(desk: Desk, rita: User, alice: User) -> None:
    desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "none", "votes": 2})
    call = desk.ask("pay")
    assert desk.decide(call, rita) == gate.Decided("pending", ready=False)
    again = desk.decide(call, rita)
    assert isinstance(again, gate.Refused)
    assert again.code == "conflict"
    assert desk.decide(call, alice) == gate.Decided("approved", ready=True)


def test_approving_one_of_a_batch_releases_no_other(desk: Desk, ordered: Make, bob: User) -> None:
    """T11."""
    one, other = ordered(), ordered()
    desk.decide(one, bob)
    other.refresh_from_db()
    assert other.status == CallStatus.HELD
    assert isinstance(desk.claim(other), gate.Lost)


def test_one_questions_digest_does_not_answer_another(desk: Desk, ordered: Make, bob: User) -> None:
    one, other = ordered(), ordered()
    verdict = desk.decide(one, bob, Answer(digest=other.digest))
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "digest_mismatch"


def test_the_password_is_stored_nowhere(desk: Desk, paid: Make, bob: User) -> None:
    """T61."""
    desk.decide(paid(), bob, Answer(proof=YES))
    rows = [*Vote.objects.values(), *Confirmation.objects.values(), *ToolCall.objects.values()]
    assert PASSWORD not in repr(rows) + repr(desk.events())
