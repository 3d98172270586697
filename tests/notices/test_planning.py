"""Who is told of what waits, when, and in what language; and that nobody is told who has nothing to decide."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from platform_site import ledger
from platform_site.models import Membership, Notice, Tenant, User, Webhook
from tests.conftest import PASSWORD, Role, person
from tests.notices.conftest import Desk, deliver, later, mailed, make_hook, plan
from tests.review.queued import BY_REVIEWER
from tests.tools.conftest import Answer, actor, definition
from tools import catalogue, gate
from tools.models import Confirmation, ReviewerGroup


def kinds(notices: list[Notice]) -> list[tuple[str, str]]:
    return sorted((one.kind, one.recipient.email if one.recipient else one.channel) for one in notices)


def decide(desk: Desk, question: Confirmation, who: User, **more: str) -> None:
    question.refresh_from_db()
    answer = Answer(digest=question.digest, **more)  # type: ignore[arg-type]
    with ledger.writing(question.call.topic) as log:
        verdict = gate.decide(log, question.pk, actor(desk.tenant, who), answer)
    assert isinstance(verdict, gate.Decided), verdict


def test_reviewers_are_told_after_five_minutes(desk: Desk, rita: User, alice: User) -> None:
    desk.hold()
    assert plan(minutes=4.9) == []
    assert kinds(plan(minutes=5.1)) == [
        ("confirmation_waiting", "alice@acme.test"), ("confirmation_waiting", "rita@acme.test")
    ]  # fmt: skip


def test_a_tenant_chooses_how_long_to_wait(desk: Desk, rita: User) -> None:
    desk.hold()
    Tenant.objects.update(notify_after_s=0)
    assert len(plan(seconds=1)) == 1


def test_they_are_reminded_before_the_time_is_over(desk: Desk, rita: User) -> None:
    """Fifteen minutes to decide: at twelve."""
    desk.hold()
    deliver(minutes=6)
    assert len(plan(minutes=11.9)) == 1
    assert [one.kind for one in plan(minutes=12.1)] == ["confirmation_waiting", "confirmation_expiring"]
    assert len(plan(minutes=14)) == 2, "once"


def test_who_was_away_is_told_of_the_end_alone(desk: Desk, rita: User) -> None:
    """Nobody planned for a while: two mails about the same at once help nobody."""
    desk.hold()
    assert [one.kind for one in plan(minutes=13)] == ["confirmation_expiring"]


def test_planning_twice_makes_nothing_twice(desk: Desk, rita: User, hook: Webhook) -> None:
    desk.hold()
    assert plan(minutes=6) == plan(minutes=6.1)


def test_who_asked_is_not_told_as_a_reviewer(desk: Desk, rita: User, alice: User) -> None:
    """Four eyes: Rita's own question is not hers to decide."""
    desk.hold(by=rita)
    assert kinds(plan(minutes=6)) == [("confirmation_waiting", "alice@acme.test")]


def test_only_the_groups_that_cover_a_tool_are_told(desk: Desk, rita: User, alice: User) -> None:
    ReviewerGroup.objects.create(slug="buyers", name="Buyers", members=[rita.pk], tools=["order"])
    desk.hold()
    assert kinds(plan(minutes=6)) == [("confirmation_waiting", "rita@acme.test")]


def test_who_asked_is_told_when_it_is_theirs(desk: Desk, rita: User) -> None:
    catalogue.save_tool(definition("mine", "CONFIRM"), None)
    question = desk.hold(name="mine")
    assert kinds(plan(minutes=6)) == [("confirmation_waiting", "bob@acme.test")]
    assert Notice.objects.get().data["path"] == f"/t/acme/c/{question.call.topic}/"


def test_after_them_the_reviewers_whose_time_begins_then(desk: Desk, rita: User) -> None:
    catalogue.save_tool(
        definition("both", "CONFIRM", confirmation={"by": "user+reviewer", "decide_within_s": 7200}), None
    )
    question = desk.hold(name="both")
    assert kinds(plan(minutes=6)) == [("confirmation_waiting", "bob@acme.test")]
    Confirmation.objects.update(created_at=timezone.now() - timedelta(hours=1))
    decide(desk, question, desk.bob)
    assert len(plan(minutes=4)) == 1, "they have had four minutes"
    assert ("confirmation_waiting", "rita@acme.test") in kinds(plan(minutes=6))


def test_who_has_agreed_is_not_asked_again(desk: Desk, rita: User, alice: User) -> None:
    catalogue.save_tool(definition("order", "CONFIRM", confirmation=BY_REVIEWER | {"votes": 2}), None)
    question = desk.hold()
    decide(desk, question, rita)
    assert kinds(plan(minutes=6)) == [("confirmation_waiting", "alice@acme.test")]


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_what_is_decided_is_told_no_more(desk: Desk, rita: User, decision: str) -> None:
    question = desk.hold()
    assert len(plan(minutes=6)) == 1
    decide(desk, question, rita, decision=decision, reason="No.")
    assert [one.status for one in plan(minutes=6.1)] == ["cancelled"]
    assert deliver(minutes=13) == [] and mail.outbox == []


