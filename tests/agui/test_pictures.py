"""Pictures over AG-UI: as base64 data, or by the id of an upload; an address is not fetched."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from agents.models import LanguageModel
from conversations import uploads
from conversations.models import Message
from conversations.uploads_models import Upload
from conversations.uploads_picture import Kept, made_anew
from tests.agui.conftest import Program, Stream
from tests.conversations.conftest import Talk
from tests.uploads.pictures import SVG, picture


@pytest.fixture(autouse=True)
def _seeing(client: Program) -> None:
    LanguageModel.objects.update(images=True)


def data(content: bytes, kind: str = "image/png") -> dict[str, Any]:
    return {"type": "data", "value": base64.b64encode(content).decode(), "mimeType": kind}


def image(**source: Any) -> dict[str, Any]:
    return {"type": "image", "source": source}


def say(client: Program, *parts: dict[str, Any], **more: Any) -> Stream:
    client.messages.append({"id": f"m{len(client.messages)}", "role": "user", "content": list(parts)})
    return client.run(**more)


def kinds() -> list[list[str]]:
    return [[part["kind"] for part in row.parts] for row in Message.objects.filter(role="user")]


def test_a_picture_in_the_message_is_kept_and_seen(client: Program) -> None:
    answer = say(client, {"type": "text", "text": "echo yes"}, image(**data(picture(size=(640, 480)))))
    assert answer.status == 200
    assert answer.text.startswith("I see a PNG picture of 640 × 480, mostly blue")
    assert kinds() == [["text", "image"]]
    assert Upload.objects.get().conversation_id


def test_a_picture_alone_is_a_message(client: Program) -> None:
    assert "mostly blue" in say(client, image(**data(picture()))).text


def test_one_that_was_uploaded_is_named_by_its_id(client: Program, talk: Talk) -> None:
    made = made_anew(picture(colour="red"))
    assert isinstance(made, Kept)
    upload = uploads.keep(talk.actor, made, "red.png").pk
    assert "mostly red" in say(client, image(type="file", value=upload)).text
    client.messages.clear()
    client.thread += "-other"
    assert say(client, image(type="file", value=upload)).status == 404


@pytest.mark.parametrize(
    ("part", "status", "words"),
    [
        (image(type="url", value="http://169.254.169.254/latest/meta-data"), 400, "not fetched"),
        (image(type="data", value="!!!", mimeType="image/png"), 400, "not base64"),
        (image(**data(SVG, "image/png")), 415, "SVG"),
        (image(type="file", value="/etc/passwd"), 404, "not there"),
        ({"type": "document", "source": data(b"%PDF-1.7", "application/pdf")}, 400, "only pictures"),
    ],
    ids=["url", "not base64", "svg", "path", "document"],
)
def test_anything_else_is_refused_before_anything_is_stored(
    client: Program, part: dict[str, Any], status: int, words: str
) -> None:
    """T54, T55."""
    answer = say(client, {"type": "text", "text": "Look"}, part)
    assert (answer.status, words in answer.problem["detail"]) == (status, True), answer.problem
    assert (Message.objects.count(), Upload.objects.count()) == (0, 0)


def test_the_same_run_with_another_picture_is_another_run(client: Program) -> None:
    client.messages.append({"id": "m1", "role": "user", "content": [image(**data(picture()))]})
    assert client.run(runId="run-1").status == 200
    client.messages[0]["content"] = [image(**data(picture(colour="red")))]
    assert client.run(runId="run-1").status == 409
    assert Upload.objects.count() == 1
