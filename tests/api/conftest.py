"""A program that calls the API for a person, and things in the tenant for it to find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from agents.models import Agent
from conversations.models import Conversation
from platform_site import tokens
from platform_site.access import SCOPES
from platform_site.models import Membership, Tenant, User
from platform_site.tenancy import acting_for
from tests.api.made import SEARCH, make_agent, make_conversation
from tools import catalogue
from tools.models import Tool


@dataclass
class Program:
    """Calls `/api/v1/t/<tenant>/…` with a token. Paths are given from there on."""

    tenant: str
    token: str

    def get(self, path: str, **query: Any) -> Any:
        return self._client().get(self._url(path), query, headers=self._headers())

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._client().post(
            self._url(path), body, "application/json", headers=self._headers(**headers)
        )

    def patch(self, path: str, body: Any) -> Any:
        return self._client().patch(self._url(path), body, "application/json", headers=self._headers())

    def delete(self, path: str) -> Any:
        return self._client().delete(self._url(path), headers=self._headers())

    def raw(self, method: str, path: str, body: bytes, kind: str = "application/json") -> Any:
        return self._client().generic(method, self._url(path), body, kind, headers=self._headers())

    def _client(self) -> Client:
        return Client()

    def _url(self, path: str) -> str:
        return f"/api/v1/t/{self.tenant}/{path}"

    def _headers(self, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **{k.replace("_", "-"): v for k, v in more.items()}}


As = Callable[..., Program]


@pytest.fixture
def program() -> As:
    """`program(bob)` calls for Bob with all scopes; `program(bob, "read")` with that one."""

    def make(user: User, *scopes: str) -> Program:
        membership = Membership.objects.across_tenants().select_related("tenant").get(user=user)
        with acting_for(membership.tenant):
            _token, raw = tokens.make(user, "test", scopes or SCOPES)
        return Program(membership.tenant.slug, raw)

    return make


@pytest.fixture
def guide(tenant: Tenant) -> Agent:
    with acting_for(tenant):
        return make_agent()


@pytest.fixture
def talk(tenant: Tenant, guide: Agent, bob: User) -> Conversation:
    """Bob's conversation with the guide."""
    with acting_for(tenant):
        return make_conversation(guide, bob, "Shoes")


@pytest.fixture
def elsewhere(other_tenant: Tenant, charlie: User) -> Conversation:
    """Charlie's conversation in another tenant."""
    with acting_for(other_tenant):
        return make_conversation(make_agent(), charlie, "Secrets of Globex")


@pytest.fixture
def search_tool(tenant: Tenant) -> Tool:
    with acting_for(tenant):
        return catalogue.save_tool(SEARCH, None)[0]


def same_as_absent(program: Program, method: str, path: str, real: str, **body: Any) -> None:
    """Asking for a `real` id that is not ours is answered, to the byte, like asking for one that never was."""
    absent = "0" * 32
    send = getattr(program, method)
    answers = [send(path.format(id=id_), **body) for id_ in (real, absent)]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content.replace(real.encode(), absent.encode()) == answers[1].content
