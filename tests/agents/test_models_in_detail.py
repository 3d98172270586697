"""What is said of a model in detail: how much it takes in, how it shall answer, whose key it is asked with."""

from __future__ import annotations

from typing import Any

import pytest

from agents.catalogue import BadDefinition, check_model, model_named, save_model
from agents.config import export_models
from agents.fitting import fits
from platform_site.models import AuditEntry, Credential, Tenant
from platform_site.setup.config_shape import faults_of

pytestmark = pytest.mark.django_db
SETTINGS = {"temperature": 0.2, "top_p": 1, "max_output_tokens": 512, "reasoning_effort": "low", "seed": 7}
MODEL: dict[str, Any] = {"slug": "big", "provider": "openai", "name": "gpt"}


def test_it_is_kept_and_read_back(inside: Tenant) -> None:
    save_model({**MODEL, "context": 128_000, "settings": SETTINGS})
    spec = model_named("big")
    assert spec is not None
    assert (spec.context, dict(spec.settings), spec.tenant) == (128_000, SETTINGS, inside.pk)
    (entry,) = export_models()
    assert (entry["context"], entry["settings"]) == (128_000, SETTINGS)
    assert save_model(entry)[1] is False, "what was exported changes nothing"
    assert faults_of({"tenant": {"slug": "acme", "name": "A"}, "models": [entry]}) == []


def test_what_was_not_said_is_not_sent(inside: Tenant) -> None:
    save_model({**MODEL, "settings": {"temperature": None}})
    spec = model_named("big")
    assert spec is not None
    assert (spec.context, dict(spec.settings)) == (0, {})
    assert not {"context", "settings"} & export_models()[0].keys()


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ({"temperature": 2.1}, "$.settings.temperature"),
        ({"temperature": -1}, "$.settings.temperature"),
        ({"temperature": float("nan")}, "$.settings.temperature"),
        ({"top_p": 0}, "$.settings.top_p"),
        ({"max_output_tokens": 0}, "$.settings.max_output_tokens"),
        ({"max_output_tokens": 1.5}, "$.settings.max_output_tokens"),
        ({"reasoning_effort": "all"}, "$.settings.reasoning_effort"),
        ({"seed": -1}, "$.settings.seed"),
        ({"api_key": "sk-canary"}, "$.settings.api_key"),
    ],
)
def test_a_setting_no_provider_takes_is_named(inside: Tenant, said: dict[str, Any], path: str) -> None:
    with pytest.raises(BadDefinition) as bad:
        check_model({**MODEL, "settings": said})
    assert [error["path"] for error in bad.value.errors] == [path]
    assert "canary" not in str(bad.value)


def test_an_answer_fits_into_the_window(inside: Tenant) -> None:
    assert check_model({**MODEL, "context": 513, "settings": {"max_output_tokens": 512}})
    with pytest.raises(BadDefinition, match="shorter than the context window"):
        check_model({**MODEL, "context": 512, "settings": {"max_output_tokens": 512}})


def test_a_provider_that_is_not_here_is_named(inside: Tenant) -> None:
    with pytest.raises(BadDefinition, match="there is no provider opneai; there are demo, gemini, openai"):
        check_model({**MODEL, "provider": "opneai"})


@pytest.mark.parametrize(
    ("credential", "provider", "is_fit"),
    [
        ("openai", "openai", True),
        ("openai", "openai-responses", True),
        ("openai", "perplexity", True),
        ("perplexity", "perplexity", True),
        ("perplexity", "openai", False),
        ("gemini", "gemini", True),
        ("gemini", "openai", False),
        ("http", "openai", False),
        ("openai", "demo", False),
    ],
)
def test_a_credential_fits_some_providers(
    inside: Tenant, credential: str, provider: str, is_fit: bool
) -> None:
    Credential.objects.create(slug="c", provider=credential)
    assert fits(credential, provider) is is_fit
    definition = {**MODEL, "provider": provider, "credential": "c"}
    if is_fit:
        assert check_model(definition)
    else:
        with pytest.raises(BadDefinition, match=f"is for {credential}"):
            check_model(definition)


def test_a_change_is_noted(inside: Tenant) -> None:
    save_model(MODEL)
    save_model({**MODEL, "context": 8_000, "settings": {"seed": 1}})
    assert '"changed":["context","settings"]' in AuditEntry.objects.order_by("number").last().details  # type: ignore[union-attr]
