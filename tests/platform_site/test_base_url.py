"""A base URL has one reading, and leads to no private place that nobody allowed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platform_site import model_servers
from platform_site.base_url import is_refused, normalised, server_of
from platform_site.egress import Egress
from platform_site.env import env, read_environment
from platform_site.models import Tenant
from platform_site.tenancy import acting_for


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("https://API.OpenAI.com:443/v1/", "https://api.openai.com/v1"),
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("http://[::1]:80/v1", "http://[::1]/v1"),
        ("http://2130706433:8080/v1", "http://127.0.0.1:8080/v1"),
        ("http://0x7f.1/v1", "http://127.0.0.1/v1"),
        ("http://localhost.:8000", "http://localhost:8000"),
        ("https://x.openai.azure.com/openai/deployments/gpt-4o", "https://x.openai.azure.com/openai/deployments/gpt-4o"),
        ("", ""),
    ],
)  # fmt: skip
def test_it_is_kept_in_one_form(written: str, kept: str) -> None:
    """T05: an odd spelling of an address is written out."""
    assert normalised(written) == kept
    assert normalised(kept) == kept


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("ftp://x.test/v1", "Begin with"),
        ("x.test/v1", "Begin with"),
        ("javascript:alert(1)", "Begin with"),
        ("https://", "host name"),
        ("https://user:pass@x.test/v1", "user name"),
        ("https://@x.test/v1", "user name"),
        ("https://x.test/v1?key=1", "?"),
        ("https://x.test/v1?", "?"),
        ("https://x.test/v1#a", "#"),
        ("https://x.test/a/../b", ".."),
        ("https://x.test/%2e%2e/b", "%"),
        ("https://x.test//b", "single slashes"),
        ("https://x.test\\@evil.test/", "ASCII"),
        ("https://x.te st/", "ASCII"),
        ("https://x.test/\n", "ASCII"),
        ("https://mödell.test/", "ASCII"),
        ("https://x.test:99999/", "not a URL"),
        ("https://x.test:0/", "port 0"),
        ("https://[::1/", "not a URL"),
        ("https://x..test/", "host name"),
        ("https://%31.test/", "host name"),
    ],
)
def test_what_has_two_readings_is_refused(written: str, why: str) -> None:
    """T05: and the sentence says what to write instead."""
    with pytest.raises(ValueError, match=re.escape(why)):
        normalised(written)


@given(st.text(alphabet="htps:/@[]?#.%\\a1-_ \t", max_size=20).map("https://".__add__) | st.text(max_size=30))
def test_whatever_is_kept_is_its_own_form(written: str) -> None:
    try:
        kept = normalised(written)
    except ValueError:
        return
    assert normalised(kept) == kept
    if kept:
        assert "@" not in kept.partition("//")[2].partition("/")[0]


@pytest.mark.parametrize(
    ("url", "listed", "refused"),
    [
        ("http://127.0.0.1:11434/v1", [], True),
        ("http://127.0.0.1:11434/v1", ["127.0.0.1:11434"], False),
        ("http://127.0.0.1:11435/v1", ["127.0.0.1:11434"], True),
        ("http://127.0.0.1:11435/v1", ["127.0.0.1:*"], False),
        ("http://10.0.0.1:80/v1", ["127.0.0.1:*"], True),
        ("http://2130706433/v1", [], True),
        ("http://[::ffff:10.0.0.1]/v1", [], True),
        ("http://169.254.169.254/v1", ["127.0.0.1:*"], True),
        ("http://localhost:1/v1", [], True),
        ("http://a.localhost:1/v1", [], True),
        ("http://localhost:1/v1", ["127.0.0.1:1"], False),
        ("http://localhost:1/v1", ["localhost:1"], False),
        ("https://api.openai.com/v1", [], False),
        ("https://8.8.8.8/v1", [], False),
        ("http://ollama:11434/v1", [], False),
    ],
)
def test_a_private_address_needs_the_operator(url: str, listed: list[str], refused: bool) -> None:
    """T05: as far as it is known without asking anybody; a name is judged when it is connected to."""
    assert is_refused(server_of(url), Egress(listed)) is refused


def test_the_operator_allows_it_for_one_tenant_or_for_all(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T05: for model servers; what tools may reach is the tenant's own list alone."""
    monkeypatch.setattr(env, "model_egress", None)
    with acting_for(tenant):
        url = "http://127.0.0.1:11434/v1"
        assert "127.0.0.1:11434" in model_servers.refusal("openai", url)
        assert model_servers.refusal("http", url) == ""
        monkeypatch.setattr(env, "model_egress", ["127.0.0.1:11434"])
        assert model_servers.refusal("openai", url) == ""
        assert tenant.egress == []


def test_a_tenants_name_cannot_break_out_of_the_command(tenant: Tenant) -> None:
    tenant.name = "O'Brien; rm -rf $(x)"
    command = model_servers.allowing(tenant, "127.0.0.1:1")
    assert command.startswith("echo '{")
    assert "'\"'\"'" in command


def test_only_an_installation_for_this_machine_opens_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what the operator said stays as they said it."""
    monkeypatch.setenv("MODEL_EGRESS", "")
    assert read_environment().model_egress == []
    monkeypatch.setattr(env, "model_egress", [])
    model_servers.open_own_machine()
    assert env.model_egress == []
    monkeypatch.setattr(env, "model_egress", None)
    model_servers.open_own_machine()
    assert env.model_egress == ["127.0.0.1:*", "[::1]:*"]
    assert read_environment().model_egress == ["127.0.0.1:*", "[::1]:*"], (
        "the processes it starts know it too"
    )


@pytest.mark.parametrize("value", ["127.0.0.1", "http://x:1", "x:port", "127.0.0.1:1, :5"])
def test_a_list_that_cannot_be_read_is_told(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_EGRESS", value)
    with pytest.raises(SystemExit, match="MODEL_EGRESS"):
        read_environment()
