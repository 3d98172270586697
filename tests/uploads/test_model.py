"""What the model is given of the pictures in a conversation, and what the scripted one says of them."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from agents.demo import looking, scripts
from agents.demo.language import Language
from agents.messages import ImagePart, ModelMessage, Picture, Request, TextPart
from agents.models import LanguageModel
from conversations import steps, uploads, uploads_seen
from conversations.models import Run
from conversations.turn import Turn, read
from conversations.uploads_picture import Kept, made_anew
from platform_site import stored_files
from tests.conversations.conftest import Talk, bobs, talk
from tests.uploads.pictures import picture

__all__ = ["bobs", "talk"]


def kept(talk: Talk, data: bytes | None = None) -> str:
    made = made_anew(data or picture())
    assert isinstance(made, Kept)
    return uploads.keep(talk.actor, made, "cat.png").pk


@pytest.fixture
def seeing(talk: Talk) -> Talk:
    """Bob's conversation with a model that sees pictures."""
    LanguageModel.objects.update(images=True)
    return talk


def turn_of(run: Run) -> Turn:
    turn = steps.claim(run.pk, "tests")
    assert turn
    return turn


def sent_of(request: Request) -> list[str]:
    parts = [part for message in request.messages for part in message.parts]
    return [part.upload for part in parts if isinstance(part, ImagePart)]


def marks_of(request: Request) -> list[str]:
    parts = [part for message in request.messages for part in message.parts]
    return [part.text for part in parts if isinstance(part, TextPart) and part.text.startswith("[picture")]


def test_the_model_is_given_the_pictures_of_the_conversation(seeing: Talk) -> None:
    upload = kept(seeing, picture("JPEG"))
    request = turn_of(seeing.say("What is this?", attachments=(upload,))).request()
    assert sent_of(request) == [upload]
    assert Image.open(BytesIO(request.images[upload].data)).size == (64, 48)
    assert request.images[upload].media_type == "image/jpeg"


def test_pictures_of_another_conversation_are_never_among_them(seeing: Talk) -> None:
    """T33."""
    elsewhere = kept(seeing)
    request = turn_of(seeing.say("Hello")).request()
    assert elsewhere not in request.images
    assert request.images == {}


def test_an_old_picture_is_still_there_in_the_next_turn(seeing: Talk) -> None:
    upload = kept(seeing)
    seeing.move(seeing.say("", attachments=(upload,)))
    assert "mostly blue" in seeing.texts()[-1]
    request = turn_of(seeing.say("And now?")).request()
    assert list(request.images) == [upload]


def test_the_newest_pictures_go_and_the_others_are_noted(
    seeing: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads_seen, "MOST", 2)
    ids = [kept(seeing) for _ in range(3)]
    request = turn_of(seeing.say("Look", attachments=tuple(ids))).request()
    assert sent_of(request) == ids[1:]
    assert set(request.images) == set(ids[1:])
    assert len(marks_of(request)) == 1


def test_no_more_goes_than_a_request_holds(seeing: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [kept(seeing) for _ in range(3)]
    run = seeing.say("Look", attachments=tuple(ids))
    one = uploads.upload_for(seeing.actor, ids[0]).bytes
    monkeypatch.setattr(uploads_seen, "MOST_BYTES", one * 2)
    assert sent_of(turn_of(run).request()) == ids[1:]


def test_a_picture_whose_file_is_lost_is_noted(seeing: Talk) -> None:
    upload = kept(seeing)
    run = seeing.say("Look", attachments=(upload,))
    row = uploads.upload_for(seeing.actor, upload)
    stored_files.remove_all([(seeing.actor.tenant.pk, row.file_name)])
    request = turn_of(run).request()
    assert (sent_of(request), len(marks_of(request))) == ([], 1)


def test_reading_again_gives_the_same(seeing: Talk) -> None:
    """A run that another runner takes over works from the same request."""
    upload = kept(seeing)
    turn = turn_of(seeing.say("Look", attachments=(upload,)))
    again = read(turn.run)
    assert again
    assert again.request().images == turn.request().images


def asked(*parts: Any, images: dict[str, Picture], locale: str = "en") -> Request:
    return Request("demo", "", (ModelMessage("user", parts),), locale=locale, images=images)


BLUE = Picture("image/png", picture(size=(640, 480)))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "a PNG picture of 640 × 480, mostly blue"),
        ("zh", "一张 640 × 480 的 PNG 图片，主要是蓝色"),
    ],
)
def test_the_script_measures_a_picture(language: Language, words: str) -> None:
    assert looking.described(BLUE, language) == words


@pytest.mark.parametrize(
    "colour", ["black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink"]
)
def test_colours_have_everyday_names(colour: str) -> None:
    shown = Picture(
        "image/png", picture(colour={"pink": "hotpink", "green": "limegreen"}.get(colour, colour))
    )
    assert looking.described(shown, "en").endswith(f"mostly {colour}")


def test_the_script_says_that_it_understood_nothing() -> None:
    request = asked(ImagePart("u1", "image/png"), images={"u1": BLUE})
    assert "understood nothing" in scripts.decide(request).text


def test_it_answers_the_words_as_well() -> None:
    request = asked(TextPart("echo hello"), ImagePart("u1", "image/png"), images={"u1": BLUE})
    reply = scripts.decide(request).text
    assert reply.startswith("I see a PNG picture")
    assert reply.endswith("hello")


def test_without_pictures_it_says_nothing_of_them() -> None:
    assert scripts.decide(asked(TextPart("echo hello"), images={})).text == "hello"
