"""Uploading: one form with one file, taken for what it is."""

from __future__ import annotations

import stat

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from conversations.uploads_models import Upload
from conversations.uploads_picture import MAX_BYTES
from platform_site.env import env
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.uploads.conftest import Sender, files_of
from tests.uploads.pictures import HEIC, HTML, MAKER, SVG, picture, png_of, with_place

pytestmark = pytest.mark.django_db
MEGABYTE = 1024 * 1024


def rows(tenant: Tenant) -> list[Upload]:
    with acting_for(tenant):
        return list(Upload.objects.all())


def test_a_picture_is_kept_and_told(bobs: Sender, tenant: Tenant) -> None:
    answer = bobs.upload(picture("JPEG", (80, 60)), "my cat.jpg")
    assert answer.status_code == 201
    told = answer.json()
    assert (told["name"], told["media_type"], told["width"], told["height"], told["conversation"]) == (
        "my cat.jpg", "image/jpeg", 80, 60, None,
    )  # fmt: skip
    assert told["url"] == f"/api/v1/t/acme/uploads/{told['id']}/content"
    assert bobs.get(f"uploads/{told['id']}").json() == told
    assert [one["id"] for one in bobs.get("uploads").json()["results"]] == [told["id"]]


def test_its_file_is_named_by_ids_and_readable_by_us_alone(bobs: Sender, tenant: Tenant) -> None:
    """T55: nothing of what a client says becomes a path."""
    upload = bobs.kept(name="../../../etc/passwd\0.png")
    (file,) = files_of(tenant)
    assert file.name == f"{upload}.png"
    assert file.parent.name == tenant.pk
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert bobs.get(f"uploads/{upload}").json()["name"] == "passwd.png"


def test_what_is_kept_says_nothing_of_the_place(bobs: Sender, tenant: Tenant) -> None:
    bobs.kept(with_place())
    assert MAKER.encode() not in files_of(tenant)[0].read_bytes()


@pytest.mark.parametrize(
    ("data", "status", "code", "words"),
    [
        (b"", 422, "empty_file", "empty"),
        (SVG, 415, "unsupported_media_type", "SVG"),
        (HTML, 415, "unsupported_media_type", "JPEG, PNG, WebP and GIF"),
        (HEIC, 415, "unsupported_media_type", "HEIC"),
        (picture()[:50], 422, "broken_picture", "damaged"),
        (png_of(60_000, 60_000), 413, "too_many_pixels", "40 megapixels"),
    ],
    ids=["empty", "svg", "html", "heic", "broken", "bomb"],
)
def test_what_cannot_be_kept_is_a_friendly_problem(
    bobs: Sender, tenant: Tenant, data: bytes, status: int, code: str, words: str
) -> None:
    """T71. Whatever the file is called and claims to be: nothing is stored."""
    answer = bobs.upload(data, "photo.png")
    problem = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert (answer.status_code, problem["code"]) == (status, code)
    assert words in problem["detail"]
    assert (rows(tenant), files_of(tenant)) == ([], [])
    assert bobs.upload(picture(), "page.html").status_code == 201


@pytest.mark.parametrize("more", [1, MEGABYTE])
def test_a_file_that_is_too_large_is_refused(bobs: Sender, tenant: Tenant, more: int) -> None:
    """Also before it is read to its end."""
    answer = bobs.upload(picture() + b"\0" * (MAX_BYTES + more - len(picture())))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert "10 MB" in answer.json()["detail"]
    assert files_of(tenant) == []


@pytest.mark.parametrize(
    "body",
    [
        {"path": "/etc/passwd"},
        {"file": {"path": "/etc/passwd", "filepath": "/etc/passwd", "originalFilename": "a.png"}},
    ],
)
def test_a_path_in_place_of_a_file_is_refused(bobs: Sender, tenant: Tenant, body: object) -> None:
    """T55: JSON is not read here at all, so no object in it can pass for a file."""
    answer = bobs.post("uploads", body)
    assert (answer.status_code, answer["Content-Type"]) == (415, "application/problem+json")
    assert rows(tenant) == []


def test_a_form_holds_one_file_and_nothing_else(bobs: Sender, tenant: Tenant) -> None:
    one, other = (SimpleUploadedFile(name, picture()) for name in ("a.png", "b.png"))
    for fields in (
        {},
        {"path": "/etc/passwd"},
        {"file": one, "path": "/etc/passwd"},
        {"file": one, "more": other},
    ):
        assert bobs.form(fields).status_code == 400, fields
    assert rows(tenant) == []


def test_who_is_not_signed_in_is_told_before_the_body_is_read(tenant: Tenant) -> None:
    """T60."""

    class Unread:
        def read(self, *size: int) -> bytes:
            raise AssertionError("the body was read")

        readline = read

    answer = Client().generic(
        "POST", "/api/v1/t/acme/uploads", b"", "multipart/form-data; boundary=x",
        **{"wsgi.input": Unread(), "CONTENT_LENGTH": str(10 * MEGABYTE)},  # type: ignore[arg-type]
    )  # fmt: skip
    assert answer.status_code == 401


def test_a_session_needs_its_token_against_forgery(bob: User, tenant: Tenant) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(bob)
    browser.get("/t/acme/")
    token = browser.cookies["csrftoken"].value
    url, file = "/api/v1/t/acme/uploads", SimpleUploadedFile("a.png", picture())
    assert browser.post(url, {"file": file}).status_code == 403
    file.seek(0)
    assert browser.post(url, {"file": file}, headers={"X-CSRFToken": token}).status_code == 201
    large = SimpleUploadedFile("a.png", b"\0" * (MAX_BYTES + MEGABYTE))
    answer = browser.post(url, {"file": large}, headers={"X-CSRFToken": token})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_the_same_upload_sent_again_is_kept_once(bobs: Sender, tenant: Tenant) -> None:
    answers = [bobs.upload(picture(), Idempotency_Key="k1") for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert len(rows(tenant)) == 1
    assert bobs.upload(picture(colour="red"), Idempotency_Key="k1").status_code == 422


def test_nobody_piles_up_pictures_that_are_not_sent(bobs: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(env, "upload_most_unsent", 2)
    assert [bobs.upload().status_code for _ in range(3)] == [201, 201, 429]


def test_a_tenant_has_room_for_so_much(bobs: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bobs.upload().status_code == 201
    monkeypatch.setattr(env, "upload_tenant_mb", 0)
    answer = bobs.upload()
    assert (answer.status_code, answer.json()["code"]) == (413, "storage_full")


def test_a_picture_that_was_not_sent_is_taken_back(
    bobs: Sender, tenant: Tenant, django_capture_on_commit_callbacks: object
) -> None:
    upload = bobs.kept()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        assert bobs.delete(f"uploads/{upload}").status_code == 204
    assert not bobs.sees(upload)
    assert files_of(tenant) == []


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("C:\\Users\\me\\cat.png", "cat.png"),
        ("<img src=x onerror=alert(1)>.png", "<img src=x onerror=alert(1)>.png"),
        ("gnp.\u202etac.png", "gnp.tac.png"),
        ("x" * 300, "x" * 120),
    ],
)
def test_a_name_is_text_without_tricks(bobs: Sender, given: str, shown: str) -> None:
    """T69: it is shown as text; what would turn it round or hide in it is taken off."""
    assert bobs.get(f"uploads/{bobs.kept(name=given)}").json()["name"] == shown
