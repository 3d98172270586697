"""The six tools of the storyboard (A5). Each works on the story of the conversation it is called in.

Adding is SAFE: nothing that stands is touched, and what stands already is refused (A6). `update_storyboard` replaces a
chapter's text, so the person is asked. `update_structure` replaces a beat; it gives back what stood there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from tools.outcome import Failed
from tools.packs.storyboard import aftercheck
from tools.packs.storyboard.arguments import (
    NewChapter,
    NewCharacter,
    NewGuideline,
    NewWorldEntry,
    StoryBible,
    StoryboardUpdate,
    StructureUpdate,
)  # fmt: skip
from tools.packs.storyboard.models import Beat, Chapter, Character, Guideline, Story, WorldEntry
from tools.packs.storyboard.naming import key_of
from tools.packs.storyboard.shelf import address, locked, put, story_of
from tools.pipeline.phrase import Phrase, Text
from tools.pipeline.phrase import gettext_noop as _
from tools.registry import Result, ToolContext, tool


@tool(risk="CONFIRM", idempotent=True, domain="storyboard")
def update_storyboard(context: ToolContext, args: StoryboardUpdate) -> Result:
    """Save a written chapter with its outline, and the story bible as it stands after it. Replaces that chapter."""
    with transaction.atomic():
        story = locked(story_of(context))
        renamed = _rename(story, args.storyTitle)
        chapter, before = _write(story, args)
        older = list(_keep_bible(story, chapter.number, args.updated_story_bible))
        story.save()
    warnings = [*renamed, *older, *_replaced(before), *aftercheck.of_written_chapter(story, chapter)]
    if args.updated_story_bible and not older:
        warnings += aftercheck.of_bible(story)
    saved = {"chapter": chapter.number, "title": chapter.title, "replaced": before is not None}
    return _told(context, story, saved, warnings)


@tool(risk="SAFE", domain="storyboard")
def add_chapter(context: ToolContext, args: NewChapter) -> Result | Failed:
    """Note a planned chapter with its summary."""
    story = story_of(context)
    chapter = Chapter(story=story, number=args.number, title=args.title.strip(), summary=args.summary.strip())
    if put(chapter) is None:
        return _chapter_is_there(story, args.number)
    saved = {"chapter": chapter.number, "title": chapter.title}
    return _told(context, story, saved, aftercheck.of_chapter(story, chapter))


@tool(risk="SAFE", domain="storyboard")
def add_character(context: ToolContext, args: NewCharacter) -> Result | Failed:
    """Add a character of the story."""
    story, name = story_of(context), args.name.strip()
    character = Character(
        story=story, name=name, key=key_of(name), role=args.role.strip(), description=args.description.strip()
    )
    if put(character) is None:
        known = Character.objects.get(story=story, key=character.key)
        words = _(
            "The character {name} is there already; nothing was changed. If this is somebody else, use another name."
        )
        facts = {"name": known.name, "role": known.role, "description": known.description}
        return _is_there(Phrase(words, name=known.name), facts)
    return _told(context, story, {"character": name}, aftercheck.of_character(character))


@tool(risk="SAFE", domain="storyboard")
def add_world_entry(context: ToolContext, args: NewWorldEntry) -> Result | Failed:
    """Add a place, faction, thing or law of the story's world."""
    story, name, category = story_of(context), args.name.strip(), args.category.strip()
    entry = WorldEntry(
        story=story, name=name, key=key_of(name), category=category, category_key=key_of(category),
        description=args.description.strip(),
    )  # fmt: skip
    if put(entry) is None:
        known = WorldEntry.objects.get(story=story, key=entry.key, category_key=entry.category_key)
        words = _(
            "{name} is there already in the category {category}; nothing was changed. If this is something else, "
            "use another name."
        )
        facts = {"name": known.name, "category": known.category, "description": known.description}
        return _is_there(Phrase(words, name=known.name, category=known.category), facts)
    return _told(context, story, {"world_entry": name}, aftercheck.of_world_entry(entry))


