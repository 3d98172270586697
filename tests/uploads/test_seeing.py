"""Who sees a picture, and how it is served."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from conversations.models import Conversation, Participant
from conversations.uploads_models import Upload
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.uploads.conftest import Sender, files_of
from tests.uploads.pictures import picture

pytestmark = pytest.mark.django_db


def test_before_it_is_sent_it_is_its_uploaders_alone(
    bobs: Sender, colleagues: Sender, strangers: Sender
) -> None:
    """T32, T33."""
    upload = bobs.kept()
    assert [who.sees(upload) for who in (bobs, colleagues, strangers)] == [True, False, False]


def test_sent_it_is_there_for_who_takes_part(
    bobs: Sender, colleagues: Sender, strangers: Sender, tenant: Tenant, talk: Conversation
) -> None:
    """T33: the same colleague sees it from the moment they take part, and no longer."""
    upload = bobs.kept()
    assert bobs.say(talk, upload).status_code == 202
    assert [who.sees(upload) for who in (bobs, colleagues, strangers)] == [True, False, False]
    with acting_for(tenant):
        part = Participant.objects.create(conversation=talk, user=colleagues.user)
        assert [who.sees(upload) for who in (bobs, colleagues, strangers)] == [True, True, False]
        part.delete()
    assert not colleagues.sees(upload)


def test_what_is_not_mine_answers_like_what_never_was(
    bobs: Sender, colleagues: Sender, strangers: Sender
) -> None:
    upload, absent = bobs.kept(), "0" * 32
    for who in (colleagues, strangers):
        for path in ("uploads/{}", "uploads/{}/content"):
            real, none = (who.get(path.format(one)) for one in (upload, absent))
            assert (real.status_code, none.status_code) == (404, 404)
            assert real.content.replace(upload.encode(), absent.encode()) == none.content
        assert who.delete(f"uploads/{upload}").status_code == 404
        assert who.get("uploads").json()["results"] == []
    assert bobs.sees(upload)


def test_it_is_served_as_a_picture_and_as_nothing_else(bobs: Sender) -> None:
    """T66, T71: nothing in it could run in our origin, also when it is opened by itself."""
    answer = bobs.get(f"uploads/{bobs.kept(name='page.html')}/content")
    assert Image.open(BytesIO(answer.content)).size == (64, 48)
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Disposition"] == 'inline; filename="page.png"'
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer["Cache-Control"] == "private, no-cache"


def test_what_we_did_not_encode_would_be_a_download(bobs: Sender, tenant: Tenant) -> None:
    """T71: should a file of another kind ever stand here."""
    upload = bobs.kept()
    (file,) = files_of(tenant)
    file.rename(file.with_suffix(".bin"))
    with acting_for(tenant):
        Upload.objects.filter(pk=upload).update(media_type="image/svg+xml")
    answer = bobs.get(f"uploads/{upload}/content")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == (
        "application/octet-stream",
        "nosniff",
    )
    assert answer["Content-Disposition"] == 'attachment; filename="cat.bin"'


def test_a_browser_keeps_it_and_asks_again(bobs: Sender) -> None:
    upload = bobs.kept()
    tag = bobs.get(f"uploads/{upload}/content")["ETag"]
    again = bobs.get(f"uploads/{upload}/content", If_None_Match=tag)
    assert (again.status_code, again.content) == (304, b"")
    assert "private" in again["Cache-Control"]


def test_who_may_not_see_it_gets_nothing_for_a_tag_either(bobs: Sender, colleagues: Sender) -> None:
    upload = bobs.kept()
    tag = bobs.get(f"uploads/{upload}/content")["ETag"]
    assert colleagues.get(f"uploads/{upload}/content", If_None_Match=tag).status_code == 404


def test_a_page_shows_it_by_its_session(bobs: Sender, bob: User, rita: User) -> None:
    url = f"/api/v1/t/acme/uploads/{bobs.kept()}/content"
    for user, status in ((bob, 200), (rita, 404)):
        browser = Client()
        browser.force_login(user)
        assert browser.get(url, headers={"Accept": "image/avif,image/webp"}).status_code == status
    assert Client().get(url).status_code == 401


def test_a_picture_whose_file_is_lost_is_not_there(bobs: Sender, tenant: Tenant) -> None:
    upload = bobs.kept(picture(colour="green"))
    files_of(tenant)[0].unlink()
    assert bobs.get(f"uploads/{upload}/content").status_code == 404
