"""Setting and changing a reminder, and what a half-filled form would mean."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from agents.usage.periods import zone as zone_named
from conversations.access import conversations_for
from conversations.reminders import schedule, shown, verbs
from conversations.reminders.forms import ReminderForm, as_it_is, beginning
from conversations.reminders.models import Reminder
from conversations.reminders.pages import for_members
from platform_site import zones
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.middleware import TenantRequest

MOST_CHOICES = 200
"""Of somebody's conversations, the newest are offered."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def new(request: TenantRequest) -> HttpResponse:
    """`?conversation=` and `?content=` begin the form."""
    actor = request.actor
    choices = _choices(actor, request.GET.get("conversation", "").replace("\0", ""))
    begun = beginning(verbs.zone_of(actor), timezone.now()) | _given(request)
    form = ReminderForm(_posted(request), initial=begun, conversations=choices)
    if form.is_bound and form.is_valid():
        try:
            made = verbs.set_(actor, form.cleaned_data["conversation"], form.wish())
        except Problem as problem:
            form.take(problem)
        else:
            messages.success(request, _("The reminder is set."))
            return redirect(f"../#reminder-{made.pk}")
    return _form(request, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def edit(request: TenantRequest, reminder: str) -> HttpResponse:
    """Only who set it; a finished one with a time in the future begins again."""
    actor = request.actor
    row = verbs.get(actor, reminder)
    if "change" not in verbs.may(actor, row):
        raise Problem(403, "forbidden", _("Only who set a reminder may change it: it speaks in their name."))
    form = ReminderForm(_posted(request), initial=as_it_is(row, timezone.now()))
    if form.is_bound and form.is_valid():
        try:
            verbs.change(actor, reminder, form.wish())
        except Problem as problem:
            form.take(problem)
        else:
            messages.success(request, _("The reminder was changed."))
            return redirect(f"../#reminder-{reminder}")
    return _form(request, form, row)


@require_safe
@for_members
def preview(request: TenantRequest) -> HttpResponse:
    """The next five times of what the form says so far: a piece of the page, for its script."""
    form = ReminderForm(request.GET)
    form.is_valid()
    given = form.cleaned_data
    if not {"kind", "time", "zone"} <= given.keys() or {"date", "weekday"} & form.errors.keys():
        return render(request, "reminders/preview.html", {})
    try:
        shown_then = _preview(request.actor, given)
    except OverflowError:  # a day at either end of the calendar
        shown_then = {}
    return render(request, "reminders/preview.html", shown_then)


def _preview(actor: Actor, given: dict[str, Any]) -> dict[str, Any]:
    now = timezone.now()
    rule = schedule.Rule(
        given["kind"], given["time"], given["zone"], date=given["date"], weekday=given["weekday"]
    )
    there, viewer = zone_named(rule.zone), zone_named(verbs.zone_of(actor))
    moments = schedule.next_five(rule, now)
    return {"asked": True, "coming": shown.nexts(moments, rule.time, there, viewer, now)}


def _form(request: TenantRequest, form: ReminderForm, row: Reminder | None) -> HttpResponse:
    weekdays = [(str(number), WEEKDAYS[number], WEEKDAYS_ABBR[number]) for number in WEEKDAYS]
    filled = {
        "form": form, "reminder": row, "zones": zones.offered(), "letters": verbs.LONGEST_CONTENT, "weekdays": weekdays,
    }  # fmt: skip
    return render(request, "reminders/form.html", filled, status=400 if form.is_bound else 200)


def _posted(request: TenantRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _given(request: TenantRequest) -> dict[str, str]:
    return {name: request.GET[name] for name in ("conversation", "content") if name in request.GET}


def _choices(actor: Actor, wanted: str) -> list[tuple[str, str]]:
    """The person's conversations, newest first; the one that is asked for is among them."""
    mine = conversations_for(actor)
    found = {row.pk: row for row in [*mine.filter(pk=wanted), *mine[:MOST_CHOICES]]}
    return [(row.pk, row.title or _("New conversation")) for row in found.values()]
