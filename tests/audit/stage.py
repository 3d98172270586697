"""A tenant to do things in, each of which is to be noted: Alice's, her browser at the console, and Bob."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from agents import catalogue as agents_catalogue
from conversations import actions
from conversations.reminders import claiming, delivering
from conversations.reminders import verbs as reminders
from conversations.reminders.models import Reminder
from conversations.reminders.verbs import Wish
from platform_site import people
from platform_site.access import Actor, actor_for_session
from platform_site.models import Membership, Tenant, User, Webhook
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, Rows, fields_of, furnish
from tests.conftest import PASSWORD
from tools.models import CallAttempt

DEMO = {"slug": "demo", "provider": "demo", "name": "demo"}
CANARY = "sk-canary-1234567890"


class Stage:
    """Alice's tenant, her browser at the console, and Bob to do things to."""

    def __init__(self, tenant: Tenant, alice: User, bob: User) -> None:
        self.tenant, self.alice, self.bob = tenant, alice, bob
        self.rows: Rows = furnish(tenant, alice)
        self.browser = Client(REMOTE_ADDR="192.0.2.7")
        self.browser.force_login(alice)

    @property
    def actor(self) -> Actor:
        found = actor_for_session(self.alice, self.tenant.slug)
        assert found
        return found

    def hook(self) -> str:
        """Make a webhook; where its pages are."""
        asked = {
            "name": "ops",
            "url": "https://hooks.example.com/?key=canary",
            "kinds": "confirmation_waiting",
        }
        self.browser.post(f"{HOME}platform_site/webhook/add/", asked)
        with acting_for(self.tenant):
            return f"{HOME}platform_site/webhook/{Webhook.objects.get().pk}/"

    def mark_as_known(self, **more: str) -> None:
        with acting_for(self.tenant):
            row = CallAttempt.objects.first() or CallAttempt.objects.create(
                call=self.rows.call,
                number=1,
                tool="pay",
                outcome="rejected",
                chain=self.rows.call.pk,
                raw="{",
            )
        self.browser.post(f"/t/acme/review/failures/{row.pk}/known/", {"note": "Old model.", **more})

    def in_form(self, path: str, **changes: Any) -> None:
        """Save a page of the console with these changes."""
        page = self.browser.get(HOME + path)
        answer = self.browser.post(HOME + path, fields_of(page) | changes)
        assert answer.status_code == 302, answer.context["adminform"].form.errors

    def switch(self, row: str, on: bool) -> None:
        table = {"tool": "tools/tool", "agent": "agents/agent"}[row]
        page = self.browser.get(f"{HOME}{table}/{getattr(self.rows, row).pk}/change/")
        fields = fields_of(page)
        fields.pop("is_enabled", None)
        self.browser.post(
            f"{HOME}{table}/{getattr(self.rows, row).pk}/change/",
            fields | ({"is_enabled": "on"} if on else {}),
        )

    def membership(self, user: User) -> str:
        return Membership.objects.get(user=user).pk


@pytest.fixture
def stage(inside: Tenant, alice: User, bob: User) -> Stage:
    return Stage(inside, alice, bob)


def sign_in(user: User, password: str = PASSWORD) -> Client:
    browser = Client(REMOTE_ADDR="192.0.2.7")
    browser.post("/accounts/login/", {"login": user.email, "password": password})
    return browser


def sign_out(stage: Stage) -> None:
    sign_in(stage.bob).post("/accounts/logout/")


def change_password(stage: Stage) -> None:
    new = {"oldpassword": PASSWORD, "password1": "another-pass-99", "password2": "another-pass-99"}
    sign_in(stage.bob).post("/accounts/password/change/", new)


def add_second(stage: Stage) -> Client:
    """As Bob does it in the browser; recovery codes come with it."""
    browser = sign_in(stage.bob)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    secret = browser.get("/accounts/2fa/totp/activate/").context["form"].secret
    now = next(iter(yield_hotp_counters_from_time()))
    browser.post("/accounts/2fa/totp/activate/", {"code": format_hotp_value(hotp_value(secret, now))})
    return browser


def remove_second(stage: Stage) -> None:
    add_second(stage).post("/accounts/2fa/totp/deactivate/")


def delete_model(stage: Stage) -> None:
    spare, _ = agents_catalogue.save_model({**DEMO, "slug": "spare"})
    stage.browser.post(f"{HOME}agents/languagemodel/{spare.pk}/delete/", {"post": "yes"})


def reseal(stage: Stage) -> None:
    stage.in_form(f"platform_site/credential/{stage.rows.credential.pk}/change/", api_key=CANARY)
    call_command("secrets", "rotate", stdout=StringIO())


def deactivate_and_back(stage: Stage) -> None:
    people.deactivate(stage.actor, stage.membership(stage.bob))
    people.reactivate(stage.actor, stage.membership(stage.bob))


def remind(stage: Stage) -> None:
    """Set, change, pause, resume and delete a reminder of Alice's, which was due meanwhile."""
    talk = actions.create_conversation(stage.actor, stage.rows.agent.slug)
    wish = Wish("daily", "09:00", "Say hello", action="run")
    one = reminders.set_(stage.actor, talk.pk, wish).pk
    Reminder.objects.filter(pk=one).update(next_due=timezone.now())
    assert [delivering.deliver(due.occurrence) for due in claiming.claim_due(timezone.now())] == [True]
    reminders.change(stage.actor, one, wish)
    for verb in (reminders.pause, reminders.resume, reminders.delete):
        verb(stage.actor, one)
