"""Pages that show stories to the members of a tenant. Nothing is changed here: stories are written in conversations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.db.models import Case, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from platform_site.errors import Problem, answer
from tools.packs.storyboard import reading
from tools.packs.storyboard.models import BeatName, Story

STORIES_A_PAGE = 50
CHAPTERS_A_PAGE = 20
BIBLE = {
    "character_status": _("Characters"),
    "key_items_and_locations": _("Things and places"),
    "active_plot_threads": _("Open threads"),
    "important_rules": _("Rules for now"),
}


class Step(NamedTuple):
    """A beat of the structure; its content is empty while nobody has written it."""

    name: str
    label: str
    content: str


@dataclass(frozen=True)
class Line:
    """A line of the table of contents: a chapter, and the page its text stands on."""

    number: int
    title: str
    is_written: bool
    page: int


@require_safe
@never_cache
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """`/t/<slug>/stories/`"""
    page = Paginator(reading.stories(), STORIES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "storyboard/index.html", {"stories": page})


@require_safe
@never_cache
def story(request: HttpRequest, slug: str, story: str) -> HttpResponse:
    """`/t/<slug>/stories/<id>/`"""
    try:
        shown = reading.story(story)
    except Problem as problem:
        return answer(request, problem)
    return render(request, "storyboard/story.html", page_data(shown, request.GET.get("page")))


def page_data(shown: Story, page: str | None) -> dict[str, Any]:
    """Everything of a story, but for the chapters: those of one page."""
    contents = _contents(shown)
    return {
        "story": shown,
        "contents": contents,
        "chapters": Paginator(shown.chapters.all(), CHAPTERS_A_PAGE).get_page(page),
        "characters": shown.characters.all(),
        "world": shown.world.order_by("category", "created_at"),
        "guidelines": shown.guidelines.all(),
        "beats": _beats(shown),
        "bible": [(label, text) for name, label in BIBLE.items() if (text := getattr(shown, name))],
    }


def _contents(shown: Story) -> list[Line]:
    is_written = Case(When(content="", then=Value(False)), default=Value(True))
    rows = shown.chapters.annotate(is_written=is_written).values_list("number", "title", "is_written")
    return [Line(*row, page=place // CHAPTERS_A_PAGE + 1) for place, row in enumerate(rows)]


def _beats(shown: Story) -> list[Step]:
    """All six beats in order; none if not one is written."""
    written = dict(shown.beats.values_list("beat", "content"))
    steps = [Step(beat.value, str(beat.label), written.get(beat.value, "")) for beat in BeatName]
    return steps if written else []
