"""The storyteller: plays a writer who keeps a storyboard, mistakes and corrections included.

A chapter is saved under a title that is only its number at first, as real models do; the rejection is read, a proper
title found. Then people and places are added, somebody twice, and the story's link is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agents.demo import storyboard_words as words
from agents.demo.script import Scripted, call
from agents.demo.story import SUGGEST, Result, Story
from agents.demo.storyboard_words import Intent
from agents.demo.tale import Fields, Tale, TaleChapter, tale_in

TOOLS = frozenset(
    {"update_storyboard", "add_chapter", "add_character", "add_world_entry", "update_structure"}
)
MOST_TRIES = 2


def play(story: Story) -> Scripted:
    """The next reply of the storyteller."""
    scene = Scene(story)
    if story.speaks_last == "user":
        return BEGIN[scene.intent](scene)
    if not story.newest:
        return Scripted(scene.say("anything_else"))
    return _after(scene, story.newest)


class Scene:
    """A request as this script reads it."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.tale: Tale = tale_in(story.language)
        self.offered = {spec.name for spec in story.request.tools}
        self.intent: Intent = words.intent_of(story.text, str(story.request.settings.get("scenario", "")))

    def say(self, key: str, **values: object) -> str:
        return words.say(key, self.story.language, **values)

    def tell(self, text: str, *options: str) -> Scripted:
        """A text, with quick replies where they can be shown."""
        if SUGGEST not in self.offered:
            return Scripted(text)
        return Scripted(text, (call(SUGGEST, {"options": [self.say(option) for option in options]}),))

    def act(self, text: str, wanted: Iterable[tuple[str, Fields]]) -> Scripted:
        """Call those of the tools that are offered."""
        calls = tuple(call(name, dict(given)) for name, given in wanted if name in self.offered)
        return Scripted(text, calls) if calls else self.tell(self.say("cannot"), "s_write", "s_structure")

    def saved(self) -> list[int]:
        """Numbers of the chapters that were saved in this conversation, newest first."""
        written = (one for one in self.story.results() if one.name == "update_storyboard" and one.ok)
        return [number for one in written if (number := words.saved_chapter(one))]

    @property
    def number(self) -> int:
        """The chapter that is asked for, or the next one."""
        return words.number_in(self.story.text) or max(self.saved(), default=0) + 1

    def chapter(self, told: int) -> TaleChapter:
        """What the tale has for the chapter after so many."""
        return self.tale.chapters[told % len(self.tale.chapters)]


def _write(scene: Scene) -> Scripted:
    """The first try, with the title models like best."""
    title = scene.say("bad_title", number=scene.number, numeral=words.numeral(scene.number))
    given = _written(scene, scene.chapter(len(scene.saved())), title)
    return scene.act(scene.say("writing", number=scene.number), [("update_storyboard", given)])


def _written(scene: Scene, chapter: TaleChapter, title: str) -> Fields:
    given = {
        "chapterNumber": scene.number, "chapterTitle": title, "chapter_content": chapter.content,
        "chapter_outline": chapter.outline, "updated_story_bible": dict(chapter.bible),
    }  # fmt: skip
    return given if scene.saved() else {**given, "storyTitle": scene.tale.title}


def _extract(scene: Scene) -> Scripted:
    """Everything the tale's newest chapter tells, in one reply."""
    chapter = scene.chapter(max(len(scene.saved()) - 1, 0))
    planned = {
        "number": scene.number,
        "title": scene.tale.chapters[-1].title,
        "summary": scene.tale.chapters[-1].summary,
    }
    wanted: list[tuple[str, Fields]] = [("add_chapter", planned), *_facts(chapter)]
    return scene.act(scene.say("extracting"), [*wanted, ("add_writing_guideline", chapter.guideline)])


def _facts(chapter: TaleChapter) -> list[tuple[str, Fields]]:
    people: list[tuple[str, Fields]] = [("add_character", one) for one in chapter.characters]
    return people + [("add_world_entry", one) for one in chapter.world]


