"""What is noted: everything that configures a tenant, touches a secret or lets somebody in, each with who did it.

`DONE` has a row for every verb but those of calls and grants, which the gate notes; a verb nobody notes fails here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from agents import catalogue as agents_catalogue
from agents.usage import saving
from agents.usage.models import LimitKind
from conversations import actions
from conversations.reminders import claiming, delivering
from conversations.reminders import verbs as reminders
from conversations.reminders.models import Reminder
from conversations.reminders.verbs import Wish
from platform_site import audit, people, tokens
from platform_site.access import Actor, actor_for_session
from platform_site.audit.verifying import Sound, verify
from platform_site.audit.words import VERBS
from platform_site.models import AuditEntry, Credential, Membership, Tenant, User, Webhook
from platform_site.setup.config_file import apply_file
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, Rows, fields_of, furnish, tool_definition
from tests.audit.conftest import log_of, verbs_of
from tests.conftest import PASSWORD
from tools import catalogue
from tools.models import CallAttempt

pytestmark = pytest.mark.django_db
GATE = ("call.", "grant.")
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


DONE: dict[str, Callable[[Stage], Any]] = {
    "reminder.set": remind,
    "reminder.changed": remind,
    "reminder.paused": remind,
    "reminder.resumed": remind,
    "reminder.deleted": remind,
    "reminder.asked": remind,
    "tenant.created": lambda s: apply_file({"tenant": {"slug": "fresh", "name": "Fresh"}}, None),
    "tenant.changed": lambda s: apply_file({"tenant": {"slug": "acme", "name": "Acme & Co"}}, s.alice),
    "configuration.applied": lambda s: apply_file({"tenant": {"slug": "acme", "name": "Acme"}}, s.alice),
    "configuration.exported": lambda s: s.browser.get(HOME + "configuration/export/"),
    "audit.exported": lambda s: s.browser.get(HOME + "platform_site/auditentry/export/csv/"),
    "tool.version_saved": lambda s: catalogue.save_tool(tool_definition(risk="CONFIRM"), s.alice),
    "tool.switched_off": lambda s: s.switch("tool", False),
    "tool.switched_on": lambda s: (s.switch("tool", False), s.switch("tool", True)),
    "agent.version_saved": lambda s: s.in_form(
        f"agents/agent/{s.rows.agent.pk}/change/", instructions="New."
    ),
    "agent.switched_off": lambda s: s.switch("agent", False),
    "agent.switched_on": lambda s: (s.switch("agent", False), s.switch("agent", True)),
    "model.saved": lambda s: s.in_form(f"agents/languagemodel/{s.rows.model.pk}/change/", name="demo-2"),
    "model.deleted": delete_model,
    "group.saved": lambda s: s.in_form(f"tools/reviewergroup/{s.rows.group.pk}/change/", name="Notaries"),
    "group.deleted": lambda s: s.browser.post(
        f"{HOME}tools/reviewergroup/{s.rows.group.pk}/delete/", {"post": "yes"}
    ),
    "credential.saved": lambda s: s.in_form(
        f"platform_site/credential/{s.rows.credential.pk}/change/", api_key=CANARY
    ),
    "credential.tested": lambda s: s.browser.post(f"{HOME}agents/languagemodel/{s.rows.model.pk}/try/"),
    "secrets.resealed": reseal,
    "limit.saved": lambda s: saving.save(saving.Wanted(LimitKind.RUNS, Decimal(5)), s.alice),
    "limit.deleted": lambda s: saving.delete(
        saving.save(saving.Wanted(LimitKind.RUNS, Decimal(5)), s.alice)[0], s.alice
    ),
    "webhook.saved": lambda s: s.hook(),
    "webhook.secret_made": lambda s: s.hook(),
    "webhook.deleted": lambda s: s.browser.post(f"{s.hook()}delete/", {"post": "yes"}),
    "notices.changed": lambda s: s.browser.post(f"{HOME}platform_site/webhook/wait/", {"minutes": 9}),
    "failures.exported": lambda s: s.browser.get("/t/acme/review/failures/export.csv?tool=pay"),
    "failure.known": lambda s: s.mark_as_known(),
    "failure.unknown": lambda s: (s.mark_as_known(), s.mark_as_known(undo="1")),
    "member.added": lambda s: people.add_person(s.actor, "new@acme.test", "member"),
    "member.role_changed": lambda s: people.change_role(s.actor, s.membership(s.bob), "admin"),
    "member.deactivated": deactivate_and_back,
    "member.reactivated": deactivate_and_back,
    "token.made": lambda s: tokens.make(s.alice, "robot 2", ["read"]),
    "token.revoked": lambda s: s.browser.post(f"{HOME}platform_site/apitoken/{s.rows.token.pk}/revoke/"),
    "signin.ok": lambda s: sign_in(s.bob),
    "signin.failed": lambda s: sign_in(s.bob, "wrong"),
    "signin.out": sign_out,
    "password.changed": change_password,
    "second_factor.added": add_second,
    "second_factor.removed": remove_second,
}
ALONE = {"signin.ok", "signin.out", "password.changed", "second_factor.added", "second_factor.removed"}
"""Done by Bob himself."""
NOBODY = {"signin.failed", "tenant.created", "secrets.resealed", "reminder.asked"}
"""By whom is not known, or by the operator."""


def test_every_verb_but_the_gates_is_noted_somewhere() -> None:
    assert DONE.keys() == {verb for verb in VERBS if not verb.startswith(GATE)}


@pytest.mark.parametrize("verb", DONE)
def test_it_is_noted_who_did_what(verb: str, stage: Stage) -> None:
    """T64 for configuration and sign-ins: one entry for each, by the one who did it, and the chain stays sound.

    With a second factor come recovery codes, which are one, too.
    """
    before = AuditEntry.objects.count()
    DONE[verb](stage)
    tenant = stage.tenant if verb != "tenant.created" else Tenant.objects.get(slug="fresh")
    fresh = [e for e in log_of(tenant) if e.verb == verb and (tenant != stage.tenant or e.number > before)]
    assert len(fresh) == (2 if verb.startswith("second_factor.") else 1), verbs_of(tenant)
    who = "" if verb in NOBODY else (stage.bob if verb in ALONE else stage.alice).email
    assert fresh[0].actor_name == who
    assert fresh[0].object_kind and fresh[0].object_name
    with acting_for(tenant):
        assert isinstance(verify(), Sound)


def test_what_did_not_happen_is_not_noted(stage: Stage) -> None:
    """Saved as it was, revoked again, refused: no entry."""
    before = verbs_of(stage.tenant)
    catalogue.save_tool(tool_definition(), stage.alice)
    agents_catalogue.save_model(DEMO)
    catalogue.switch_tool(stage.rows.tool, True, stage.alice)
    with pytest.raises(catalogue.BadDefinition):
        catalogue.save_tool(tool_definition(risk="NONE"), stage.alice)
    with pytest.raises(people.Problem):
        people.deactivate(stage.actor, stage.membership(stage.alice))
    stage.browser.get(f"{HOME}tools/tool/{stage.rows.tool.pk}/change/")
    assert verbs_of(stage.tenant) == before
    tokens.revoke(stage.rows.token, by=stage.alice)
    tokens.revoke(stage.rows.token, by=stage.alice)
    assert verbs_of(stage.tenant) == [*before, "token.revoked"]


def test_a_saved_tool_is_found_again_by_its_fingerprint(stage: Stage) -> None:
    """T03: what stood before and after, as the versions themselves say."""
    old = stage.rows.tool.current
    tool, _ = catalogue.save_tool(tool_definition(risk="CONFIRM"), stage.alice)
    entry = log_of(stage.tenant)[-1]
    assert old and tool.current
    assert (entry.before, entry.after) == (old.sha256, tool.current.sha256)
    assert json.loads(entry.details) == {"version": 2, "risk": "CONFIRM"}


def test_from_where_is_the_way_in_the_address_and_the_request(stage: Stage, data_dir: Any) -> None:
    stage.browser.post(
        f"{HOME}platform_site/apitoken/{stage.rows.token.pk}/revoke/", headers={"X-Request-ID": "given-id-1"}
    )
    entry = log_of(stage.tenant)[-1]
    assert (entry.way, entry.ip, entry.request) == ("console", "192.0.2.7", "given-id-1")
    _token, raw = tokens.make(stage.alice, "x", ["configure"])
    Client().patch(
        f"/api/v1/t/acme/tools/{stage.rows.tool.pk}", {"is_enabled": False}, "application/json",
        headers={"Authorization": f"Bearer {raw}"},
    )  # fmt: skip
    assert (log_of(stage.tenant)[-1].verb, log_of(stage.tenant)[-1].way) == ("tool.switched_off", "api")
    file = data_dir / "acme.json"
    file.write_text(json.dumps({"tenant": {"slug": "acme", "name": "Acme"}}))
    call_command("apply", str(file), stdout=StringIO())
    entry = log_of(stage.tenant)[-1]
    assert (entry.verb, entry.way, entry.actor_name) == ("configuration.applied", "command", "")


@pytest.mark.parametrize(
    ("proxies", "seen"), [(0, "127.0.0.1"), (1, "198.51.100.9"), (2, "203.0.113.5"), (4, "127.0.0.1")]
)
def test_behind_proxies_the_address_is_the_one_they_vouch_for(
    stage: Stage, settings: Any, proxies: int, seen: str
) -> None:
    """Whatever the client itself claims in front of them."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    stage.browser.get(
        HOME + "configuration/export/", headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.5, 198.51.100.9"},
        REMOTE_ADDR="127.0.0.1",
    )  # fmt: skip
    assert log_of(stage.tenant)[-1].ip == seen


