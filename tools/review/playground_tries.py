"""The page of one try: what exactly was asked, who has to agree, what came of it. It is read from rows, so it can be
reloaded, opened in two tabs and sent to the reviewer whose word is waited for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from platform_site.access import Actor
from platform_site.door import for_reviewers
from platform_site.errors import Problem
from platform_site.middleware import TenantRequest
from tools import catalogue, gate, policy
from tools.gate import telling
from tools.gate.reviewers import groups_for
from tools.jobs import cancelling
from tools.models import CallStatus, Confirmation, ConfirmationStatus, Job, ToolCall
from tools.policy import Part
from tools.review import trying
from tools.review.playground_look import WhatIf, look
from tools.review.playground_words import RISKS, STATUSES
from tools.review.question import preview_of

MOVING = (CallStatus.PROPOSED, CallStatus.CLEARED, CallStatus.CLAIMED, CallStatus.WORKING)
UNSTARTED = (CallStatus.PROPOSED, CallStatus.HELD, CallStatus.APPROVED)
GOES_ON = (CallStatus.PROPOSED, CallStatus.APPROVED)


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer as the form sent it."""

    decision: str
    digest: str
    proof: dict[str, str] | None = None
    reason: str = ""
    arguments: None = None


@require_http_methods(["GET", "HEAD", "POST"])
@for_reviewers
def one(request: TenantRequest, call: str) -> HttpResponse:
    """`do` says what a POST wants: approve, reject, go_on, withdraw or cancel."""
    found = trying.tries().select_related("confirmation", "job").filter(pk=call.replace("\0", "")).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such try."))
    if request.method != "POST":
        return render(request, "review/playground_try.html", _shown(request.actor, found))
    if due := _do(request, found):
        async_to_sync(trying.see_through)(due, request.tenant)
    return redirect("review:try", request.tenant.slug, found.pk)


def _do(request: TenantRequest, call: ToolCall) -> trying.Due | None:
    match request.POST.get("do"):
        case "approve" | "reject" as decision:
            return _decide(request, call, decision)
        case "go_on":
            return trying.go_on(request.actor, call)
        case "cancel":
            trying.cancel(request.actor, call)
        case "withdraw":
            if not trying.withdraw(request.actor, call):
                messages.warning(request, _("It could not be taken back any more."))
    return None


def _decide(request: TenantRequest, call: ToolCall, decision: str) -> trying.Due | None:
    proof = {kind: request.POST[kind] for kind in ("password", "code") if request.POST.get(kind)}
    given = Answer(decision, request.POST.get("digest", ""), proof or None, request.POST.get("reason", ""))
    verdict, due = trying.answer(request.actor, call, given)
    if isinstance(verdict, gate.Refused):
        messages.error(request, _in_full(verdict))
    return due


def _in_full(refused: gate.Refused) -> str:
    left = refused.tries_left
    if left is None:
        return refused.detail
    more = ngettext("%(left)s attempt is left.", "%(left)s attempts are left.", left) % {"left": left}
    return f"{refused.detail} {more}"


def _shown(actor: Actor, call: ToolCall) -> dict[str, Any]:
    """What the page draws."""
    assert call.version is not None and call.requester is not None
    spec = catalogue.spec_of(call.version)
    question: Confirmation | None = getattr(call, "confirmation", None)
    part = _part(actor, question)
    is_own = call.requester_id == actor.user.pk
    return {
        "tab": "playground", "call": call, "question": question, "part": part, "is_own": is_own,
        "status": STATUSES[call.status], "risk": RISKS.get(call.risk),
        "ceremony": _ceremony(actor, question) if part else "",
        "summary": _label(telling.labels(spec, "summary", call.arguments)),
        "title": _label(telling.labels(spec, "title", call.arguments)),
        "may_go_on": is_own and actor.can_configure and call.status in GOES_ON,
        "may_withdraw": is_own and actor.can_configure and call.status in UNSTARTED,
        "job": getattr(call, "job", None), "may_cancel": _may_cancel(actor, call),
        "needs_reviewer": question is not None and policy.needs_reviewer(question.by),
        "watches": call.status in MOVING or (call.status in UNSTARTED and not part),
        "preview": preview_of(question) if question else None,
        "groups": groups_for(spec) if question else [],
        "nobody": any(flag["name"] == "nobody_can_approve" for flag in call.flags),
        "errors": _errors(actor, call),
        "result": _result(call),
    }  # fmt: skip


def _may_cancel(actor: Actor, call: ToolCall) -> bool:
    job: Job | None = getattr(call, "job", None)
    own = call.requester_id == actor.user.pk and actor.can_configure
    return own and job is not None and call.status in cancelling.OPEN and not job.cancel_requested


def _part(actor: Actor, question: Confirmation | None) -> Part | None:
    """The part this person decides now."""
    if question is None or question.status != ConfirmationStatus.PENDING:
        return None
    return gate.part_for(question, actor) if question.call.status == CallStatus.HELD else None


def _ceremony(actor: Actor, question: Confirmation | None) -> str:
    return policy.ceremony(question.proof, has_password=actor.user.has_usable_password()) if question else ""


def _errors(actor: Actor, call: ToolCall) -> list[Any]:
    """What was wrong, in the language of who reads: the record keeps it in English."""
    if call.status != CallStatus.REJECTED or call.version is None:
        return []
    return list(look(catalogue.spec_of(call.version), call.raw, WhatIf(actor.user, str(actor.role))).errors)


def _label(texts: dict[str, str]) -> str:
    return texts.get(get_language() or "") or texts.get("en", "")


def _result(call: ToolCall) -> dict[str, Any]:
    stored: dict[str, Any] = call.result or {}
    shown = {name: stored.get(name) for name in ("error", "ui", "warnings", "flags")}
    display = stored.get("display")
    return shown | {"content": display if display is not None else stored.get("content", "")}
