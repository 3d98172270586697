"""What nobody needs any more goes: deleted conversations, forgotten uploads, files that a crash left behind."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from conversations import uploads_sweep
from conversations.models import Conversation
from conversations.uploads_models import Upload
from conversations.uploads_sweep import UNSENT_FOR, YOUNG, Sweep, remove_unsent
from platform_site import stored_files
from platform_site.models import Tenant
from platform_site.tenancy import acting_for
from tests.uploads.conftest import Sender, files_of

pytestmark = pytest.mark.django_db
Committing = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def committing(django_capture_on_commit_callbacks: Any) -> Committing:
    """What follows a commit follows at the end of the block."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def aged(tenant: Tenant, age: timedelta) -> None:
    """Everything was uploaded that long ago."""
    with acting_for(tenant):
        Upload.objects.update(created_at=timezone.now() - age)


def written_ago(file: Path, age: timedelta) -> Path:
    then = (timezone.now() - age).timestamp()
    os.utime(file, (then, then))
    return file


def test_deleting_a_conversation_deletes_its_pictures(
    bobs: Sender, tenant: Tenant, talk: Conversation, committing: Committing
) -> None:
    """Those of others stay; and the files go after the commit, not before."""
    sent, unsent = bobs.kept(), bobs.kept()
    bobs.say(talk, sent)
    with acting_for(tenant):
        talk.runs.update(status="finished")
    with committing():
        assert bobs.delete(f"conversations/{talk.pk}").status_code == 204
        assert len(files_of(tenant)) == 2
    assert [file.name for file in files_of(tenant)] == [f"{unsent}.png"]
    assert (bobs.sees(sent), bobs.sees(unsent)) == (False, True)


def test_what_was_not_sent_for_a_day_is_removed(
    bobs: Sender, tenant: Tenant, talk: Conversation, committing: Committing
) -> None:
    sent, unsent = bobs.kept(), bobs.kept()
    bobs.say(talk, sent)
    aged(tenant, UNSENT_FOR - timedelta(minutes=1))
    with committing():
        assert remove_unsent(timezone.now()) == 0
    aged(tenant, UNSENT_FOR + timedelta(minutes=1))
    with committing():
        assert remove_unsent(timezone.now()) == 1
    assert (bobs.sees(sent), bobs.sees(unsent)) == (True, False)
    assert [file.name for file in files_of(tenant)] == [f"{sent}.png"]


def test_removing_goes_piece_by_piece(
    bobs: Sender, tenant: Tenant, committing: Committing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads_sweep, "BATCH", 2)
    for _ in range(3):
        bobs.kept()
    aged(tenant, UNSENT_FOR * 2)
    with committing():
        assert [remove_unsent(timezone.now()) for _ in range(3)] == [2, 1, 0]
    assert files_of(tenant) == []


def test_a_file_whose_row_never_came_is_found(bobs: Sender, tenant: Tenant) -> None:
    """The process was killed between the file and its row, or between the row's end and the file's."""
    known = bobs.kept()
    stored_files.write(tenant.pk, "0" * 32 + ".png", b"left behind")
    stored_files.write(tenant.pk, "1" * 32 + ".png", b"its row may still come")
    lost, young = (stored_files.path_of(tenant.pk, digit * 32 + ".png") for digit in "01")
    mine = stored_files.path_of(tenant.pk, f"{known}.png")
    for file in (lost, mine):
        written_ago(file, YOUNG * 2)
    Sweep().look(timezone.now())
    assert (lost.exists(), young.exists(), mine.exists()) == (False, True, True)


def test_files_of_another_databases_tenants_are_left_alone(tenant: Tenant) -> None:
    """Two databases on one data directory: neither removes what the other knows."""
    stored_files.write("f" * 32, "0" * 32 + ".png", b"theirs")
    theirs = written_ago(stored_files.path_of("f" * 32, "0" * 32 + ".png"), YOUNG * 2)
    Sweep().look(timezone.now())
    assert theirs.exists()


def test_what_is_not_named_like_ours_is_left_alone(tenant: Tenant) -> None:
    stored_files.write(tenant.pk, "0" * 32 + ".png", b"")
    theirs = stored_files.path_of(tenant.pk, "0" * 32 + ".png").with_name("Notes.txt")
    theirs.write_text("keep me")
    written_ago(theirs, YOUNG * 2)
    Sweep().look(timezone.now())
    assert theirs.exists()


def test_the_walk_over_the_files_goes_on_where_it_stopped(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads_sweep, "FILES_A_ROUND", 2)
    for digit in "01234":
        stored_files.write(tenant.pk, digit * 32 + ".png", b"")
        written_ago(stored_files.path_of(tenant.pk, digit * 32 + ".png"), YOUNG * 2)
    sweep, left = Sweep(), []
    for _ in range(3):
        sweep.look(timezone.now())
        left.append(len(files_of(tenant)))
    assert left == [3, 1, 0]


@pytest.mark.parametrize(
    ("folder", "name"),
    [("..", "a.png"), ("a/b", "a.png"), ("a", "../a.png"), ("a", "a"), ("a", "A.png"), ("", "a.png")],
)
def test_a_name_leads_nowhere_else(folder: str, name: str) -> None:
    """T55."""
    assert stored_files.path_of("a", "a.png").name == "a.png"
    with pytest.raises(ValueError, match="named by ids"):
        stored_files.path_of(folder, name)


def test_a_file_is_never_written_over(tenant: Tenant) -> None:
    stored_files.write(tenant.pk, "2" * 32 + ".png", b"first")
    with pytest.raises(FileExistsError):
        stored_files.write(tenant.pk, "2" * 32 + ".png", b"second")
    assert stored_files.read(tenant.pk, "2" * 32 + ".png") == b"first"
