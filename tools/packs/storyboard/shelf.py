"""Putting things into a story: which story, and once each. A name that is taken is caught by the table, so no two
callers can take it at the same time (A6)."""

from __future__ import annotations

from typing import TypeVar

from django.db import IntegrityError, transaction

from tools.packs.storyboard.models import PartOfStory, Story
from tools.registry import ToolContext

P = TypeVar("P", bound=PartOfStory)


def story_of(context: ToolContext) -> Story:
    """The story of the conversation a tool was called in; begun with the first thing put into it."""
    story, _made = Story.objects.get_or_create(topic=context.topic)
    return story


def locked(story: Story) -> Story:
    """The story as it stands now, for a transaction that changes it: two chapters at once wait for each other."""
    return Story.objects.select_for_update().get(pk=story.pk)


def put(part: P) -> P | None:
    """Store a new part; None when the same one stands there already."""
    try:
        with transaction.atomic():
            part.save(force_insert=True)
            part.story.save(update_fields=["updated_at"])
    except IntegrityError:
        return None
    return part


def address(context: ToolContext, story: Story) -> str:
    """Where people read the story."""
    return f"/t/{context.tenant.slug}/stories/{story.pk}/"
