"""What holds beyond one call: a standing yes, an earlier no, groups of reviewers, and how many may wait."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from platform_site import ledger
from platform_site.ids import new_id
from platform_site.models import Membership, Role, User
from tests.conftest import person
from tests.tools.conftest import Answer, Desk, actor
from tools import catalogue, gate
from tools.gate import granting
from tools.gate.before_asking import MOST_WAITING
from tools.models import CallStatus, Confirmation, Grant, ReviewerGroup, ToolCall

SHOES, BOOTS = {"item": "shoes", "count": 1}, {"item": "boots", "count": 1}


def decide(desk: Desk, call: ToolCall, wanted: gate.Wanted | None, answer: Answer | None = None) -> Any:
    answer = answer or Answer()
    answer.digest = Confirmation.objects.get(call=call).digest
    with ledger.writing(desk.topic) as log:
        return gate.decide(log, call.confirmation.pk, actor(desk.tenant, desk.user), answer, wanted)


def grant(desk: Desk, *pinned: str, uses: int = 2, minutes: int = 60) -> None:
    desk.tool("order", "CONFIRM")
    decided = decide(desk, desk.ask("order", SHOES), gate.Wanted(pinned, uses, minutes))
    assert isinstance(decided, gate.Decided)


# A standing yes


def test_the_next_calls_with_what_was_pinned_are_cleared(desk: Desk) -> None:
    grant(desk, "item", "count")
    call = desk.ask("order", SHOES)
    assert call.status == CallStatus.CLEARED
    assert call.flags[-1]["name"] == "granted"
    assert Grant.objects.get().uses_left == 1


def test_it_is_never_wider_than_what_was_pinned(desk: Desk) -> None:
    grant(desk, "item")
    assert desk.ask("order", BOOTS).status == CallStatus.HELD
    assert desk.ask("order", {"item": "shoes", "count": 3}).status == CallStatus.CLEARED, (
        "count was left free"
    )


def test_it_ends_with_its_uses_its_time_a_new_version_or_a_revocation(desk: Desk) -> None:
    grant(desk, "item", uses=1)
    assert [desk.ask("order", SHOES).status for _ in range(2)] == [CallStatus.CLEARED, CallStatus.HELD]

    grant(desk, "item")
    Grant.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert desk.ask("order", SHOES).status == CallStatus.HELD

    grant(desk, "item")
    desk.tool("order", "CONFIRM", description="Something else.")
    assert desk.ask("order", SHOES).status == CallStatus.HELD

    desk.tool("order", "CONFIRM")
    decide(desk, desk.ask("order", SHOES), gate.Wanted(["item"], 5, 60))
    newest = Grant.objects.latest("created_at")
    assert granting.revoke(newest.pk, actor(desk.tenant, desk.user))
    assert desk.ask("order", SHOES).status == CallStatus.HELD


def test_only_its_owner_or_an_admin_takes_it_back(desk: Desk, rita: User, adam: User) -> None:
    grant(desk, "item")
    one = Grant.objects.get().pk
    assert not granting.revoke(one, actor(desk.tenant, rita))
    assert granting.revoke(one, actor(desk.tenant, adam))


def test_it_does_not_hold_for_somebody_else(desk: Desk, adam: User) -> None:
    grant(desk, "item")
    other = Desk(desk.tenant, desk.topic, adam)
    assert other.ask("order", SHOES).status == CallStatus.HELD


@pytest.mark.parametrize("policy", [{"by": "user", "proof": "password"}, {"by": "reviewer", "proof": "none"}])
def test_what_takes_more_than_a_click_cannot_be_granted(desk: Desk, policy: dict[str, Any]) -> None:
    desk.tool("order", "CONFIRM", confirmation=policy)
    spec = catalogue.offered(["order"])["order"]
    assert not granting.can_be_granted(spec)


def test_a_critical_call_cannot_be_granted(desk: Desk) -> None:
    desk.tool("pay", "CRITICAL", confirmation={"by": "user", "proof": "none"})
    call = desk.ask("pay")
    verdict = decide(desk, call, gate.Wanted(["item"], 1, 1))
    assert isinstance(verdict, gate.Refused)
    call.refresh_from_db()
    assert call.status == CallStatus.HELD, "the decision was not taken, either"


def test_a_call_that_something_raised_is_asked_about_all_the_same(desk: Desk) -> None:
    """Rule 7: outside text, a call in the text, a mend; a grant is for the ordinary case."""
    grant(desk, "item")
    written = gate.Asked(
        new_id(), "", "order", '{"item": "shoes"}', 0, desk.topic, "r", "m", "demo", source="text"
    )  # type: ignore[arg-type]
    with ledger.writing(desk.topic) as log:
        by = gate.Requester(desk.user, "member")
        assert gate.propose(log, written, catalogue.offered(["order"]), by).status == CallStatus.HELD
    assert desk.ask("order", raw="{'item': 'shoes'}").status == CallStatus.HELD
    desk.tool("fetch", read_only=True, untrusted=True)
    read = desk.ask("fetch")
    with ledger.writing(desk.topic) as log:
        claimed = gate.claim(log, read)
        assert isinstance(claimed, gate.Claimed)
    from tools.outcome import Succeeded

    desk.settle(read, Succeeded("{}"))
    assert desk.ask("order", SHOES).status == CallStatus.HELD


@pytest.mark.parametrize("severity", ["confirm", "critical"])
def test_what_a_rule_raised_is_asked_about_all_the_same(desk: Desk, severity: str) -> None:
    """Rule 7: what a yes was given for is the call without the rule's objection; nor is the raised one granted."""
    many = {"name": "many", "check": "args.count < 5", "severity": severity, "message": "That is a lot."}
    desk.tool("order", "CONFIRM", rules=[many])
    decide(desk, desk.ask("order", SHOES), gate.Wanted(["item"], 3, 60))
    assert desk.ask("order", SHOES).status == CallStatus.CLEARED
    raised = desk.ask("order", SHOES | {"count": 9})
    assert raised.status == CallStatus.HELD
    assert not granting.can_grant(raised.confirmation)
    assert Grant.objects.get().uses_left == 2


