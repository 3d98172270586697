"""The demo tenants: made when they are missing, then left to their admins; never on a server that others reach."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import authenticate

from agents.models import Agent
from platform_site.env import env
from platform_site.management.commands.up import serves_only_itself
from platform_site.models import Membership, Tenant, User
from platform_site.setup.mall import MALL
from platform_site.setup.seed import PASSWORD, seed
from platform_site.tenancy import acting_for
from tools.models import Tool, ToolVersion

ORIGIN = "http://127.0.0.1:8801"
ORIGINS = {"mall": ORIGIN, "desk": "http://127.0.0.1:8802"}


@pytest.mark.django_db
def test_each_demo_tenant_has_its_people_and_an_agent(tmp_path: Path) -> None:
    assert seed(tmp_path, ORIGINS) == ["mall", "studio", "desk"]
    for tenant in Tenant.objects.all():
        with acting_for(tenant):
            roles = set(Membership.objects.values_list("role", "user__email"))
            assert roles == {
                (role, f"{role}@{tenant.slug}.test") for role in ("owner", "admin", "reviewer", "member")
            }
            assert Agent.objects.exists()
            assert Tool.objects.filter(name="suggest_replies").exists()


@pytest.mark.django_db
def test_the_demo_password_opens_every_account(tmp_path: Path) -> None:
    seed(tmp_path, ORIGINS)
    for user in User.objects.all():
        assert authenticate(username=user.email, email=user.email, password=PASSWORD) == user


@pytest.mark.django_db
def test_seeding_again_leaves_what_admins_changed(tmp_path: Path) -> None:
    seed(tmp_path, ORIGINS)
    Tenant.objects.filter(slug="studio").update(name="Ours now")
    assert seed(tmp_path, ORIGINS) == []
    assert Tenant.objects.get(slug="studio").name == "Ours now"


@pytest.mark.django_db
def test_seeding_never_touches_an_account_that_was_there(tmp_path: Path) -> None:
    """T41, in spirit: a public password is given only to accounts made with it."""
    User.objects.create_user("owner@mall.test", "a-password-of-my-own")
    seed(tmp_path, ORIGINS)
    assert User.objects.get(email="owner@mall.test").check_password("a-password-of-my-own")


@pytest.mark.django_db
def test_the_malls_tools_call_the_real_backend_and_may_reach_it(tmp_path: Path) -> None:
    seed(tmp_path, ORIGINS)
    tenant = Tenant.objects.get(slug="mall")
    assert tenant.egress == ["127.0.0.1:8801"]
    assert urls_of(tenant, ORIGIN) == 15


@pytest.mark.django_db
def test_a_moved_backend_gives_each_of_its_tools_one_new_version(tmp_path: Path) -> None:
    seed(tmp_path, ORIGINS)
    tenant = Tenant.objects.get(slug="mall")
    for _ in range(2):
        MALL.follow(tmp_path, "http://127.0.0.1:9901")
    tenant.refresh_from_db()
    assert tenant.egress == ["127.0.0.1:9901"]
    assert (urls_of(tenant, ORIGIN), urls_of(tenant, "http://127.0.0.1:9901")) == (0, 15)
    with acting_for(tenant):
        assert ToolVersion.objects.filter(number=2).count() == 15
        assert not ToolVersion.objects.filter(number=3).exists()


def urls_of(tenant: Tenant, origin: str) -> int:
    with acting_for(tenant):
        definitions = [
            tool.current.definition for tool in Tool.objects.select_related("current") if tool.current
        ]
    return sum(
        definition["executor"].get("url", "").startswith(origin + "/api/") for definition in definitions
    )


@pytest.mark.parametrize(
    ("host", "https", "allowed", "answer"),
    [
        ("127.0.0.1", False, ["127.0.0.1", "localhost", "[::1]"], True),
        ("0.0.0.0", False, ["127.0.0.1", "localhost", "[::1]"], False),
        ("127.0.0.1", True, ["127.0.0.1"], False),
        ("127.0.0.1", False, ["sluice.example.org"], False),
        ("127.0.0.1", False, ["*"], False),
    ],
)
def test_no_demo_where_others_may_come_in(
    host: str,
    https: bool,
    allowed: list[str],
    answer: bool,
    monkeypatch: pytest.MonkeyPatch,
    settings: pytest.FixtureRequest,
) -> None:
    """A public password behind a proxy would be an open door, so a loopback address alone is not enough."""
    monkeypatch.setattr(env, "host", host)
    monkeypatch.setattr(env, "https", https)
    settings.ALLOWED_HOSTS = allowed  # type: ignore[attr-defined]
    assert serves_only_itself() is answer
