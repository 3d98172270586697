"""What the six tools may be given: types, and descriptions with good and bad examples (A1).

Content limits (lengths, titles that are titles) are not here: they are rules of the tools' records, so that an admin
can change them. The sizes below only keep a row within reason.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from tools.packs.storyboard.models import LONGEST_NAME, LONGEST_TITLE

LONGEST_TEXT = 60_000
LONGEST_NOTE = 10_000
LAST_CHAPTER = 10_000

Note: TypeAlias = Annotated[str, Field(max_length=LONGEST_NOTE)]
BeatOfStory = Literal["hook", "incitingIncident", "risingAction", "climax", "fallingAction", "resolution"]


def number(description: str) -> int:
    """A chapter's number."""
    return Field(title="Chapter number", ge=1, le=LAST_CHAPTER, description=description, examples=[3])


def _may_be_left_out(schema: dict[str, Any]) -> None:
    """Leaving it out means that it stays as it is, so no default is filled in and told to the person."""
    schema.pop("default", None)


class StoryBible(BaseModel):
    """How things stand in the story after this chapter. It replaces what stood there before."""

    character_status: Note = Field(
        title="How the characters are",
        description="Protagonists, antagonists and supporting characters who are active now, one a line, as "
        '"name: status, place, what changed". Say clearly who is dead: "name: died in chapter 10". '
        'Good: "陆志星：重伤，在青云门养伤\\n赵四：第10章已死亡", "Mara: keeper of the light, wounded". '
        'Bad: "Everybody is fine", "Mara is wounded" (no colon).',
        examples=["Mara: keeper of the light, wounded\nTobias: died in chapter 10"],
    )
    key_items_and_locations: Note = Field(
        title="Things and places that matter",
        description='Things and places that matter from here on, and where they are. Good: "The brass key: with Mara. '
        'The drowned village: seen at low tide". Bad: "various items".',
    )
    active_plot_threads: Note = Field(
        title="Open threads",
        description="Threads and foreshadowing that are still open. "
        'Good: "Who lit the lamp in chapter 1?". Bad: "none yet".',
    )
    important_rules: Note | None = Field(
        title="Rules that hold for a while",
        default=None,
        description="Rules and notes that hold for a while. Leave it out to keep what stands.",
        json_schema_extra=_may_be_left_out,
    )


class StoryboardUpdate(BaseModel):
    """A written chapter. The names of its arguments are those writers' prompts already use."""

    chapterNumber: int = number('Which chapter this is. Good: 3. Bad: "chapter three".')
    chapterTitle: str = Field(
        title="Chapter title",
        max_length=LONGEST_TITLE,
        description="A descriptive title, taken from the chapter's main theme or key event; in Chinese "
        "2 to 8 characters. "
        'Good: "初入江湖", "命运的转折", "The Price of Betrayal". Bad: "第1章", "第三章", "Chapter 1".',
        examples=["The Price of Betrayal", "命运的转折"],
    )
    chapter_content: str = Field(
        title="Text of the chapter",
        max_length=LONGEST_TEXT,
        description="The whole text of the chapter, at least 100 characters, paragraphs apart by blank lines. "
        'Good: the chapter as a reader reads it. Bad: "(see above)", a summary.',
    )
    chapter_outline: str = Field(
        title="Outline of the chapter",
        max_length=LONGEST_NOTE,
        description="The detailed outline, 500 to 1,500 characters: the chapter's task, what happens in detail, "
        "how relations between characters change, foreshadowing and suspense, the curve of emotion, key information. "
        'Bad: one sentence; "same as the content".',
    )
    updated_story_bible: StoryBible | None = Field(
        title="Story bible",
        default=None,
        description="How things stand after this chapter. Always send it with a newly written chapter; leave it "
        "out only when correcting an old one.",
        json_schema_extra=_may_be_left_out,
    )
    storyTitle: str | None = Field(
        title="Story title",
        default=None,
        max_length=LONGEST_TITLE,
        description='The title of the whole story, when it is new or changes. Good: "The Lighthouse at Low Tide". Bad: '
        "the chapter's title.",
        json_schema_extra=_may_be_left_out,
    )


class NewChapter(BaseModel):
    """A planned chapter: its summary, without its text."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "number": 4,
                    "title": "Across the Sandbar",
                    "summary": "Mara walks to the tower; the tide turns.",
                }
            ]
        }
    )

    number: int = number("Which chapter this is. A number that is there already is refused. Good: 4.")
    title: str = Field(
        title="Chapter title",
        max_length=LONGEST_TITLE,
        description='A descriptive title. Good: "隐藏的真相", "Across the Sandbar". Bad: "第4章", "Chapter 4".',
        examples=["Across the Sandbar"],
    )
    summary: Note = Field(
        title="Summary",
        description="What happens in this chapter, in a few sentences. Good: who wants what, what stands against "
        'it, how it ends. Bad: "Chapter 4".',
    )


class NewCharacter(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Mara Venn",
                    "role": "protagonist",
                    "description": "Forty, keeps the light, trusts nobody.",
                }
            ]
        }
    )

    name: str = Field(
        title="Name",
        max_length=LONGEST_NAME,
        description="The name alone, always the same one. "
        'Good: "陆志星", "Mara Venn". Bad: "Mara Venn (the keeper)", "she".',
        examples=["Mara Venn"],
    )
    role: str = Field(
        title="Role",
        max_length=LONGEST_NAME,
        description='What they are in the story. Good: "protagonist", "反派", "mentor". Bad: "character".',
        examples=["protagonist"],
    )
    description: Note = Field(
        title="Description",
        description='Looks, character, aims, bonds: what a writer must know. Good: "Forty, scarred hands, keeps the '
        'light since her father drowned; trusts nobody". Bad: "a woman".',
    )


class NewWorldEntry(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "category": "place",
                    "name": "The drowned village",
                    "description": "Seen at the lowest tides only.",
                }
            ]
        }
    )

    category: str = Field(
        title="Category",
        max_length=LONGEST_NAME,
        description='Good: "place", "faction", "thing", "law of nature", "地点", "势力". Bad: "other".',
        examples=["place"],
    )
    name: str = Field(
        title="Name",
        max_length=LONGEST_NAME,
        description='Good: "青云门", "The drowned village". Bad: "a village".',
        examples=["The drowned village"],
    )
    description: Note = Field(
        title="Description", description="What it is, how it works, why it matters. Not what happens there."
    )


class NewGuideline(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"category": "voice", "content": "Close third person, past tense."}]}
    )

    category: str = Field(
        title="Category",
        max_length=LONGEST_NAME,
        description='What it is about. Good: "voice", "pace", "taboo", "文风". Bad: "rule".',
        examples=["voice"],
    )
    content: Note = Field(
        title="Guideline",
        description='How this story is to be written. Good: "First person, past tense; short sentences when there is '
        'danger". Bad: "write well".',
    )


class StructureUpdate(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"beat": "incitingIncident", "content": "Mara finds a key with her father's name."}]
        }
    )

    beat: BeatOfStory = Field(
        title="Beat",
        description="Which beat of the story's structure. "
        'Good: "incitingIncident". Bad: "inciting incident", "act 2".',
        examples=["incitingIncident"],
    )
    content: Note = Field(
        title="What happens",
        description="What happens in this beat. "
        'Good: "The lamp goes out on the night of the wreck, and Mara lies about it". Bad: "the climax happens".',
    )
