"""The demo tenant `desk`: it searches at the sample service, wherever that listens."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.models import Agent
from platform_site.models import Credential, Tenant
from platform_site.secrets import key_of
from platform_site.setup.market import MARKET
from platform_site.setup.seed import seed
from platform_site.tenancy import acting_for
from tools.packs.search.account import Account, account_of

ORIGINS = {"mall": "http://127.0.0.1:8801", "desk": "http://127.0.0.1:8802"}


@pytest.mark.django_db
def test_its_account_is_the_sample_service_and_follows_it(tmp_path: Path) -> None:
    seed(tmp_path, ORIGINS)
    for origin in ("http://127.0.0.1:8802", "http://127.0.0.1:9902"):
        MARKET.follow(tmp_path, origin)
        desk = Tenant.objects.get(slug="desk")
        with acting_for(desk):
            account = account_of(desk)
            assert isinstance(account, Account)
            assert account.url == f"{origin}/search/chat/completions"
            assert origin.removeprefix("http://") in account.egress
            assert key_of(Credential.objects.get(slug="search"))


@pytest.mark.django_db
def test_its_agent_has_the_tools_and_scenarios_of_the_desk(tmp_path: Path) -> None:
    seed(tmp_path, ORIGINS)
    with acting_for(Tenant.objects.get(slug="desk")):
        current = Agent.objects.get(slug="assistant").current
        assert current
        ours = {"perplexity_search", "summary", "reminder_set", "reminder_list", "reminder_delete"}
        assert ours <= set(current.definition["tools"])
        assert {one["slug"] for one in current.definition["scenarios"]} >= {"research", "plan", "catch-up"}
