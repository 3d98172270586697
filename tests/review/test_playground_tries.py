"""Running from the playground: through the gate, on one's own behalf, at most once, and always with a receipt."""

from __future__ import annotations

import pytest

from platform_site import ledger
from platform_site.access import actor_for_session
from platform_site.models import Membership, Role, Tenant, User
from platform_site.tenancy import acting_for
from tests.review.bench import (
    HAPPENED,
    HAT,
    HOME,
    PASSWORD,
    Bench,
    actor_of,
    bench,
    digest,
    person_at,
    switch_off,
    version,
)
from tools import gate
from tools.catalogue import save_tool
from tools.models import AttemptSource, CallAttempt, CallStatus, Confirmation, Tool, ToolCall
from tools.registry import find
from tools.review import trying
from tools.review.playground_tries import Answer

__all__ = ["bench"]


# SAFE: asked, claimed, carried out and settled in one go


def test_what_is_safe_runs_and_shows_its_result(bench: Bench) -> None:
    call = bench.run("look")
    assert call.status == CallStatus.SUCCEEDED
    assert HAPPENED == [("look", "hat")]
    page = bench.show(call).content.decode()
    assert "&quot;price&quot;: 5" in page
    assert (call.run, call.model, call.requester) == ("", "", bench.user)


def test_it_is_recorded_as_a_try_of_a_person(bench: Bench) -> None:
    bench.run("look")
    assert [(row.source, row.tool) for row in CallAttempt.objects.all()] == [
        (AttemptSource.PLAYGROUND, "look")
    ]


def test_bad_arguments_are_rejected_and_nobody_is_asked_for_better_ones(bench: Bench) -> None:
    call = bench.run("look", '{"item": 7}')
    assert call.status == CallStatus.REJECTED
    assert HAPPENED == []
    assert "$.item" in bench.show(call).content.decode()


def test_a_tool_that_breaks_leaves_an_unknown_outcome(bench: Bench) -> None:
    call = bench.run("crash")
    assert call.status == CallStatus.UNKNOWN
    assert "please check before you try it again" in bench.show(call).content.decode()


# CONFIRM and CRITICAL: held, decided on exactly what is shown, carried out once


def test_what_asks_first_waits_and_runs_after_a_yes(bench: Bench) -> None:
    call = bench.run("buy")
    assert (call.status, HAPPENED) == (CallStatus.HELD, [])
    page = bench.show(call).content.decode()
    assert digest(call) in page
    assert "This waits for your decision" in page
    assert bench.do(call, "approve") == CallStatus.SUCCEEDED
    assert HAPPENED == [("buy", "hat")]


def test_a_no_is_final(bench: Bench) -> None:
    call = bench.run("buy")
    assert bench.do(call, "reject", reason="Too dear.") == CallStatus.DENIED
    assert bench.do(call, "approve") == CallStatus.DENIED
    assert HAPPENED == []


@pytest.mark.parametrize("sent", ["", "0" * 64])
def test_a_yes_needs_the_digest_that_was_shown(bench: Bench, sent: str) -> None:
    """T08: what is approved is what was on the page."""
    call = bench.run("buy")
    assert bench.do(call, "approve", digest=sent) == CallStatus.HELD
    assert HAPPENED == []


def test_what_is_critical_needs_its_proof(bench: Bench) -> None:
    call = bench.run("sell")
    assert bench.do(call, "approve") == CallStatus.HELD
    assert bench.do(call, "approve", password="wrong") == CallStatus.HELD
    assert HAPPENED == []
    assert bench.do(call, "approve", password=PASSWORD) == CallStatus.SUCCEEDED
    assert HAPPENED == [("sell", "hat")]


def test_a_wrong_proof_is_told_with_the_tries_left(bench: Bench) -> None:
    call = bench.run("sell")
    sent = {"do": "approve", "digest": digest(call), "password": "wrong"}
    page = bench.browser.post(f"{HOME}tries/{call.pk}/", sent, follow=True)
    assert "4 attempts are left" in page.content.decode()


def test_a_reviewer_agrees_on_the_same_page_and_never_to_their_own(bench: Bench, rita: User) -> None:
    """Four eyes: Adam may review, but not what he asked for himself."""
    call = bench.run("wipe")
    ritas = person_at(rita)
    assert ritas.do(call, "approve") == CallStatus.HELD, "Adam comes first"
    assert bench.do(call, "approve", password=PASSWORD) == CallStatus.HELD
    assert bench.do(call, "approve", password=PASSWORD) == CallStatus.HELD, "he cannot agree twice"
    assert "A reviewer has to agree as well" in bench.show(call).content.decode()
    assert call.name in ritas.open().content.decode(), "it stands among those that wait"
    assert ritas.do(call, "approve", password=PASSWORD) == CallStatus.SUCCEEDED
    assert HAPPENED == [("wipe", "hat")]


