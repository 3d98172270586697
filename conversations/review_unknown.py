"""Calls whose outcome nobody knows, and a person's word on how they ended: it was done, it was not, or once more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from conversations import actions
from conversations.api_confirmations import STATUS_OF
from platform_site.access import Actor
from platform_site.door import for_reviewers
from platform_site.errors import Problem
from platform_site.middleware import TenantRequest
from platform_site.models import AuditEntry
from tools import catalogue, gate
from tools.gate.resolving import LONGEST_NOTE, What, blocked, can_be_sent_again
from tools.jobs.telling import is_background
from tools.models import ToolCall
from tools.review import trying
from tools.review.playground_words import RISKS, STATUSES
from tools.review.question import arguments_of
from tools.review.queue_rows import title_of
from tools.review.waiting import unknown_calls
from tools.words import said

A_PAGE = 20
LATELY = 10
SAID: dict[str, str | Promise] = {
    "happened": gettext_lazy("Written down: it was done. The conversation goes on."),
    "did_not": gettext_lazy("Written down: it was not done. The conversation goes on."),
    "retry": gettext_lazy("It is being sent again, under the same key."),
}


@dataclass(frozen=True, slots=True)
class Lost:
    """One call as the page draws it. `blocked` says why whoever looks may not settle it."""

    call: ToolCall
    title: str
    risk: Any
    arguments: Sequence[Any]
    blocked: str
    may_repeat: bool
    note: str = ""
    problem: str = ""

    @property
    def why(self) -> str:
        return str(((self.call.result or {}).get("error") or {}).get("message", ""))


@dataclass(frozen=True, slots=True)
class Settled:
    """What somebody said about a call, and how it stands now."""

    entry: AuditEntry
    what: str
    note: str
    call: ToolCall | None
    status: tuple[str | Promise, str | Promise, str, str] | None


@require_safe
@for_reviewers
def page(request: TenantRequest) -> HttpResponse:
    """`/t/<slug>/review/unknown/`."""
    return _render(request)


@require_POST
@for_reviewers
def settle(request: TenantRequest, call: str) -> HttpResponse:
    """Write down what this person says; a refusal is told beside the call."""
    found = ToolCall.objects.select_related("version", "requester").filter(pk=call).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such call."))
    what, note = request.POST.get("what", ""), request.POST.get("note", "").replace("\0", "")
    if what not in SAID:
        raise Problem(400, "bad_request", _("Say how it ended."))
    verdict = _resolve(request, found, cast(What, what), note)
    if isinstance(verdict, gate.Refused):
        return _render(request, found, note, verdict)
    messages.success(request, str(SAID[what]))
    return redirect("queue:unknown", request.tenant.slug)


def _resolve(request: TenantRequest, call: ToolCall, what: What, note: str) -> gate.Resolved | gate.Refused:
    """A try from the playground has no run that would send it again, so that is done here, or by the queue."""
    verdict = actions.resolve(request.actor, call, what, note)
    sends = what == "retry" and isinstance(verdict, gate.Resolved) and not call.run
    if sends and call.version is not None and not is_background(call):
        claimed = gate.Claimed(call, catalogue.spec_of(call.version))
        async_to_sync(trying.see_through)(trying.Due(call, claimed), request.tenant)
    return verdict


def _render(
    request: TenantRequest, about: ToolCall | None = None, note: str = "", refused: gate.Refused | None = None
) -> HttpResponse:
    rows = (
        unknown_calls().select_related("version", "requester", "confirmation").order_by("-claimed_at", "-pk")
    )
    cut = Paginator(rows, A_PAGE).get_page(request.GET.get("page", ""))
    problem = refused.detail if refused else ""
    lost = [
        _lost(call, request.actor, *((note, problem) if about and call.pk == about.pk else ("", "")))
        for call in cut
    ]
    context = {
        "tab": "unknown", "lost": lost, "cut": cut, "lately": _lately(), "longest": LONGEST_NOTE,
        "elsewhere": problem if about and about.pk not in {one.call.pk for one in lost} else "",
    }  # fmt: skip
    status = STATUS_OF.get(refused.code, 400) if refused else 200
    return render(request, "review/unknown.html", context, status=status)


def _lost(call: ToolCall, actor: Actor, note: str, problem: str) -> Lost:
    spec = catalogue.spec_of(call.version) if call.version else None
    return Lost(
        call, title_of(call, spec), RISKS.get(call.risk), arguments_of(call), said(blocked(call, actor)),
        bool(spec and can_be_sent_again(spec)), note, problem,
    )  # fmt: skip


def _lately() -> list[Settled]:
    """What was settled last, from the audit log: it keeps what a call that was sent again does not."""
    entries = list(AuditEntry.objects.filter(verb="call.looked_into").order_by("-number")[:LATELY])
    ids = [entry.object_id for entry in entries]
    calls = {call.pk: call for call in ToolCall.objects.filter(pk__in=ids).select_related("version")}
    return [_settled(entry, calls.get(entry.object_id)) for entry in entries]


def _settled(entry: AuditEntry, call: ToolCall | None) -> Settled:
    details = json.loads(entry.details)
    what, note = str(details.get("what", "")), str(details.get("note", ""))
    return Settled(entry, what, note, call, STATUSES[call.status] if call else None)
