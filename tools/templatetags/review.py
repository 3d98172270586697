"""How the reviewers' pages write texts and numbers that others made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from tools.review import revealing, waiting

register = template.Library()


@register.filter
def revealed(value: Any) -> SafeString:
    """A value that is not ours, with nothing in it hidden."""
    return revealing.revealed(revealing.pretty(value))


@register.filter
def in_full(value: Any) -> SafeString:
    """As `revealed`, to the last character: what somebody is to agree to has no unseen rest."""
    text = revealing.pretty(value)
    return revealing.revealed(text, len(text))


@register.simple_tag
def moment(at: datetime, shape: str = "DATETIME_FORMAT") -> SafeString:
    """A time as every review page writes it; pointed at, it says the day, the second and the zone."""
    there = localtime(at)
    full = f"{date_format(there, 'DATE_FORMAT')}, {there:%H:%M:%S} {there:%Z} ({there.tzinfo})"
    words = date_format(there, shape)
    return format_html('<time datetime="{}" title="{}">{}</time>', there.isoformat(), full, words)


@register.simple_tag(takes_context=True)
def waiting_here(context: Mapping[str, Any]) -> int:
    """How many calls wait for whoever looks, to decide as a reviewer; asked of the database once for a page."""
    request = context.get("request")
    actor = getattr(request, "actor", None)
    if request is None or actor is None:
        return 0
    if not hasattr(request, "waiting_here"):
        request.waiting_here = waiting.how_many(actor)
    return int(request.waiting_here)


@register.filter
def as_json(value: Any) -> str:
    """On one line; a text stands in quotes, so that it is not taken for a number."""
    return json.dumps(value, ensure_ascii=False)


@register.filter
def grouped(number: int | float) -> str:
    """A number with its thousands apart, as the reader's language writes it."""
    return number_format(number, use_l10n=True, force_grouping=True)
