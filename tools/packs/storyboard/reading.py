"""The only door that loads a story for a person: every member of its tenant may read it."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from platform_site.errors import Problem
from tools.packs.storyboard.models import Story


def stories() -> QuerySet[Story]:
    """The stories of the tenant acted for, newest first."""
    unwritten = Q(chapters__content="")
    counted = Story.objects.annotate(
        written=Count("chapters", filter=~unwritten), planned=Count("chapters", filter=unwritten)
    )
    return counted.order_by("-updated_at", "-pk")


def story(story_id: str) -> Story:
    found = Story.objects.filter(pk=story_id).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such story."))
    return found
