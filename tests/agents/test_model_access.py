"""Which key a model is asked with, and where it goes: a tenant's and the operator's never mix."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from pydantic import SecretStr

from agents.providers import access
from agents.providers.access import account_for
from agents.providers.base import ProviderError
from agents.spec import ModelSpec
from platform_site import secrets
from platform_site.env import BASE_DIR, env
from platform_site.models import Credential, Tenant
from platform_site.tenancy import acting_for


@pytest.fixture(autouse=True)
def _operators(monkeypatch: Any) -> None:
    monkeypatch.setattr(env, "openai_api_key", SecretStr("sk-operators"))
    monkeypatch.setattr(env, "openai_base_url", "http://operators.test/v1")
    monkeypatch.setattr(env, "gemini_api_key", SecretStr("g-operators"))
    monkeypatch.setattr(env, "gemini_base_url", "")
    access.forget()


def credential(
    tenant: Tenant, provider: str = "openai", key: str = "sk-tenants", base_url: str = ""
) -> Credential:
    with acting_for(tenant):
        made = Credential.objects.create(
            slug=f"{provider}-{base_url[-8:-4]}", provider=provider, base_url=base_url
        )
        if key:
            made.sealed = secrets.seal(key, secrets.context_of(made))
            made.save(update_fields=["sealed"])
    return made


def model(
    provider: str = "openai", credential: Credential | None = None, tenant: Tenant | None = None
) -> ModelSpec:
    return ModelSpec(
        "m", provider, "model-1", credential=credential.pk if credential else "", tenant=tenant.pk if tenant else ""
    )  # fmt: skip


def test_a_model_without_a_credential_uses_the_operators_key_at_the_operators_address() -> None:
    for provider in ("openai", "openai-responses"):
        own = account_for(model(provider))
        assert (own.key, own.base_url, own.trusted) == ("sk-operators", "http://operators.test/v1", True)
    gemini = account_for(model("gemini"))
    assert (gemini.key, gemini.base_url) == ("g-operators", access.PUBLIC["gemini"])


def test_an_address_without_a_key_is_enough_and_nothing_at_all_is_not(monkeypatch: Any) -> None:
    monkeypatch.setattr(env, "openai_api_key", None)
    assert account_for(model()).key == ""
    monkeypatch.setattr(env, "openai_base_url", "")
    with pytest.raises(ProviderError, match="No key is set"):
        account_for(model())


def test_a_tenants_key_goes_to_its_own_address_or_the_providers_and_never_to_the_operators(
    tenant: Tenant,
) -> None:
    """T61."""
    tenant.egress = ["10.0.0.1:8000"]
    tenant.save()
    public = account_for(model(credential=credential(tenant), tenant=tenant))
    assert (public.key, public.base_url, public.trusted) == ("sk-tenants", access.PUBLIC["openai"], False)
    assert public.egress == ("10.0.0.1:8000",)
    at_home = credential(tenant, base_url="http://10.0.0.1:8000/v1")
    assert account_for(model("openai-responses", at_home, tenant)).base_url == "http://10.0.0.1:8000/v1"


def test_the_operators_key_never_goes_to_a_tenants_address(tenant: Tenant) -> None:
    """T61."""
    keyless = credential(tenant, key="", base_url="http://evil.test/v1")
    assert account_for(model(credential=keyless, tenant=tenant)).key == ""
    with pytest.raises(ProviderError, match="has no key"):
        account_for(model(credential=credential(tenant, key=""), tenant=tenant))


def test_another_tenants_credential_is_not_there(tenant: Tenant, other_tenant: Tenant) -> None:
    theirs = credential(other_tenant)
    assert account_for(model(credential=theirs, tenant=other_tenant)).key == "sk-tenants"
    with pytest.raises(ProviderError, match="no longer there"):
        account_for(model(credential=theirs, tenant=tenant))


def test_a_key_goes_only_to_the_provider_it_is_for(tenant: Tenant) -> None:
    for kind in ("http", "gemini", "perplexity"):
        with pytest.raises(ProviderError, match="another provider"):
            account_for(model("openai", credential(tenant, kind), tenant))
    perplexity = account_for(
        model("perplexity", credential(tenant, "perplexity", base_url="http://p.test/abc"), tenant)
    )
    assert perplexity.base_url == "http://p.test/abc"


def test_a_key_that_cannot_be_opened_is_an_auth_error(tenant: Tenant) -> None:
    """T62."""
    made = credential(tenant)
    with acting_for(tenant):
        Credential.objects.filter(pk=made.pk).update(sealed="k9:nonsense")
    with pytest.raises(ProviderError, match="cannot be opened") as raised:
        account_for(model(credential=made, tenant=tenant))
    assert raised.value.code == "auth"


@pytest.mark.django_db(transaction=True)
def test_an_account_is_remembered_for_a_few_seconds_and_then_read_anew(
    tenant: Tenant, monkeypatch: Any
) -> None:
    spec = model(credential=credential(tenant), tenant=tenant)
    read = async_to_sync(access.account)
    assert read(spec).key == "sk-tenants"
    with acting_for(tenant):
        row = Credential.objects.get(pk=spec.credential)
        row.sealed = secrets.seal("sk-changed", secrets.context_of(row))
        row.save()
    assert read(spec).key == "sk-tenants"
    monkeypatch.setattr(access, "KEEP_S", 0.0)
    assert read(spec).key == "sk-changed"


def test_no_sdk_is_imported_before_a_model_is_asked() -> None:
    """They take up to seconds, which every command would pay: only what `LazyProvider` imports may need them."""
    heavy = {"openai", "google", "google.genai"}
    sources = {
        ".".join(path.relative_to(BASE_DIR).with_suffix("").parts): ast.parse(text).body
        for room in ("agents", "conversations", "platform_site", "tools")
        for path in (BASE_DIR / room).rglob("*.py")
        if "agents.providers" in (text := path.read_text()) or "openai" in text or "google" in text
    }
    while more := {name for name, body in sources.items() if imported(body) & heavy} - heavy:
        heavy |= more
    ours = {name for name in heavy if name in sources}
    assert "agents.providers.openai_chat" in ours and "agents.providers.gemini" in ours
    assert all(re.fullmatch(r"agents\.providers\.(openai|gemini)_?\w*", name) for name in ours), ours


def imported(body: list[ast.stmt]) -> set[str]:
    """What a module imports when it is imported itself."""
    found = set[str]()
    for line in body:
        if isinstance(line, ast.Import):
            found |= {name.name for name in line.names}
        if isinstance(line, ast.ImportFrom) and line.module:
            found |= {line.module, *(f"{line.module}.{name.name}" for name in line.names)}
    return found
