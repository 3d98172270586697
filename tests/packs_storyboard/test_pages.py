"""Stories as the members of a tenant read them: all of it, escaped, and nobody else's."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.packs_storyboard.conftest import BIBLE, Desk, chapter
from tools.packs.storyboard.models import Chapter, Story
from tools.packs.storyboard.views import CHAPTERS_A_PAGE

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def read(user: User, path: str) -> str:
    client = Client()
    client.force_login(user)
    return client.get(path).content.decode()


@pytest.fixture
def story(desk: Desk) -> Story:
    """A story with a bit of everything."""
    desk.call("update_storyboard", **chapter(updated_story_bible=BIBLE, storyTitle="退潮岬的灯塔"))
    desk.call("add_chapter", number=2, title="The Key", summary="It opens a door.")
    desk.call("add_character", name="Mara Venn", role="protagonist", description="Quiet.")
    desk.call("add_world_entry", category="place", name="The Tower", description="Old.")
    desk.call("add_writing_guideline", category="voice", content="Short sentences.")
    desk.call("update_structure", beat="climax", content="The door opens.")
    return desk.story


def test_a_story_shows_everything_there_is(story: Story, rita: User) -> None:
    html = read(rita, f"/t/acme/stories/{story.pk}/")
    for told in (
        "退潮岬的灯塔", "The Lamp Goes Out", "The Key", "It opens a door.", "Mara Venn", "protagonist", "The Tower",
        "Short sentences.", "The door opens.", "Not written yet", BIBLE["active_plot_threads"], 'href="#chapter-2"',
    ):  # fmt: skip
        assert told in html


def test_characters_that_do_not_show_are_shown(desk: Desk, bob: User) -> None:
    """T04: a reader sees that something hides in a name or a text."""
    desk.call("add_character", name="Ma\u200bra", role="keeper", description="Quiet\u202e.")
    html = read(bob, f"/t/acme/stories/{desk.story.pk}/")
    assert 'Ma<span class="hidden-mark">ZWSP</span>ra' in html
    assert 'Quiet<span class="hidden-mark">RLO</span>.' in html


def test_the_shelf_lists_stories_with_what_is_written(story: Story, bob: User) -> None:
    html = read(bob, "/t/acme/stories/")
    assert f'href="/t/acme/stories/{story.pk}/"' in html
    assert "1 chapter written" in html and "1 planned" in html


def test_before_the_first_story_the_shelf_says_how_to_begin(inside: Tenant, bob: User) -> None:
    assert "No story has been begun yet" in read(bob, "/t/acme/stories/")


def test_whatever_was_written_is_shown_as_text(desk: Desk, bob: User) -> None:
    """T28, in spirit: a model's words are never markup."""
    desk.call(
        "update_storyboard",
        **chapter(
            chapterTitle=HOSTILE, chapter_content=HOSTILE + "x" * 99, chapter_outline=HOSTILE, storyTitle=HOSTILE,
            updated_story_bible=dict.fromkeys(BIBLE, HOSTILE),
        ),
    )  # fmt: skip
    desk.call("add_character", name=HOSTILE, role=HOSTILE, description=HOSTILE)
    desk.call("add_world_entry", category=HOSTILE, name=HOSTILE, description=HOSTILE)
    desk.call("add_writing_guideline", category=HOSTILE, content=HOSTILE)
    desk.call("update_structure", beat="hook", content=HOSTILE)
    for path in ("/t/acme/stories/", f"/t/acme/stories/{desk.story.pk}/"):
        html = read(bob, path)
        assert "alert(1)" in html
        assert "<script>alert" not in html and "<img" not in html


def test_a_long_story_is_read_page_by_page(story: Story, bob: User) -> None:
    Chapter.objects.bulk_create(
        Chapter(story=story, number=number, title=f"Title {number}", content="Long.")
        for number in range(3, 31)
    )
    first, second = (read(bob, f"/t/acme/stories/{story.pk}/?page={page}") for page in (1, 2))
    assert f'id="chapter-{CHAPTERS_A_PAGE}"' in first and f'id="chapter-{CHAPTERS_A_PAGE + 1}"' not in first
    assert 'id="chapter-30"' in second
    assert 'href="?page=2#chapter-30"' in first and 'href="#chapter-30"' in second
    assert read(bob, f"/t/acme/stories/{story.pk}/?page=nonsense") != ""


def test_another_tenants_story_is_as_absent_as_one_that_never_was(
    story: Story, other_tenant: Tenant, charlie: User
) -> None:
    """T32: under their own address and under ours, the same answer."""
    client = Client()
    client.force_login(charlie)
    answers = [client.get(f"/t/globex/stories/{id_}/") for id_ in (story.pk, "0" * 32)]
    assert [answer.status_code for answer in answers] == [404, 404]
    bare = [re.sub(rb'nonce="[^"]*"|value="[^"]*"', b"", answer.content) for answer in answers]
    assert bare[0].replace(story.pk.encode(), b"") == bare[1].replace(b"0" * 32, b"")
    assert client.get(f"/t/acme/stories/{story.pk}/").status_code == 404
    assert "退潮岬" not in client.get("/t/globex/stories/").content.decode()


def test_who_is_not_signed_in_reads_nothing(story: Story) -> None:
    answer = Client().get(f"/t/acme/stories/{story.pk}/")
    assert (answer.status_code, answer["Location"][:17]) == (302, "/accounts/login/?")


def test_the_bar_leads_to_the_stories_where_there_are_some(desk: Desk, bob: User) -> None:
    link = 'href="/t/acme/stories/"'
    assert link not in read(bob, "/t/acme/")
    desk.call("update_structure", beat="hook", content="The lamp goes out.")
    assert link in read(bob, "/t/acme/")
    assert link not in read(bob, "/accounts/2fa/")


def test_an_error_page_outside_any_tenant_still_has_its_bar(
    other_tenant: Tenant, charlie: User, desk: Desk
) -> None:
    with acting_for(other_tenant):
        Story.objects.create(topic="t" * 32)
    assert "/stories/" not in read(charlie, "/nowhere/")