def test_a_websockets_address_is_found_the_same_way(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    scope: dict[str, Any] = {
        "client": ("127.0.0.1", 5),
        "headers": [(b"X-Forwarded-For", b"6.6.6.6, 192.0.2.1")],
    }
    assert audit.address_of_scope(scope) == "192.0.2.1"
    assert audit.address_of_scope({"client": None, "headers": []}) == ""


def test_no_secret_is_ever_noted(stage: Stage) -> None:
    """T61: keys, passwords, tokens and one-time codes go in, and neither they nor their fingerprints come out."""
    secret = generate_totp_secret()
    TOTP.activate(stage.alice, secret)
    _token, raw = tokens.make(stage.bob, "robot", ["read"])
    apply_file(
        {
            "tenant": {"slug": "acme", "name": "Acme"},
            "credentials": [{"slug": "other", "provider": "http", "api_key": CANARY}],
            "people": [{"email": "eve@acme.test", "role": "member", "password": "canary-pass-1"}],
        },
        None,
    )
    stage.in_form(f"platform_site/credential/{stage.rows.credential.pk}/change/", api_key=CANARY)
    sign_in(stage.bob, "canary-wrong")
    change_password(stage)
    sealed = list(Credential.objects.exclude(sealed="").values_list("sealed", flat=True))
    written = str(list(AuditEntry.objects.values()))
    for one in (CANARY, raw, secret, "canary", PASSWORD, "another-pass-99", *sealed):
        assert one not in written
    assert "credential.saved" in written and "new_key" in written


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


def test_a_file_that_is_refused_leaves_no_entry(stage: Stage) -> None:
    """T64: all or nothing goes for its notes too."""
    from platform_site.setup.config_file import BadConfiguration

    before = verbs_of(stage.tenant)
    with pytest.raises(BadConfiguration):
        apply_file(
            {
                "tenant": {"slug": "acme", "name": "Other"},
                "tools": [tool_definition("fine"), {"name": "bad"}],
            },
            stage.alice,
        )
    assert verbs_of(stage.tenant) == before
