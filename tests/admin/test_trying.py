"""The test buttons of the console: a credential and a model tried against a real (local) server."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from pydantic import SecretStr

from agents import try_views
from agents.catalogue import save_model
from agents.models import LanguageModel
from agents.providers import access
from platform_site import secrets
from platform_site.env import env
from platform_site.models import AuditEntry, Credential, Tenant, User
from platform_site.tenancy import acting_for
from platform_site.throttle import Limit
from tests.admin.conftest import HOME, errors_at
from tests.model_server import ANSWER, ModelServer, serving

pytestmark = pytest.mark.django_db(transaction=True)

CREDENTIALS = HOME + "platform_site/credential/"
MODELS = HOME + "agents/languagemodel/"
KEY = "canary-key-9321"
NAME = "tiny-llama:1b"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(KEY) as running:
        yield running


@pytest.fixture(autouse=True)
def _fresh_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    access.forget()
    for name in ("openai_api_key", "gemini_api_key"):
        monkeypatch.setattr(env, name, None)
    for name in ("openai_base_url", "gemini_base_url"):
        monkeypatch.setattr(env, name, "")
    monkeypatch.setattr(env, "model_egress", None)


@pytest.fixture
def allowed(tenant: Tenant, server: ModelServer) -> Tenant:
    """The operator let the tenant reach the server."""
    Tenant.objects.filter(pk=tenant.pk).update(egress=[server.place])
    return tenant


@pytest.fixture
def credential(console: Client, allowed: Tenant, server: ModelServer) -> Credential:
    """As an admin adds it."""
    form = {"slug": "own", "provider": "openai", "base_url": server.base_url + "/", "api_key": KEY}
    assert console.post(CREDENTIALS + "add/", form).status_code == 302
    return Credential.objects.across_tenants().get(slug="own")


@pytest.fixture
def model(console: Client, credential: Credential) -> LanguageModel:
    form = {"slug": "tiny", "provider": "openai", "credential": credential.pk, "name": NAME, "tools": "on",
            "context": "8192", "temperature": "0.2", "max_output_tokens": "64", "input_price": "0",
            "output_price": "0"}  # fmt: skip
    assert console.post(MODELS + "add/", form).status_code == 302
    return LanguageModel.objects.across_tenants().get(slug="tiny")


def tried(console: Client, thing: Credential | LanguageModel, what: str = "ask", name: str = "") -> str:
    where = "credential/" if isinstance(thing, Credential) else ""
    answer = console.post(
        f"{MODELS}{where}{thing.pk}/try/", {"what": what, "name": name}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return answer.content.decode()


def noted(tenant: Tenant) -> list[str]:
    with acting_for(tenant):
        return [
            entry.details for entry in AuditEntry.objects.filter(verb="credential.tested").order_by("number")
        ]


def test_a_model_answers(console: Client, model: LanguageModel, server: ModelServer, tenant: Tenant) -> None:
    shown = tried(console, model)
    assert ANSWER in shown
    assert "21 / 5" in shown
    (sent,) = server.chats
    assert (sent["model"], sent["temperature"]) == (NAME, 0.2)
    (note,) = noted(tenant)
    assert '"answered"' in note
    assert KEY not in note


def test_a_credential_answers_by_the_name_of_a_model(console: Client, credential: Credential) -> None:
    assert ANSWER in tried(console, credential, name=NAME)
    assert "Type the name" in tried(console, credential)


def test_the_servers_models_can_be_picked(console: Client, credential: Credential) -> None:
    """And added: the form is filled in by the link."""
    shown = tried(console, credential, "names")
    assert "tiny-llama:1b" in shown
    assert "8192 tokens" in shown
    link = (
        f"{MODELS}add/?provider=openai&credential={credential.pk}&name=tiny-llama%3A1b&slug=tiny-llama-1b"
        "&context=8192"
    )
    assert link.replace("&", "&amp;") in shown
    form = console.get(link).content.decode()
    assert 'value="tiny-llama:1b"' in form
    assert 'value="8192"' in form


def test_without_scripts_it_is_a_page(console: Client, model: LanguageModel) -> None:
    page = console.post(f"{MODELS}{model.pk}/try/", {"what": "ask"}).content.decode()
    assert ANSWER in page
    assert f"{MODELS}{model.pk}/change/" in page


@pytest.mark.parametrize(
    ("status", "error", "code", "advice"),
    [
        (401, {"message": "Incorrect API key provided"}, "auth", "Enter the key again"),
        (429, {"code": "insufficient_quota", "message": "quota"}, "quota_exhausted", "billing"),
        (429, {"code": "rate_limit_exceeded", "message": "slow"}, "rate_limited", "Wait a minute"),
        (503, {"message": "loading"}, "overloaded", "Try again later"),
        (400, {"message": "temperature is not supported"}, "bad_request", "Compare"),
    ],
)
def test_what_went_wrong_is_told_with_advice(
    console: Client, model: LanguageModel, server: ModelServer, status: int, error: dict[str, Any], code: str,
    advice: str,
) -> None:  # fmt: skip
    server.failing = (status, error)
    shown = tried(console, model)
    assert f">{code}<" in shown
    assert advice in shown
    assert error["message"] in shown
    assert len(server.chats) == 1, "a test is one request"


def test_a_server_that_is_not_there(console: Client, model: LanguageModel, server: ModelServer) -> None:
    server.shutdown()
    server.server_close()
    assert ">network<" in tried(console, model)
    assert ">network<" in tried(console, model, "names")


def test_a_key_that_is_echoed_is_shown_nowhere(
    console: Client, model: LanguageModel, credential: Credential, server: ModelServer, tenant: Tenant,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """T61: in answers, errors, logs at DEBUG, pages, the audit log, the exported file, the columns."""
    caplog.set_level(logging.DEBUG)
    server.echoing = True
    seen = [tried(console, model), tried(console, credential, name=NAME)]
    server.failing = (400, {"message": "x"})
    seen += [tried(console, model), tried(console, credential, "names")]
    server.key = "another"
    seen += [tried(console, model), tried(console, model, "names")]
    seen += [console.get(path).content.decode() for path in (
        CREDENTIALS, f"{CREDENTIALS}{credential.pk}/change/", MODELS, f"{MODELS}{model.pk}/change/",
        HOME + "configuration/export/", HOME + "platform_site/auditentry/",
    )]  # fmt: skip
    seen += noted(tenant)
    seen += [str(row) for row in Credential.objects.across_tenants().values()]
    seen.append(caplog.text)
    assert len(server.chats) == 4
    assert "you sent" in seen[2], "the server's own words are shown"
    assert [text for text in seen if KEY in text] == []


def test_a_tenants_key_that_fails_does_not_become_the_installations(
    console: Client,
    credential: Credential,
    model: LanguageModel,
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """T35: neither a wrong key nor a lost one is replaced by the operator's."""
    monkeypatch.setattr(env, "openai_base_url", server.base_url)
    server.key = "the operators"
    assert ">auth<" in tried(console, model)
    with acting_for(str(credential.tenant_id)):
        Credential.objects.update(sealed="k1:" + "A" * 60)
    assert ">auth<" in tried(console, model)
    assert {key for _what, key, _body in server.seen} == {KEY}


