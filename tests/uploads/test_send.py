"""Pictures in messages: whose they must be, how many, and what is told and stored."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from agents.models import LanguageModel
from conversations import saying
from conversations.models import Conversation, Message, Run
from conversations.saying import Words
from conversations.uploads_models import Upload
from platform_site import ledger
from platform_site.errors import Problem
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.uploads.conftest import Sender, actor_of
from tests.uploads.pictures import picture
from tests.walk.test_frame_walk import Socket

pytestmark = pytest.mark.django_db


def said(tenant: Tenant, talk: Conversation) -> list[dict[str, Any]]:
    with acting_for(tenant):
        events = [event for _, event in ledger.since(talk.pk, 0)]
    return [event["value"] for event in events if event.get("name") == "message.user"]


def is_refused(answer: Any, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content


def test_a_message_names_its_pictures(bobs: Sender, tenant: Tenant, talk: Conversation) -> None:
    one, two = bobs.kept(name="one.png"), bobs.kept(picture("JPEG", (30, 20)), "two.jpg")
    assert bobs.say(talk, two, one, text="Which is better?").status_code == 202
    (message,) = bobs.get(f"conversations/{talk.pk}/messages").json()["results"]
    assert message["text"] == "Which is better?"
    assert message["parts"] == [
        {"kind": "text", "text": "Which is better?"},
        {"kind": "image", "upload": two, "media_type": "image/jpeg", "width": 30, "height": 20},
        {"kind": "image", "upload": one, "media_type": "image/png", "width": 64, "height": 48},
    ]
    (told,) = said(tenant, talk)
    assert told["attachments"] == [
        {"id": two, "media_type": "image/jpeg", "width": 30, "height": 20, "name": "two.jpg",
         "url": f"/api/v1/t/acme/uploads/{two}/content"},
        {"id": one, "media_type": "image/png", "width": 64, "height": 48, "name": "one.png",
         "url": f"/api/v1/t/acme/uploads/{one}/content"},
    ]  # fmt: skip
    assert bobs.get(f"uploads/{one}").json()["conversation"] == talk.pk


def test_a_message_may_be_a_picture_alone(bobs: Sender, talk: Conversation) -> None:
    assert bobs.say(talk, bobs.kept(), text=" ").status_code == 202
    (message,) = bobs.get(f"conversations/{talk.pk}/messages").json()["results"]
    assert [part["kind"] for part in message["parts"]] == ["image"]
    is_refused(bobs.say(talk, text=" "), 400, "bad_request")


def test_the_export_names_them(bobs: Sender, talk: Conversation) -> None:
    upload = bobs.kept(name="cat.png")
    bobs.say(talk, upload)
    document = bobs.get(f"conversations/{talk.pk}/export").json()
    assert [(one["id"], one["name"]) for one in document["uploads"]] == [(upload, "cat.png")]
    assert document["messages"][0]["parts"][1]["upload"] == upload


def test_eight_pictures_and_no_more(bobs: Sender, talk: Conversation) -> None:
    ids = [bobs.kept() for _ in range(9)]
    is_refused(bobs.say(talk, *ids), 400, "bad_request")
    assert bobs.say(talk, *ids[:8]).status_code == 202


def test_not_twice_in_one_message(bobs: Sender, talk: Conversation) -> None:
    upload = bobs.kept()
    is_refused(bobs.say(talk, upload, upload), 400, "bad_request")


def test_somebody_elses_picture_is_not_there_to_be_sent(
    bobs: Sender, colleagues: Sender, strangers: Sender, tenant: Tenant, talk: Conversation
) -> None:
    """T32, T33: as if the id had never been; and nothing of the message is stored."""
    mine = bobs.kept()
    for other in (colleagues.kept(), strangers.kept(), "0" * 32):
        is_refused(bobs.say(talk, mine, other), 404, "not_found")
    assert said(tenant, talk) == []
    with acting_for(tenant):
        assert not Message.objects.exists()
        assert not Run.objects.exists()
        assert Upload.objects.get(pk=mine).conversation_id is None
    assert bobs.say(talk, mine).status_code == 202


def test_a_sent_picture_stays_in_its_conversation(
    bobs: Sender, talk: Conversation, second_talk: Conversation
) -> None:
    """There it can be sent again; elsewhere it would be shown to others."""
    upload = bobs.kept()
    assert bobs.say(talk, upload).status_code == 202
    is_refused(bobs.say(second_talk, upload), 404, "not_found")
    assert bobs.say(talk, upload, text="Once more").status_code == 202
    is_refused(bobs.delete(f"uploads/{upload}"), 409, "conflict")


def test_the_same_sending_twice_is_one_message(bobs: Sender, tenant: Tenant, talk: Conversation) -> None:
    upload = bobs.kept()
    answers = [bobs.say(talk, upload, key="k1") for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert len(said(tenant, talk)) == 1


@pytest.mark.django_db(transaction=True)
def test_one_picture_sent_twice_at_once_goes_to_one_message(
    bob: User, bobs: Sender, tenant: Tenant, talk: Conversation, second_talk: Conversation
) -> None:
    upload, both = bobs.kept(), Barrier(2)

    def send(where: Conversation) -> int:
        try:
            with acting_for(tenant):
                both.wait()
                saying.post_message(actor_of(bob, tenant), where.pk, Words("Look!", attachments=(upload,)))
        except Problem as problem:
            return problem.status
        finally:
            connection.close()
        return 202

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(send, (talk, second_talk))) == [202, 404]
    assert len(said(tenant, talk)) + len(said(tenant, second_talk)) == 1


def test_an_agent_that_sees_nothing_is_not_sent_pictures(
    bobs: Sender, tenant: Tenant, talk: Conversation
) -> None:
    upload = bobs.kept()
    with acting_for(tenant):
        LanguageModel.objects.update(images=False)
    answer = bobs.say(talk, upload)
    is_refused(answer, 422, "no_vision")
    assert "cannot see pictures" in answer.json()["detail"]
    assert bobs.say(talk, text="Then without").status_code == 202
    with acting_for(tenant):
        LanguageModel.objects.update(images=True)
    assert bobs.say(talk, upload).status_code == 202


@pytest.mark.django_db(transaction=True)
def test_a_socket_sends_them_too(bob: User, bobs: Sender, tenant: Tenant, talk: Conversation) -> None:
    upload = bobs.kept()
    fields = {"type": "message.send", "conversation": talk.pk, "text": ""}

    async def scenario() -> list[str]:
        given = (["0" * 32], [upload])
        return [
            await Socket("acme", bobs.token).ask({**fields, "id": "1", "attachments": ids}) for ids in given
        ]

    assert asyncio.run(scenario()) == ["not_found", "ack"]
    assert [one["id"] for one in said(tenant, talk)[0]["attachments"]] == [upload]