# A no holds


def test_what_a_reviewer_denied_is_not_asked_again(desk: Desk, rita: User) -> None:
    desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "none"})
    desk.decide(desk.ask("pay"), rita, Answer("reject", reason="No."))
    again = desk.ask("pay")
    assert again.status == CallStatus.REFUSED
    assert "A reviewer has said no" in desk.told_the_model(again)["message"]
    assert desk.ask("pay", BOOTS).status == CallStatus.HELD, "something else may be asked"


def test_what_the_person_denied_is_asked_again_once_they_have_written(desk: Desk) -> None:
    desk.tool("order", "CONFIRM")
    before = timezone.now()
    desk.decide(desk.ask("order"), desk.user, Answer("reject"))
    assert ask_since(desk, before).status == CallStatus.REFUSED
    assert ask_since(desk, timezone.now()).status == CallStatus.HELD


def test_a_standing_yes_does_not_undo_a_no(desk: Desk) -> None:
    """The call was asked about for how it came, and denied: made as it should be, it is still that call."""
    grant(desk, "item")
    before = timezone.now()
    mended = desk.ask("order", raw="{'item': 'shoes'}")
    assert mended.status == CallStatus.HELD
    desk.decide(mended, desk.user, Answer("reject"))
    assert ask_since(desk, before).status == CallStatus.REFUSED
    assert Grant.objects.get().uses_left == 2
    assert ask_since(desk, timezone.now()).status == CallStatus.CLEARED


def test_a_no_holds_also_where_nobody_would_be_asked(desk: Desk, rita: User) -> None:
    """A harmless tool's call was asked about for how it came; made as it should be, it is still that call."""
    desk.tool("order", "SAFE")
    before = timezone.now()
    asked = gate.Asked(
        new_id(), "", "order", '{"item": "shoes"}', 0, desk.topic, "r", new_id(), "demo", source="text"
    )
    with ledger.writing(desk.topic) as log:
        written = gate.propose(log, asked, catalogue.offered(["order"]), gate.Requester(desk.user, "member"))
    assert written.status == CallStatus.HELD
    desk.decide(written, desk.user, Answer("reject"))
    assert ask_since(desk, before).status == CallStatus.REFUSED
    assert ask_since(desk, timezone.now()).status == CallStatus.CLEARED


