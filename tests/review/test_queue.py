"""The review queue: what waits for whom, in which order, and what of it a person may decide."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from platform_site.ids import new_id
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.review.queued import BY_REVIEWER, HOME, Desk, Reviewer, desk, open_desk, status
from tests.tools.conftest import definition
from tools import catalogue
from tools.models import Confirmation, ReviewerGroup, ToolCall

__all__ = ["desk"]


def test_what_waits_for_a_reviewer_is_theirs_to_decide(desk: Desk, rita: User) -> None:
    question = desk.hold()
    page = Reviewer.of(rita).queue().content.decode()
    assert question.pk in page
    for told in ("Place an order", "Order shoes", "Bob", "Asks first", "0 of 1 reviewers", "Decide"):
        assert told in page


def test_the_most_urgent_stands_first(desk: Desk, rita: User) -> None:
    late, soon = desk.hold(), desk.hold()
    Confirmation.objects.filter(pk=soon.pk).update(decide_by=timezone.now() + timedelta(minutes=1))
    assert Reviewer.of(rita).lines() == [soon.pk, late.pk]


def test_ones_own_calls_are_shown_and_not_decidable(desk: Desk, adam: User, rita: User) -> None:
    """T09: whatever the role."""
    question = desk.hold(by=adam)
    at = Reviewer.of(adam)
    assert at.lines() == []
    assert at.lines(show="open") == [question.pk]
    page = at.look(question)
    assert "You asked for this yourself" in page
    assert 'value="approve"' not in page
    assert at.decide(question).status_code == 403
    assert status(question) == ("pending", "held")
    assert Reviewer.of(rita).decide(question).status_code == 302
    assert status(question) == ("approved", "approved")


def test_what_waits_for_who_asked_is_not_a_reviewers_yet(desk: Desk, rita: User, bob: User) -> None:
    catalogue.save_tool(
        definition("pay", "CRITICAL", confirmation={"by": "user+reviewer", "proof": "none"}), None
    )
    question = desk.hold(name="pay")
    at = Reviewer.of(rita)
    assert at.lines() == []
    assert at.lines(show="open") == [question.pk]
    assert "Bob has yet to agree" in at.look(question)
    Confirmation.objects.filter(pk=question.pk).update(user_approved=True)
    assert at.lines() == [question.pk]
    assert "Bob agreed · 0 of 1 reviewers" in at.look(question)


def test_who_has_voted_waits_for_the_others(desk: Desk, rita: User, adam: User) -> None:
    catalogue.save_tool(definition("order", "CONFIRM", confirmation=BY_REVIEWER | {"votes": 2}), None)
    question = desk.hold()
    rita_at, adam_at = Reviewer.of(rita), Reviewer.of(adam)
    assert "others still have to agree" in rita_at.look(question)
    rita_at.decide(question)
    assert (rita_at.lines(), adam_at.lines()) == ([], [question.pk])
    assert "You have agreed. 1 of 2 reviewers" in rita_at.look(question)
    adam_at.decide(question)
    assert status(question) == ("approved", "approved")


def test_a_groups_calls_are_for_its_members(desk: Desk, rita: User, adam: User) -> None:
    ReviewerGroup.objects.create(slug="buyers", name="Buyers", members=[adam.pk], tools=["order"])
    question = desk.hold()
    assert Reviewer.of(adam).lines() == [question.pk]
    at = Reviewer.of(rita)
    assert at.lines() == []
    assert "Only these reviewers decide about this tool: Buyers." in at.look(question)


def test_a_group_may_be_for_a_domain(desk: Desk, rita: User, adam: User) -> None:
    ReviewerGroup.objects.create(slug="shop", name="Shop", members=[rita.pk], domains=["shop"])
    catalogue.save_tool(definition("order", "CONFIRM", domain="shop", confirmation=BY_REVIEWER), None)
    question = desk.hold()
    assert (Reviewer.of(rita).lines(), Reviewer.of(adam).lines()) == ([question.pk], [])


def test_members_do_not_come_in(desk: Desk, bob: User) -> None:
    """T65."""
    question = desk.hold()
    browser = Reviewer.of(bob).browser
    for path in ("", "queue.json", f"queue/{question.pk}/", "unknown/"):
        assert browser.get(HOME + path).status_code == 403


def test_another_tenants_question_is_not_there(
    desk: Desk, other_tenant: Tenant, charlie: User, rita: User
) -> None:
    """T32."""
    with acting_for(other_tenant):
        question = open_desk(other_tenant, charlie).hold()
    at = Reviewer.of(rita)
    assert at.lines(show="open") == []
    assert at.browser.get(f"{HOME}queue/{question.pk}/").status_code == 404
    assert at.decide(question).status_code == 404
    assert at.state()["waiting"] == 0
    with acting_for(other_tenant):
        assert status(question) == ("pending", "held")


@pytest.mark.parametrize(
    ("asked", "finds"),
    [
        ({"q": "order"}, True),
        ({"q": "bob"}, True),
        ({"q": "BOB@ACME"}, True),
        ({"q": "nobody"}, False),
        ({"q": "%"}, False),
        ({"risk": "CONFIRM"}, True),
        ({"risk": "CRITICAL"}, False),
        ({"risk": "nonsense"}, True),
    ],
)
def test_it_can_be_narrowed(desk: Desk, rita: User, asked: dict[str, str], finds: bool) -> None:
    question = desk.hold()
    assert Reviewer.of(rita).lines(**asked) == ([question.pk] if finds else [])


def test_500_pending_stay_usable(desk: Desk, rita: User) -> None:
    """T13: many of one conversation stand together, the page stays short, and there is no way to approve them all."""
    flood, alone = desk.hold(), desk.hold()
    copies(flood, 499)
    at = Reviewer.of(rita)
    with CaptureQueriesContext(connection) as asked:
        answer = at.queue()
    assert len(asked) < 30
    assert [(len(bundle.rows), bundle.number) for bundle in answer.context["bundles"]] == [(3, 500), (1, 1)]
    assert alone.pk in at.lines()
    page = answer.content.decode()
    assert "and 497 more" in page
    assert "approve" not in page.replace("approve: asks once more", "").lower()
    first = at.lines(talk=flood.call.topic)
    assert len(first) == 50
    assert len(set(first + at.lines(talk=flood.call.topic, page="10"))) == 100
    assert at.state()["waiting"] == 501


def copies(question: Confirmation, number: int) -> None:
    """More of the same, in its conversation; what keeps people from asking so much is not what is tested here."""
    call = ToolCall.objects.get(pk=question.call_id)
    calls, questions = [], []
    for _nth in range(number):
        call.pk = new_id()
        calls.append(ToolCall(**{field.attname: getattr(call, field.attname) for field in call._meta.fields}))
        values = {field.attname: getattr(question, field.attname) for field in question._meta.fields}
        questions.append(Confirmation(**values | {"id": new_id(), "call_id": call.pk}))
    ToolCall.objects.bulk_create(calls)
    Confirmation.objects.bulk_create(questions)


def test_the_badge_counts_what_one_can_decide(desk: Desk, rita: User, adam: User) -> None:
    desk.hold()
    desk.hold(by=adam)
    chat = Reviewer.of(rita).browser.get("/t/acme/").content.decode()
    assert "<span data-number>2</span>" in chat
    assert "<span data-number>1</span>" in Reviewer.of(adam).browser.get("/t/acme/").content.decode()


def test_a_page_that_is_open_notices(desk: Desk, rita: User, adam: User) -> None:
    """A new question, a yes, a no, an execution: each changes what the pages ask for every few seconds."""
    at = Reviewer.of(rita)
    seen = [at.state()["state"]]
    question = desk.hold()
    seen.append(at.state()["state"])
    Reviewer.of(adam).decide(question)
    seen.append(at.state()["state"])
    ToolCall.objects.filter(pk=question.call_id).update(status="claimed")
    seen.append(at.state()["state"])
    assert len(set(seen)) == 4
    assert at.state()["state"] == seen[-1]


def test_the_history_shows_who_decided_and_what_came_of_it(desk: Desk, rita: User) -> None:
    at, topic = Reviewer.of(rita), desk.talk()
    no, yes = desk.hold(topic=topic), desk.hold({"item": "hat"}, topic=topic)
    at.decide(no, "reject", reason="Too dear.")
    at.decide(yes)
    ToolCall.objects.filter(pk=yes.call_id).update(status="unknown")
    page = at.queue(show="history").content.decode()
    assert set(at.lines(show="history")) == {no.pk, yes.pk}
    for told in (
        "Rejected by Rita",
        "Too dear.",
        "Approved by Rita",
        "Outcome unknown",
        "1 call ended without",
    ):
        assert told in page