def test_what_expired_or_was_withdrawn_is_told_no_more(desk: Desk, rita: User) -> None:
    one = desk.hold()
    desk.hold({"item": "hats"})
    plan(minutes=6)
    gate.expire(one.decide_by + timedelta(seconds=1))
    assert {notice.status for notice in plan(minutes=6.1)} == {"cancelled"}
    assert deliver(minutes=13) == []


def test_decided_between_planning_and_sending(desk: Desk, rita: User) -> None:
    """Found at the claim: the planner need not have looked again."""
    from tests.notices.conftest import take

    question = desk.hold()
    plan(minutes=6)
    decide(desk, question, rita)
    assert take(later(minutes=6)) == []
    assert Notice.objects.get().status == "cancelled"


def test_who_may_not_decide_any_more_gets_no_mail(desk: Desk, rita: User, alice: User) -> None:
    desk.hold()
    plan(minutes=6)
    Membership.objects.filter(user=rita).update(role=Role.MEMBER)
    deliver(minutes=6)
    assert mailed() == ["alice@acme.test"]


def test_people_switch_their_mail_off(desk: Desk, rita: User, alice: User) -> None:
    Membership.objects.filter(user=rita).update(mail_notices=False)
    desk.hold()
    deliver(minutes=6)
    assert mailed() == ["alice@acme.test"]


def test_where_nobody_is_to_be_told_the_log_says_so_once(desk: Desk, rita: User) -> None:
    Membership.objects.update(mail_notices=False)
    desk.hold()
    assert [(one.channel, one.status) for one in plan(minutes=6)] == [("none", "nobody")]
    assert len(plan(minutes=7)) == 1


def test_another_tenants_people_and_hooks_hear_nothing(
    desk: Desk, rita: User, other_tenant: Tenant, charlie: User
) -> None:
    """T32."""
    from platform_site.tenancy import acting_for

    person(other_tenant, "Olga", Role.OWNER)
    with acting_for(other_tenant):
        make_hook("theirs")
    desk.hold()
    plan(minutes=6)
    found = Notice.objects.across_tenants()
    assert [(one.tenant_id, one.recipient_id) for one in found] == [(desk.tenant.pk, rita.pk)]


def test_a_tenant_that_was_switched_off_sends_nothing(desk: Desk, rita: User) -> None:
    desk.hold()
    Tenant.objects.update(is_active=False)
    assert plan(minutes=6) == []


def test_a_mail_says_what_waits_and_never_the_arguments(desk: Desk, rita: User) -> None:
    """T61: a mailbox is read by others."""
    question = desk.hold({"item": "canary-argument"})
    deliver(minutes=6)
    (sent,) = mail.outbox
    assert sent.subject == "[Acme] Waiting for your decision: Place an order"
    for words in ("Place an order", "needs confirmation", "Bob", "8 minutes",
                  f"https://sluice.example.org/t/acme/review/queue/{question.pk}/", "/t/acme/notices/"):  # fmt: skip
        assert words in sent.body
    assert "canary" not in sent.message().as_string()
    assert sent.extra_headers["Message-ID"].startswith(f"<{Notice.objects.get().pk}@")


def test_it_is_in_the_language_of_who_reads_it(desk: Desk, rita: User, alice: User) -> None:
    """Each person's own; else the tenant's."""
    from django.utils import translation

    from platform_site.notices.words import mail_about

    labels = {"en": {"title": "Place an order"}, "zh-hans": {"title": "下单"}}
    catalogue.save_tool(definition("order", "CONFIRM", labels=labels, confirmation=BY_REVIEWER), None)
    User.objects.filter(pk=rita.pk).update(locale="zh-hans")
    desk.hold()
    deliver(minutes=6)
    subjects = {one.to[0]: one.subject for one in mail.outbox}
    assert "下单" in subjects["rita@acme.test"] and "Place an order" in subjects["alice@acme.test"]
    desk.tenant.locale = "zh-hans"
    with translation.override("en"):
        data = Notice.objects.all()[0].data
        assert "下单" in mail_about("confirmation_waiting", data, alice, desk.tenant, later()).subject


def test_names_that_people_chose_cannot_break_a_mail(desk: Desk, rita: User) -> None:
    """No second header, no second line, no wall of text."""
    User.objects.filter(pk=desk.bob.pk).update(name="Bob\r\nBcc: all@acme.test\u202e" + "x" * 80)
    Tenant.objects.update(name="Acme\nCc: x")
    desk.hold()
    deliver(minutes=6)
    (sent,) = mail.outbox
    assert "\nBcc:" not in sent.message().as_string() and "\u202e" not in sent.body
    assert sent.subject.startswith("[Acme Cc: x]")


def test_the_link_asks_who_one_is_and_leads_there(desk: Desk, rita: User) -> None:
    question = desk.hold()
    plan(minutes=6)
    path = Notice.objects.get().data["path"]
    browser = Client()
    first = browser.get(path)
    assert (first.status_code, first["Location"]) == (302, f"/accounts/login/?next={path}")
    signed_in = browser.post(first["Location"], {"login": rita.email, "password": PASSWORD})
    assert (signed_in.status_code, signed_in["Location"]) == (302, path)
    assert browser.get(path).context["question"].pk == question.pk
    stranger = Client()
    stranger.force_login(desk.bob)
    assert stranger.get(path).status_code == 403