def ask_since(desk: Desk, spoke_at: Any) -> ToolCall:
    asked = gate.Asked(
        new_id(), "", "order", '{"item": "shoes"}', 0, desk.topic, "r", new_id(), "demo", spoke_at=spoke_at
    )
    with ledger.writing(desk.topic) as log:
        return gate.propose(log, asked, catalogue.offered(["order"]), gate.Requester(desk.user, "member"))


# Groups, and how many may wait


def test_a_groups_tools_are_decided_by_its_members_alone(desk: Desk, rita: User) -> None:
    """T09."""
    roy = person(desk.tenant, "Roy", Role.REVIEWER)
    ReviewerGroup.objects.create(slug="money", name="Money", members=[roy.pk], tools=["pay"])
    desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "none"})
    call = desk.ask("pay")
    refused = desk.decide(call, rita, Answer())
    assert isinstance(refused, gate.Refused)
    assert refused.code == "forbidden"
    assert isinstance(desk.decide(call, roy, Answer()), gate.Decided)


def test_a_group_covers_the_tools_of_its_domains(desk: Desk, rita: User) -> None:
    ReviewerGroup.objects.create(slug="money", name="Money", members=[], domains=["shop"])
    desk.tool("pay", "CRITICAL", domain="shop", confirmation={"by": "reviewer", "proof": "none"})
    call = desk.ask("pay")
    assert {"name": "nobody_can_approve"} in call.flags
    assert isinstance(desk.decide(call, rita, Answer()), gate.Refused)


def test_who_left_the_group_before_it_was_carried_out_does_not_count(desk: Desk) -> None:
    """T10."""
    roy = person(desk.tenant, "Roy", Role.REVIEWER)
    group = ReviewerGroup.objects.create(slug="money", name="Money", members=[roy.pk], tools=["pay"])
    desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "none"})
    call = desk.ask("pay")
    desk.decide(call, roy, Answer())
    group.members = []
    group.save()
    assert isinstance(desk.claim(call), gate.Lapsed)


def test_a_reviewer_is_no_reviewer_by_a_group_alone(desk: Desk, adam: User) -> None:
    Membership.objects.filter(user=adam).update(role=Role.MEMBER)
    ReviewerGroup.objects.create(slug="money", name="Money", members=[adam.pk], tools=["pay"])
    desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "none"})
    assert isinstance(desk.decide(desk.ask("pay"), adam, Answer()), gate.Refused)


def test_only_so_many_calls_of_one_person_wait_for_reviewers(desk: Desk, rita: User) -> None:
    """T13."""
    desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "none"})
    desk.tool("order", "CONFIRM")
    calls = [desk.ask("pay", {"item": f"shoe {number}"}) for number in range(MOST_WAITING + 1)]
    assert {call.status for call in calls[:-1]} == {CallStatus.HELD}
    assert calls[-1].status == CallStatus.REFUSED
    assert "Too many" in desk.told_the_model(calls[-1])["message"]
    assert desk.ask("order").status == CallStatus.HELD, "what the person decides alone is not counted"


def test_calls_that_are_shown_first_count_while_they_are_looked_at(desk: Desk, rita: User) -> None:
    """T13: one reply may make many, and none of them is held yet."""
    desk.tool("look", read_only=True)
    by_reviewer = {"by": "reviewer", "proof": "none"}
    desk.tool("pay", "CRITICAL", confirmation=by_reviewer, preview={"tool": "look"})
    calls = [desk.ask("pay", {"item": f"shoe {number}"}) for number in range(MOST_WAITING + 1)]
    assert {call.status for call in calls[:-1]} == {CallStatus.PROPOSED}
    assert calls[-1].status == CallStatus.REFUSED
