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
    generate_totp_secret,
)
from django.core.management import call_command
from django.test import Client

from agents import catalogue as agents_catalogue
from agents.usage import saving
from agents.usage.models import LimitKind
from platform_site import audit, people, tokens
from platform_site.audit.verifying import Sound, verify
from platform_site.audit.words import VERBS
from platform_site.models import AuditEntry, Credential, Tenant
from platform_site.setup.config_file import BadConfiguration, apply_file
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, tool_definition
from tests.audit.conftest import log_of, verbs_of
from tests.audit.stage import (
    CANARY,
    DEMO,
    Stage,
    add_second,
    change_password,
    deactivate_and_back,
    delete_model,
    remind,
    remove_second,
    reseal,
    sign_in,
    sign_out,
    stage,
)
from tests.conftest import PASSWORD
from tools import catalogue

__all__ = ["stage"]
pytestmark = pytest.mark.django_db
GATE = ("call.", "grant.")


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


def test_a_file_that_is_refused_leaves_no_entry(stage: Stage) -> None:
    """T64: all or nothing goes for its notes too."""
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