def test_a_model_without_a_credential_uses_the_installations_own(
    console: Client, tenant: Tenant, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T35: while the operator lends it, and never shown."""
    monkeypatch.setattr(env, "openai_base_url", server.base_url)
    monkeypatch.setattr(env, "openai_api_key", SecretStr(KEY))
    with acting_for(tenant):
        model, _made = save_model({"slug": "lent", "provider": "openai", "name": NAME})
    assert ANSWER in tried(console, model)
    page = console.get(MODELS).content.decode()
    assert "the installation&#x27;s own" in page
    assert KEY not in page + console.get(f"{MODELS}{model.pk}/change/").content.decode()
    monkeypatch.setattr(env, "share_model_keys", False)
    assert ">auth<" in tried(console, model)
    assert "the installation&#x27;s own" not in console.get(MODELS).content.decode()
    assert len(server.chats) == 1


def test_a_private_server_is_the_operators_to_allow(
    console: Client, tenant: Tenant, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T05: refused when it is saved, with the command that allows it."""
    form = {"slug": "own", "provider": "openai", "base_url": server.base_url, "api_key": KEY}
    page = console.post(CREDENTIALS + "add/", form)
    assert f'"egress": ["{server.place}"]' in errors_at(page, "base_url")
    assert "manage.py apply -" in errors_at(page, "base_url")
    monkeypatch.setattr(env, "model_egress", [server.place])
    assert console.post(CREDENTIALS + "add/", form).status_code == 302


def test_what_was_allowed_once_is_asked_again_at_each_connection(
    console: Client, model: LanguageModel, tenant: Tenant, server: ModelServer
) -> None:
    """T05: and a name is judged by where it leads."""
    Tenant.objects.filter(pk=tenant.pk).update(egress=[])
    shown = tried(console, model)
    assert ">bad_request<" in shown
    assert "manage.py apply -" in shown
    assert ">bad_request<" in tried(console, model, "names")
    assert server.seen == []


def test_tests_are_counted(
    console: Client, model: LanguageModel, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T68."""
    monkeypatch.setattr(try_views, "LIMIT", Limit("model-try", 2, 600))
    assert [ANSWER in tried(console, model) for _ in range(3)] == [True, True, False]
    assert len(server.chats) == 2


def test_nobody_elses_things_are_tried(
    console: Client,
    model: LanguageModel,
    credential: Credential,
    other_tenant: Tenant,
    bob: User,
    signed_in: Any,
) -> None:
    """T32, T65."""
    with acting_for(other_tenant):
        foreign = Credential.objects.create(slug="theirs", provider="openai")
        other, _made = save_model(
            {"slug": "theirs", "provider": "openai", "name": "x", "credential": "theirs"}
        )
    for path in (f"credential/{foreign.pk}/try/", f"{other.pk}/try/"):
        assert console.post(MODELS + path, {"what": "ask", "name": "x"}).status_code == 404
    assert console.get(f"{MODELS}{model.pk}/try/").status_code == 405
    assert signed_in(bob).post(f"{MODELS}{model.pk}/try/").status_code in (403, 404)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = console.cookies
    assert strict.post(f"{MODELS}{model.pk}/try/", {"what": "ask"}).status_code == 403


def test_a_key_is_removed_when_asked(console: Client, credential: Credential) -> None:
    page = f"{CREDENTIALS}{credential.pk}/change/"
    same = {"provider": "openai", "base_url": credential.base_url}
    both = console.post(page, same | {"clear_key": "on", "api_key": "new"})
    assert "not both" in errors_at(both, "clear_key")
    assert console.post(page, same | {"clear_key": "on"}).status_code == 302
    assert secrets.key_of(Credential.objects.across_tenants().get(pk=credential.pk)) == ""
    assert "id_clear_key" not in console.get(page).content.decode()


def test_what_was_tried_stands_in_the_audit_log(
    console: Client, model: LanguageModel, tenant: Tenant
) -> None:
    tried(console, model)
    tried(console, model, "names")
    assert [("answered" in note, "listed" in note) for note in noted(tenant)] == [
        (True, False),
        (False, True),
    ]
