"""What the buttons of reminders do: pause, resume, delete, and remind again a little later."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents.usage.periods import zone as zone_named
from conversations.reminders import verbs, words
from conversations.reminders.models import Reminder
from conversations.reminders.pages import for_members
from conversations.reminders.verbs import Origin, Wish
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.middleware import TenantRequest

LATER = (10, 60)
"""Minutes by which one may be put off."""


@require_POST
@for_members
def pause(request: TenantRequest, reminder: str) -> HttpResponse:
    return _done(request, reminder, verbs.pause, _("Paused. It does not come until you resume it."))


@require_POST
@for_members
def resume(request: TenantRequest, reminder: str) -> HttpResponse:
    return _done(request, reminder, verbs.resume, _("It comes again."))


@require_POST
@for_members
def delete(request: TenantRequest, reminder: str) -> HttpResponse:
    return _done(request, reminder, verbs.delete, _("Deleted."))


def _done(
    request: TenantRequest, reminder: str, verb: Callable[[Actor, str], Reminder], said: str
) -> HttpResponse:
    try:
        verb(request.actor, reminder)
    except Problem as problem:
        if problem.status == 404:
            raise
        messages.error(request, problem.detail)
    else:
        messages.success(request, said)
    return redirect(f"../../#reminder-{reminder}")


@require_POST
@for_members
def snooze(request: TenantRequest, reminder: str) -> HttpResponse:
    """Set a reminder of the same, `minutes` from now, for whoever asks; the first stays as it is."""
    try:
        made = _again(request.actor, verbs.get(request.actor, reminder), request.POST.get("minutes", ""))
    except Problem as problem:
        # The chat's script asks; it shows the sentence.
        return JsonResponse(problem.body(request.path), status=problem.status)
    there = zone_named(made.zone)
    assert made.next_due is not None
    return JsonResponse({
        "reminder": made.pk, "due": made.next_due.isoformat(), "local": words.clock(made.next_due.astimezone(there)),
    })  # fmt: skip


def _again(actor: Actor, first: Reminder, minutes: str) -> Reminder:
    """What the first had read of outside texts goes along: its words are the same."""
    if minutes not in map(str, LATER):
        raise Problem(400, "bad_request", _("The request is not valid."))
    zone = verbs.zone_of(actor)
    # A reminder has no seconds: the next full minute, not the one before.
    due = (timezone.now() + timedelta(minutes=int(minutes), seconds=59)).astimezone(zone_named(zone))
    wish = Wish(type="once", time=f"{due:%Y-%m-%d %H:%M}", content=first.content, zone=zone)
    return verbs.set_(actor, first.conversation_id, wish, Origin(after=first.after))
