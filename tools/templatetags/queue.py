"""Filters of the queue's templates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tools.review.words import mend_name

register = template.Library()


@register.filter
def at(table: Mapping[str, str], key: str) -> str:
    """An entry of a table by a key that a variable holds."""
    return table.get(key, "")


@register.filter
def flag_name(name: str) -> str:
    return mend_name({"name": name})


@register.filter
def left(until: datetime) -> str:
    """The time until then, in its two largest units; scripts count it down from there."""
    remaining = until - timezone.now()
    return _span(remaining) if remaining > timedelta(0) else _("over")


@register.filter
def age(since: datetime) -> str:
    return _span(max(timezone.now() - since, timedelta(0)))


def _span(time: timedelta) -> str:
    minutes = int(time.total_seconds()) // 60
    if minutes < 1:
        return ngettext("%(count)s s", "%(count)s s", time.seconds) % {"count": time.seconds}
    if minutes < 60:
        return ngettext("%(count)s min", "%(count)s min", minutes) % {"count": minutes}
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
    return ngettext("%(count)s day", "%(count)s days", hours // 24) % {"count": hours // 24}
