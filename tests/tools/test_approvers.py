"""Could anybody approve? Said of a tool when it is saved, and of a call when people are asked (T09)."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP

from platform_site.models import Membership, Role, Tenant, User
from tests.conftest import PASSWORD, person
from tests.tools.conftest import Answer, Desk
from tools import gate
from tools.models import ReviewerGroup
from tools.spec import ConfirmationPolicy, HttpExecutor, Rule, ToolSpec

pytestmark = pytest.mark.django_db


def spec(by: str = "user+reviewer", proof: str = "any", votes: int = 1, **more: Any) -> ToolSpec:
    asks = ConfirmationPolicy(by, proof, 600, 60, votes)  # type: ignore[arg-type]  # as in a definition
    return ToolSpec(
        "wipe", "Wipes.", {"type": "object", "properties": {}}, more.pop("risk", "CRITICAL"),
        HttpExecutor("POST", "https://x.test/"), confirmation=asks, **more,
    )  # fmt: skip


def said(tool: ToolSpec) -> str:
    return " ".join(str(one) for one in gate.warnings_of(tool))


@pytest.fixture
def two(inside: Tenant, rita: User, adam: User, bob: User) -> Tenant:
    """Rita and Adam may review, Bob may not."""
    return inside


def test_all_is_well_with_one_reviewer_more_than_it_takes(two: Tenant) -> None:
    assert said(spec()) == ""
    assert said(spec(by="user")) == ""
    assert said(spec(risk="SAFE")) == "", "nobody is asked"


def test_nobody_may_review(inside: Tenant, bob: User) -> None:
    assert "it takes 1 reviewer, and 0 here may review" in said(spec())


def test_too_few_for_the_votes_it_takes(two: Tenant) -> None:
    assert "it takes 3 reviewers, and 2 here may review" in said(spec(votes=3))


def test_the_last_reviewer_cannot_ask(two: Tenant, rita: User) -> None:
    """Four eyes: with Rita gone, Adam could approve for others, and nobody for Adam."""
    Membership.objects.filter(user=rita).update(is_active=False)
    assert "one of its reviewers asks for" in said(spec())


def test_nobody_can_prove(two: Tenant, rita: User, adam: User) -> None:
    assert "no person here has an authenticator app" in said(spec(by="user", proof="code"))
    assert "too few of its reviewers have an authenticator app" in said(spec(by="reviewer", proof="code"))
    for reviewer in (rita, adam):
        TOTP.activate(reviewer, "JBSWY3DPEHPK3PXP")
    assert said(spec(by="user+reviewer", proof="code")) == ""


def test_a_group_without_anybody_who_may(two: Tenant, rita: User, adam: User, bob: User) -> None:
    group = ReviewerGroup.objects.create(slug="g", name="Lawyers", tools=["wipe"], members=[bob.pk])
    assert "of the groups it belongs to (Lawyers) 0 may review" in said(spec())
    group.members = [rita.pk, adam.pk]
    group.save()
    assert said(spec()) == ""


def test_a_rule_that_asks_for_more_counts(two: Tenant) -> None:
    rule = Rule("much", "false", "critical", "Much.")
    asks = spec(by="user", proof="none", risk="CONFIRM", rules=(rule,))
    Membership.objects.exclude(role=Role.MEMBER).update(is_active=False)
    assert "0 here may review" in said(asks)


def test_a_reviewer_who_cannot_prove_does_not_count(desk: Desk) -> None:
    """At the call it is flagged, and comes true: nobody is left who could. With a password they can."""
    ron = person(desk.tenant, "Ron", Role.REVIEWER)
    ron.set_unusable_password()
    ron.save()
    desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "any"})
    call = desk.ask("pay")
    assert {"name": "nobody_can_approve"} in call.flags
    refused = desk.decide(call, ron)
    assert isinstance(refused, gate.Refused) and refused.code == "proof_needed"
    assert "neither a password nor an authenticator app" in refused.detail
    ron.set_password(PASSWORD)
    ron.save()
    assert isinstance(desk.decide(call, ron, Answer(proof={"password": PASSWORD})), gate.Decided)