def _structure(scene: Scene) -> Scripted:
    """The beat that is spelled out, or all six."""
    beats = words.beat_in(scene.story.text) or scene.tale.beats
    wanted = [("update_structure", {"beat": beat, "content": content}) for beat, content in beats.items()]
    return scene.act(scene.say("structuring"), wanted)


def _talk(key: str) -> Callable[[Scene], Scripted]:
    return lambda scene: scene.tell(scene.say(key), "s_write", "s_extract", "s_structure")


BEGIN: dict[Intent, Callable[[Scene], Scripted]] = {
    "write": _write,
    "extract": _extract,
    "structure": _structure,
    "hello": _talk("hello"),
    "unknown": _talk("unknown"),
}


def _after(scene: Scene, results: tuple[Result, ...]) -> Scripted:
    """The reply to what the tools answered."""
    saved = next((one for one in results if one.name == "update_storyboard"), None)
    if saved:
        return _saved(scene, saved) if saved.ok else _not_saved(scene, saved)
    rounds = [answers for answers in scene.story.rounds if answers[0].name != "update_storyboard"]
    twice = [one for one in _all(rounds) if words.is_duplicate(one)]
    if scene.intent == "write" and len(rounds) == 1 and not twice:
        return scene.act(scene.say("looking_again"), [("add_character", scene.tale.again)])
    return _finish(scene, list(_all(rounds)), twice)


def _not_saved(scene: Scene, result: Result) -> Scripted:
    """Rejected for its title: find a proper one. Whatever else is wrong is told."""
    tries = sum(one.status == "rejected" for one in _all(scene.story.rounds))
    if result.status == "rejected" and tries < MOST_TRIES and words.is_about_title(result):
        chapter = scene.chapter(len(scene.saved()))
        text = scene.say("better_title", title=chapter.title)
        return scene.act(text, [("update_storyboard", _written(scene, chapter, chapter.title))])
    if result.status in ("denied", "expired", "withdrawn"):
        return scene.tell(scene.say("not_saved"), "s_write", "s_structure")
    return scene.tell(scene.say("failed", why=words.why(result)), "s_write", "s_structure")


def _saved(scene: Scene, result: Result) -> Scripted:
    """Saved: tell what looks off, then add who and what is new."""
    told = scene.say("saved", title=result.arguments.get("chapterTitle", ""))
    warnings = words.listed(words.warnings_of(result))
    text = f"{told}\n\n{scene.say('warned', list=warnings)}" if warnings else told
    facts = [made for made in _facts(scene.chapter(len(scene.saved()) - 1)) if made[0] in scene.offered]
    if not facts:
        return scene.tell(f"{text}\n\n{_link(scene, [result])}", "s_next", "s_structure")
    return scene.act(f"{text}\n\n{scene.say('adding')}", facts)


def _finish(scene: Scene, results: list[Result], twice: list[Result]) -> Scripted:
    """What was added, what was there already, and where to read it."""
    lines = [scene.say("added", count=sum(one.ok for one in results))]
    names = [str(one.arguments.get("name") or one.arguments.get("title") or "") for one in twice]
    lines += [scene.say("was_there", names=scene.say("comma").join(filter(None, names)))] if twice else []
    broken = [one for one in results if not one.ok and one not in twice]
    lines += [scene.say("failed", why=words.why(one)) for one in broken[:1]]
    warnings = words.listed(dict.fromkeys(text for one in results for text in words.warnings_of(one)))
    lines += [scene.say("warned", list=warnings)] if warnings else []
    text = "\n\n".join([*lines, _link(scene, scene.story.results())]).strip()
    return scene.tell(text, "s_next", "s_structure" if scene.intent == "write" else "s_write")


def _link(scene: Scene, results: Iterable[Result]) -> str:
    """The way to the story, as the newest good answer names it."""
    for result in results:
        story = result.data.get("story")
        if isinstance(story, dict) and story.get("url"):
            return scene.say("read", url=story["url"])
    return ""


def _all(rounds: Iterable[tuple[Result, ...]]) -> Iterable[Result]:
    return (result for answers in rounds for result in answers)
