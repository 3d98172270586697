"""The check after saving (A8): what was stored is read again, and what looks wrong becomes a warning, not an error.

Nothing is refused here: rules do that before. Warnings go to the person and to the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils import translation

from tools.models import CallStatus, ToolCall
from tools.packs.storyboard.models import Beat, BeatName, Chapter, Character, Story, WorldEntry
from tools.packs.storyboard.naming import is_only_a_number, key_of, names_in_status, plain
from tools.pipeline.phrase import Phrase, Text
from tools.pipeline.phrase import gettext_noop as _

SHORTEST_CONTENT = 100
SHORTEST_OUTLINE, LONGEST_OUTLINE = 500, 1_500
MOST_NAMED = 5
SHORTEST_ALIKE = 2
UNDER_WAY = (CallStatus.CLEARED, CallStatus.APPROVED, CallStatus.CLAIMED)


def of_written_chapter(story: Story, given: Chapter) -> Iterator[Text]:
    """A chapter with its text, against what was to be stored and against the rest of the story."""
    stored = Chapter.objects.filter(story=story, number=given.number).first()
    if stored is None:
        yield Phrase(_("Chapter {number} was saved, but is not there any more."), number=given.number)
        return
    if (stored.title, stored.outline, stored.content) != (given.title, given.outline, given.content):
        yield Phrase(_("Chapter {number} was changed by somebody else meanwhile."), number=given.number)
    yield from _lengths(stored)
    yield from _outline_and_text(story, stored)
    yield from of_chapter(story, stored)


def of_chapter(story: Story, stored: Chapter) -> Iterator[Text]:
    """A chapter's title and its place among the others."""
    if is_only_a_number(stored.title):
        yield Phrase(_("The title “{title}” is only a chapter number."), title=stored.title)
    others = dict(Chapter.objects.filter(story=story).exclude(pk=stored.pk).values_list("number", "title"))
    same = [number for number, title in others.items() if plain(title) == plain(stored.title)]
    if same:
        yield Phrase(_("Chapter {number} has the same title."), number=min(same))
    if missing := _missing({*others, stored.number}):
        yield Phrase(_("There is no chapter {numbers} yet."), numbers=_listed(missing))


def of_bible(story: Story) -> Iterator[Text]:
    """The story bible: who is named in it, and whether it tells of the newest chapter."""
    known = set(Character.objects.filter(story=story).values_list("key", flat=True))
    named = dict.fromkeys(names_in_status(story.character_status))
    strangers = [name for name in named if key_of(name) not in known]
    if strangers:
        words = _("The character status names {names}, but there is no such character yet.")
        yield Phrase(words, names=_listed(strangers))
    newest = Chapter.objects.filter(story=story).exclude(content="").order_by("-number").first()
    if newest and story.bible_chapter and story.bible_chapter < newest.number:
        words = _(
            "The story bible now tells how things stand after chapter {old}, but chapter {new} is there."
        )
        yield Phrase(words, old=story.bible_chapter, new=newest.number)


def of_character(stored: Character) -> Iterator[Text]:
    others = Character.objects.filter(story=stored.story).exclude(pk=stored.pk).values_list("name", flat=True)
    if alike := [name for name in others if _one_holds_the_other(plain(name), plain(stored.name))]:
        yield Phrase(_("{names} may be the same person."), names=_listed(alike))


def of_world_entry(stored: WorldEntry) -> Iterator[Text]:
    twins = WorldEntry.objects.filter(story=stored.story, key=stored.key).exclude(pk=stored.pk)
    if twin := twins.first():
        yield Phrase(
            _("{name} stands in the category {category} as well."), name=twin.name, category=twin.category
        )


def of_beat(stored: Beat) -> Iterator[Text]:
    """Beats before this one that are still empty, and that no call under way is about to fill."""
    coming = set(_on_the_way(stored.story))
    # Read after that: a call that ends in between is in one of the two.
    filled = set(Beat.objects.filter(story=stored.story).values_list("beat", flat=True))
    before = list(BeatName)[: BeatName.values.index(stored.beat)]
    if empty := [beat for beat in before if beat not in filled | coming]:
        yield Phrase(_("Earlier beats are still empty: {beats}."), beats=_named(empty))


def _on_the_way(story: Story) -> Iterable[str]:
    """The beats that calls of this conversation are filling now: several in one reply run at the same time."""
    calls = ToolCall.objects.filter(topic=story.topic, status__in=UNDER_WAY)
    mine = calls.filter(version__definition__executor__handler="storyboard.update_structure")
    return [given["beat"] for given in mine.values_list("arguments", flat=True) if given]


def _named(beats: Sequence[BeatName]) -> Phrase:
    """Their names; each is translated where it is read, so here it is taken as it is written."""
    with translation.override(None):
        names = {f"beat{nth}": Phrase(str(beat.label)) for nth, beat in enumerate(beats)}
    return Phrase(", ".join(f"{{{name}}}" for name in names), **names)


def _lengths(stored: Chapter) -> Iterator[Text]:
    outline, content = len(stored.outline), len(stored.content)
    if content < SHORTEST_CONTENT:
        yield Phrase(_("The text has only {count} characters."), count=content)
    if outline < SHORTEST_OUTLINE:
        yield Phrase(_("The outline has only {count} characters; 500 to 1,500 are good."), count=outline)
    elif outline > LONGEST_OUTLINE:
        yield Phrase(_("The outline has {count} characters; 500 to 1,500 are good."), count=outline)
    if content < outline:
        words = _("The text ({content} characters) is shorter than its outline ({outline}).")
        yield Phrase(words, content=content, outline=outline)


def _outline_and_text(story: Story, stored: Chapter) -> Iterator[Text]:
    """Characters of the story whom the outline names and the text does not."""
    outline, content = plain(stored.outline), plain(stored.content)
    names = Character.objects.filter(story=story).values_list("name", flat=True)
    absent = [name for name in names if plain(name) in outline and not _appears(plain(name), content)]
    if absent:
        yield Phrase(_("The outline names {names}, who does not appear in the text."), names=_listed(absent))


def _appears(name: str, text: str) -> bool:
    """By the whole name, or by one of its words."""
    return any(part in text for part in (name, *name.split()))


def _missing(numbers: set[int]) -> list[int]:
    """Numbers below the highest that no chapter has; no more than are named."""
    found: list[int] = []
    for number in range(1, max(numbers)):
        if number not in numbers:
            found.append(number)
        if len(found) > MOST_NAMED:
            break
    return found


def _one_holds_the_other(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= SHORTEST_ALIKE and short in long


def _listed(things: Iterable[object]) -> str:
    names = [str(thing) for thing in things]
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
