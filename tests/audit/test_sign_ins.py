"""Sign-ins in the audit log: in whose tenants, by which way, and what a wrong one tells."""

from __future__ import annotations

import json

import pytest
from allauth.mfa.totp.internal.auth import (
    TOTP,
    generate_totp_secret,
)
from django.test import Client

from platform_site import tokens
from platform_site.models import AuditEntry, Membership, Tenant, User
from platform_site.tenancy import acting_for
from tests.audit.conftest import log_of, verbs_of
from tests.audit.stage import (
    Stage,
    change_password,
    sign_in,
    stage,
)
from tests.conftest import PASSWORD

__all__ = ["stage"]
pytestmark = pytest.mark.django_db


def test_a_sign_in_is_noted_where_the_person_takes_part(
    stage: Stage, other_tenant: Tenant, charlie: User
) -> None:
    """In each of their tenants, and in no other; a stranger's wrong try in none."""
    with acting_for(other_tenant):
        Membership.objects.create(user=stage.bob)
    sign_in(stage.bob)
    assert verbs_of(stage.tenant)[-1] == "signin.ok"
    assert verbs_of(other_tenant) == ["signin.ok"]
    before = AuditEntry.objects.across_tenants().count()
    Client().post("/accounts/login/", {"login": "nobody@nowhere.test", "password": "x"})
    assert AuditEntry.objects.across_tenants().count() == before
    ours = verbs_of(stage.tenant)
    sign_in(charlie)
    assert verbs_of(other_tenant) == ["signin.ok", "signin.ok"]
    assert verbs_of(stage.tenant) == ours


def test_a_program_that_signs_in_is_noted(stage: Stage) -> None:
    asked = {"email": stage.bob.email, "password": PASSWORD, "tenant": "acme"}
    before = len(verbs_of(stage.tenant))
    for changes in ({}, {"password": "wrong"}, {"tenant": "globex"}):
        Client().post("/api/v1/auth/token", asked | changes, "application/json")
    assert verbs_of(stage.tenant)[before:] == ["token.made", "signin.failed", "signin.failed"]


def test_a_wrong_one_time_code_is_noted(stage: Stage) -> None:
    """The password was right: nobody is in yet, and somebody knows it."""
    TOTP.activate(stage.bob, generate_totp_secret())
    before = len(verbs_of(stage.tenant))
    browser = sign_in(stage.bob)
    assert verbs_of(stage.tenant)[before:] == []
    browser.post("/accounts/2fa/authenticate/", {"code": "000000"})
    asked = {"email": stage.bob.email, "password": PASSWORD, "tenant": "acme", "code": "000000"}
    Client().post("/api/v1/auth/token", asked, "application/json")
    failed = log_of(stage.tenant)[before:]
    assert [(e.verb, e.way, json.loads(e.details)) for e in failed] == [
        ("signin.failed", "page", {"why": "one-time code"}),
        ("signin.failed", "api", {"why": "one-time code"}),
    ]


def test_a_new_password_tells_which_tokens_it_ended(stage: Stage) -> None:
    tokens.make(stage.bob, "robot", ["read"])
    change_password(stage)
    assert verbs_of(stage.tenant)[-2:] == ["password.changed", "token.revoked"] or verbs_of(stage.tenant)[-3:-1] == [
        "password.changed", "token.revoked",
    ]  # fmt: skip