def test_what_waits_survives_a_reload_and_can_be_taken_back(bench: Bench) -> None:
    call = bench.run("wipe")
    assert bench.show(call).status_code == 200
    assert bench.do(call, "withdraw") == CallStatus.WITHDRAWN
    assert bench.do(call, "approve", password=PASSWORD) == CallStatus.WITHDRAWN


def test_what_was_approved_elsewhere_is_carried_out_here(bench: Bench) -> None:
    """A yes given over the API claims nothing; whoever asked carries it out from the try's page."""
    call = bench.run("buy")
    with ledger.writing(call.topic) as log:
        answer = Answer("approve", digest(call))
        assert isinstance(gate.decide(log, call.confirmation.pk, actor_of(bench), answer), gate.Decided)
    call.refresh_from_db()
    assert call.status == CallStatus.APPROVED
    assert "Carry it out" in bench.show(call).content.decode()
    assert bench.do(call, "go_on") == CallStatus.SUCCEEDED
    assert bench.do(call, "go_on") == CallStatus.SUCCEEDED
    assert HAPPENED == [("buy", "hat")]


# Who may


def test_only_owners_and_admins_run(bench: Bench, rita: User, bob: User, alice: User) -> None:
    """T65: a reviewer looks and decides, but does not start; a member does not even look."""
    assert person_at(rita).ask("look").status_code == 403
    assert person_at(bob).ask("look").status_code == 403
    assert not ToolCall.objects.exists()
    assert person_at(alice).run("look").status == CallStatus.SUCCEEDED


def test_the_role_one_supposes_is_not_the_role_one_runs_in(bench: Bench) -> None:
    handler = find("tests.look")
    assert handler
    rule = {"name": "owners", "check": 'user.role == "owner"', "severity": "error", "message": "Owners only."}
    save_tool(handler.definition() | {"rules": [rule]}, None)
    assert "It would run at once" in bench.check("look", role=Role.OWNER)["html"]
    assert bench.run("look", role=Role.OWNER).status == CallStatus.REJECTED
    assert HAPPENED == []


def test_who_may_not_run_any_more_gets_nothing_run(bench: Bench, rita: User) -> None:
    """Adam asked and agreed; before the reviewer did, he became a member."""
    call = bench.run("wipe")
    bench.do(call, "approve", password=PASSWORD)
    Membership.objects.filter(user=bench.user).update(role=Role.MEMBER)
    assert person_at(rita).do(call, "approve", password=PASSWORD) == CallStatus.WITHDRAWN
    assert HAPPENED == []
    assert bench.show(call).status_code == 403


def test_others_may_not_go_on_or_take_back(bench: Bench, alice: User) -> None:
    call = bench.run("buy")
    answer = person_at(alice).browser.post(f"{HOME}tries/{call.pk}/", {"do": "withdraw"})
    assert answer.status_code == 403
    assert person_at(alice).do(call, "approve") == CallStatus.HELD
    assert bench.do(call, "approve") == CallStatus.SUCCEEDED


def test_what_is_not_current_or_switched_off_is_not_run(bench: Bench) -> None:
    handler = find("tests.look")
    assert handler
    old = version("look")
    save_tool(handler.definition() | {"description": "Newer."}, None)
    assert b"Only the current version" in bench.ask("look", version=old.pk).content
    switch_off("look")
    assert b"switched off" in bench.ask("look").content
    assert HAPPENED == []
    Tool.objects.filter(name="look").update(is_enabled=True)
    assert bench.run("look").status == CallStatus.SUCCEEDED


def test_a_tool_that_changed_since_is_not_carried_out(bench: Bench) -> None:
    call = bench.run("buy")
    handler = find("tests.buy")
    assert handler
    save_tool(handler.definition() | {"description": "Newer."}, None)
    assert bench.do(call, "approve") == CallStatus.LAPSED
    assert HAPPENED == []


def test_another_tenants_try_is_as_if_it_were_not_there(
    bench: Bench, other_tenant: Tenant, charlie: User
) -> None:
    """T32."""
    with acting_for(other_tenant):
        handler = find("tests.buy")
        assert handler
        save_tool(handler.definition(), None)
        Membership.objects.filter(user=charlie).update(role=Role.OWNER)
        actor = actor_for_session(charlie, "globex")
        assert actor
        theirs = trying.ask(actor, version("buy"), HAT, "k")
        assert isinstance(theirs, trying.Begun)
        sent = {"do": "approve", "digest": Confirmation.objects.get().digest}
    address = f"{HOME}tries/{theirs.call.pk}/"
    assert bench.browser.get(address).status_code == 404
    assert bench.browser.post(address, sent).status_code == 404
    assert bench.browser.get(f"{HOME}tries/{'0' * 32}/").status_code == 404
    with acting_for(other_tenant):
        assert ToolCall.objects.get().status == CallStatus.HELD
    assert HAPPENED == []
