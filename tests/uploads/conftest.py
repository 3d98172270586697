"""Bob talks to an agent that sees pictures; his program uploads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agents.models import Agent, LanguageModel
from conversations.models import Conversation
from platform_site import stored_files, tokens
from platform_site.access import SCOPES, Actor, actor_for_session
from platform_site.models import Membership, Tenant, User
from platform_site.tenancy import acting_for
from tests.api.made import make_agent, make_conversation
from tests.uploads.pictures import picture

Answer = Any


@dataclass
class Sender:
    """A program with a token that sends forms and messages for one person."""

    user: User
    tenant: str
    token: str

    def upload(self, data: bytes | None = None, name: str = "cat.png", **headers: str) -> Answer:
        file = SimpleUploadedFile(name, picture() if data is None else data, "text/plain")
        return self.form({"file": file}, **headers)

    def form(self, fields: dict[str, Any], **headers: str) -> Answer:
        return Client().post(self._url("uploads"), fields, headers=self._headers(**headers))

    def get(self, path: str, **headers: str) -> Answer:
        return Client().get(self._url(path), headers=self._headers(**headers))

    def delete(self, path: str) -> Answer:
        return Client().delete(self._url(path), headers=self._headers())

    def post(self, path: str, body: Any) -> Answer:
        return Client().post(self._url(path), body, "application/json", headers=self._headers())

    def say(self, talk: Conversation, *attachments: str, text: str = "Look!", **more: Any) -> Answer:
        body = {"text": text, "attachments": list(attachments), **more}
        return self.post(f"conversations/{talk.pk}/messages", body)

    def kept(self, data: bytes | None = None, name: str = "cat.png") -> str:
        """The id of a picture that was just uploaded."""
        answer = self.upload(data, name)
        assert answer.status_code == 201, answer.content
        return str(answer.json()["id"])

    def sees(self, upload: str) -> bool:
        """Metadata and picture are there, or neither is."""
        answers = [
            self.get(f"uploads/{upload}").status_code,
            self.get(f"uploads/{upload}/content").status_code,
        ]
        assert answers in ([200, 200], [404, 404]), answers
        return answers[0] == 200

    def _url(self, path: str) -> str:
        return f"/api/v1/t/{self.tenant}/{path}"

    def _headers(self, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **{k.replace("_", "-"): v for k, v in more.items()}}


def sender_of(user: User) -> Sender:
    membership = Membership.objects.across_tenants().select_related("tenant").get(user=user)
    with acting_for(membership.tenant):
        _token, raw = tokens.make(user, "test", SCOPES)
    return Sender(user, membership.tenant.slug, raw)


def actor_of(user: User, tenant: Tenant) -> Actor:
    actor = actor_for_session(user, tenant.slug)
    assert actor
    return actor


def files_of(tenant: Tenant) -> list[Path]:
    folder = stored_files.path_of(tenant.pk, "a.png").parent
    return sorted(folder.iterdir()) if folder.exists() else []


def seeing_agent() -> Agent:
    agent = make_agent()
    LanguageModel.objects.filter(slug="demo").update(images=True)
    return agent


@pytest.fixture(autouse=True)
def _empty_folder(settings: Any, tmp_path: Path) -> None:
    settings.UPLOADS_DIR = tmp_path


@pytest.fixture
def bobs(bob: User) -> Sender:
    return sender_of(bob)


@pytest.fixture
def colleagues(rita: User) -> Sender:
    """Somebody of the same tenant who takes no part in Bob's talk."""
    return sender_of(rita)


@pytest.fixture
def strangers(charlie: User) -> Sender:
    return sender_of(charlie)


@pytest.fixture
def guide(tenant: Tenant) -> Agent:
    with acting_for(tenant):
        return seeing_agent()


@pytest.fixture
def talk(tenant: Tenant, guide: Agent, bob: User) -> Conversation:
    with acting_for(tenant):
        return make_conversation(guide, bob)


@pytest.fixture
def second_talk(tenant: Tenant, guide: Agent, bob: User) -> Conversation:
    with acting_for(tenant):
        return make_conversation(guide, bob)
