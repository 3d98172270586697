"""A6: what stands already is not added again; the answer says what stands and what may be done."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep
from typing import Any

import pytest
from django.db import connection

from platform_site.ids import new_id
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.packs_storyboard.conftest import Desk
from tools.outcome import Failed
from tools.packs.storyboard.models import Chapter, Character, Story
from tools.registry import Result, ToolContext

AT_ONCE = 8


def test_a_chapter_number_stands_once(desk: Desk) -> None:
    desk.call("add_chapter", number=1, title="The Lamp", summary="It goes out.")
    desk.call("add_chapter", number=4, title="The Key", summary="It opens.")
    refused = desk.refused("add_chapter", number=1, title="Another Lamp", summary="It burns.")
    assert refused.code == "duplicate"
    assert str(refused.message) == (
        "Chapter 1 is there already: “The Lamp”. Nothing was changed. Write or rewrite it with update_storyboard, or "
        "add another: the next free number is 5."
    )
    assert refused.details["existing"] == {
        "number": 1, "title": "The Lamp", "summary": "It goes out.", "next_free": 5,
    }  # fmt: skip
    assert desk.story.chapters.get(number=1).title == "The Lamp"


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("Mara Venn", "mara  venn"),
        ("Mara Venn", "MARA VENN "),
        ("林汐", "林 汐"),
        ("林汐", "林\u200b汐"),
        ("Ｍａｒａ", "Mara"),
    ],
)
def test_a_character_stands_once_however_the_name_is_spelled(desk: Desk, name: str, again: str) -> None:
    desk.call("add_character", name=name, role="keeper", description="Quiet.")
    refused = desk.refused("add_character", name=again, role="other", description="Loud.")
    assert name in str(refused.message) and "use another name" in str(refused.message)
    assert refused.details["existing"]["description"] == "Quiet."
    assert desk.story.characters.count() == 1


def test_another_character_may_be_added(desk: Desk) -> None:
    for name in ("Mara", "Tobias", "Mara's sister"):
        desk.call("add_character", name=name, role="keeper", description="Quiet.")
    assert desk.story.characters.count() == 3


def test_a_world_entry_stands_once_in_its_category(desk: Desk) -> None:
    desk.call("add_world_entry", category="place", name="The Tower", description="Old.")
    refused = desk.refused("add_world_entry", category="Place", name="the tower", description="New.")
    assert refused.details["existing"] == {"name": "The Tower", "category": "place", "description": "Old."}
    desk.call("add_world_entry", category="faction", name="The Tower", description="Seven judges.")
    assert desk.story.world.count() == 2


def test_a_guideline_stands_once_whatever_its_category(desk: Desk) -> None:
    desk.call("add_writing_guideline", category="voice", content="Short sentences.")
    refused = desk.refused("add_writing_guideline", category="pace", content="short  sentences.")
    assert "voice" in str(refused.message)
    desk.call("add_writing_guideline", category="voice", content="Past tense.")


def test_a_beat_and_a_written_chapter_are_replaced_not_refused(desk: Desk) -> None:
    for _ in range(2):
        desk.call("update_structure", beat="hook", content="The lamp goes out.")
    assert desk.story.beats.count() == 1


def at_once(tenant: Tenant, works: list[Callable[[], Any]]) -> list[Any]:
    barrier = Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        try:
            with acting_for(tenant):
                barrier.wait(30)
                return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(run, works))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("add_character", {"name": "Mara", "role": "keeper", "description": "Quiet."}),
        ("add_chapter", {"number": 1, "title": "The Lamp", "summary": "It goes out."}),
        ("add_world_entry", {"category": "place", "name": "Tower", "description": "Old."}),
        ("add_writing_guideline", {"category": "voice", "content": "Short."}),
    ],
)
def test_of_many_that_add_the_same_at_once_one_does(
    tenant: Tenant, bob: User, tool: str, given: dict[str, Any]
) -> None:
    """T13, in spirit: the table decides, not a look before. All of them begin the story at the same moment, too."""
    desk = Desk(ToolContext(tenant, bob, topic=new_id()))
    answers = at_once(tenant, [lambda: desk.ask(tool, **given)] * AT_ONCE)
    assert sum(isinstance(answer, Result) for answer in answers) == 1
    assert sum(isinstance(answer, Failed) and answer.code == "duplicate" for answer in answers) == AT_ONCE - 1
    with acting_for(tenant):
        assert Story.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_chapters_written_at_once_are_all_kept(tenant: Tenant, bob: User) -> None:
    from tests.packs_storyboard.conftest import chapter

    desk = Desk(ToolContext(tenant, bob, topic=new_id()))
    numbers = [1, 1, 2, 2, 3, 3]
    works = [lambda n=n: desk.call("update_storyboard", **chapter(chapterNumber=n)) for n in numbers]
    at_once(tenant, works)
    with acting_for(tenant):
        assert list(Chapter.objects.values_list("number", flat=True)) == [1, 2, 3]
        assert not Character.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_bible_saved_beside_other_chapters_is_kept(
    tenant: Tenant, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits for the other: a chapter without a bible does not write back what it read before."""
    from tests.packs_storyboard.conftest import BIBLE, chapter
    from tools.packs.storyboard import handlers

    writing = handlers._write

    def slowly(*given: Any) -> Any:
        sleep(0.1)
        return writing(*given)

    monkeypatch.setattr(handlers, "_write", slowly)
    desk = Desk(ToolContext(tenant, bob, topic=new_id()))
    given = {1: {"updated_story_bible": BIBLE}, 2: {}, 3: {}}
    works = [
        lambda n=n, more=more: desk.call("update_storyboard", **chapter(chapterNumber=n, **more))
        for n, more in given.items()
    ]
    at_once(tenant, works)
    with acting_for(tenant):
        assert Story.objects.get().character_status == BIBLE["character_status"]