@tool(risk="SAFE", domain="storyboard")
def add_writing_guideline(context: ToolContext, args: NewGuideline) -> Result | Failed:
    """Note how this story is to be written."""
    story, content = story_of(context), args.content.strip()
    guideline = Guideline(story=story, category=args.category.strip(), content=content, key=key_of(content))
    if put(guideline) is None:
        known = Guideline.objects.get(story=story, key=guideline.key)
        words = _("This guideline is there already, in the category {category}; nothing was changed.")
        facts = {"category": known.category, "content": known.content}
        return _is_there(Phrase(words, category=known.category), facts)
    return _told(context, story, {"guideline": guideline.category}, ())


@tool(risk="SAFE", idempotent=True, domain="storyboard")
def update_structure(context: ToolContext, args: StructureUpdate) -> Result:
    """Say what happens in one beat of the story's structure. Replaces that beat, and gives back what stood there."""
    content = args.content.strip()
    with transaction.atomic():
        story = story_of(context)
        before = Beat.objects.select_for_update().filter(story=story, beat=args.beat).first()
        beat, _made = Beat.objects.update_or_create(
            story=story, beat=args.beat, defaults={"content": content}
        )
        story.save(update_fields=["updated_at"])
    saved: dict[str, Any] = {"beat": beat.beat, "replaced": before is not None}
    saved |= {"before": before.content} if before and before.content != content else {}
    return _told(context, story, saved, aftercheck.of_beat(beat))


def _write(story: Story, args: StoryboardUpdate) -> tuple[Chapter, Chapter | None]:
    """The chapter as stored now, and as it stood before."""
    before = Chapter.objects.select_for_update().filter(story=story, number=args.chapterNumber).first()
    written = {
        "title": args.chapterTitle.strip(),
        "outline": args.chapter_outline.strip(),
        "content": args.chapter_content.strip(),
    }
    chapter, _made = Chapter.objects.update_or_create(
        story=story, number=args.chapterNumber, defaults=written
    )
    return chapter, before


def _replaced(before: Chapter | None) -> Iterable[Text]:
    if before and before.content:
        words = _("Chapter {number}, “{title}”, had a text of {count} characters; it was replaced.")
        yield Phrase(words, number=before.number, title=before.title, count=len(before.content))


def _rename(story: Story, title: str | None) -> list[Text]:
    """Give the story its title; says so when it had another."""
    old, story.title = story.title, (title or "").strip() or story.title
    if not old or old == story.title:
        return []
    return [Phrase(_("The story was renamed from “{old}” to “{new}”."), old=old, new=story.title)]


def _keep_bible(story: Story, chapter: int, bible: StoryBible | None) -> Iterable[Text]:
    """The story bible after the latest chapter is the one that counts; an older one is only told."""
    if bible is None:
        return
    if story.bible_chapter and chapter < story.bible_chapter:
        words = _(
            "The story bible stands as after chapter {newer} already; that after chapter {older} was not kept."
        )
        yield Phrase(words, newer=story.bible_chapter, older=chapter)
        return
    for name, text in bible.model_dump(exclude_none=True).items():
        setattr(story, name, text.strip())
    story.bible_chapter = chapter


def _chapter_is_there(story: Story, number: int) -> Failed:
    known = Chapter.objects.get(story=story, number=number)
    words = _(
        "Chapter {number} is there already: “{title}”. Nothing was changed. Write or rewrite it with "
        "update_storyboard, or add another: the next free number is {free}."
    )
    last = Chapter.objects.filter(story=story).latest("number").number
    message = Phrase(words, number=number, title=known.title, free=last + 1)
    facts = {"number": known.number, "title": known.title, "summary": known.summary, "next_free": last + 1}
    return _is_there(message, facts)


def _is_there(message: Text, existing: dict[str, Any]) -> Failed:
    """What stands already, and what may be done instead (A6)."""
    return Failed("duplicate", message, details={"existing": existing})


def _told(context: ToolContext, story: Story, saved: dict[str, Any], warnings: Iterable[Text]) -> Result:
    """What was saved, where it can be read, and what looks wrong."""
    place = {"title": story.title, "url": address(context, story)}
    return Result({"saved": saved, "story": place}, warnings=tuple(warnings))
