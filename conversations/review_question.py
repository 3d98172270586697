"""One question of the queue: everything there is to see before one decides, and deciding."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from conversations import actions
from conversations.access import conversations_for
from conversations.api_confirmations import STATUS_OF
from conversations.review_queue import agents_of
from conversations.review_talk import around
from platform_site.door import for_reviewers
from platform_site.errors import Problem
from platform_site.middleware import TenantRequest
from tools import gate
from tools.models import CallStatus, Confirmation
from tools.review import trying, waiting
from tools.review.question import shown
from tools.review.question_form import edited_in, form_of
from tools.review.queue_rows import with_everything
from tools.review.waiting import Groups

LONGEST_REASON = 1_000


@require_safe
@for_reviewers
def page(request: TenantRequest, confirmation: str) -> HttpResponse:
    """`/t/<slug>/review/queue/<id>/`."""
    return _render(request, confirmation)


@sensitive_post_parameters("password", "code")
@require_POST
@for_reviewers
def decide(request: TenantRequest, confirmation: str) -> HttpResponse:
    """Approve or reject, with a reason and a proof if one is asked for; a refusal is told on the page itself."""
    question = _found(request, confirmation)
    verdict = _answer(request, question)
    if isinstance(verdict, gate.Refused):
        return _render(request, confirmation, verdict)
    messages.success(request, _said(verdict, asked_anew=_digest_now(question) != question.digest))
    return redirect("queue:question", request.tenant.slug, confirmation)


def _answer(request: TenantRequest, question: Confirmation) -> gate.Decided | gate.Refused:
    decision, reason, edited = request.POST.get("decision", ""), _reason(request), edited_in(request.POST)
    if isinstance(edited, gate.Refused):
        return edited
    proof = {kind: request.POST[kind] for kind in ("password", "code") if request.POST.get(kind)}
    given = actions.Answer(decision, request.POST.get("digest", ""), proof or None, reason, edited)
    if not trying.tries().filter(pk=question.call_id).exists():
        return actions.decide(request.actor, question.pk, given)
    verdict, due = trying.answer(request.actor, question.call, given)
    if due:
        async_to_sync(trying.see_through)(due, request.tenant)
    return verdict


def _digest_now(question: Confirmation) -> str:
    """What the question is about after the answer: an edit has changed it, or is about to."""
    found = Confirmation.objects.select_related("call").get(pk=question.pk)
    return "" if found.call.status == CallStatus.PROPOSED else found.digest


def _reason(request: TenantRequest) -> str:
    return request.POST.get("reason", "").replace("\0", "").strip()[:LONGEST_REASON]


def _found(request: TenantRequest, confirmation: str) -> Confirmation:
    rows = with_everything(Confirmation.objects.filter(pk=confirmation), request.actor, Groups.read())
    question = rows.first()
    if question is None:
        raise Problem(404, "not_found", _("There is no such question."))
    return question


def _render(request: TenantRequest, confirmation: str, refused: gate.Refused | None = None) -> HttpResponse:
    question = _found(request, confirmation)
    groups = Groups.read()
    context = shown(question, request.actor, groups)
    later = waiting.mine(request.actor, groups).exclude(pk=question.pk).order_by("decide_by", "pk")
    context |= {
        "tab": "queue", "talk": around(question.call), "agent": agents_of([context["row"]])[question.call_id],
        "next": later.first(), "left": later.count(), "refused": refused, "longest": LONGEST_REASON,
        "problem": _problem(refused) if refused else "", "reason": _reason(request), "state": _state(question),
        "is_try": not question.call.run, "is_own": question.call.requester_id == request.user.pk,
        "own_talk": conversations_for(request.actor).filter(pk=question.call.topic).exists(),
        "form": form_of(question, request.POST, refused) if context["row"].is_mine else None,
    }  # fmt: skip
    status = STATUS_OF.get(refused.code, 400) if refused else 200
    return render(request, "review/question.html", context, status=status)


def _state(question: Confirmation) -> str:
    """Changes when what the page shows is not how things stand any more."""
    votes = len(question.votes.all())
    parts: list[Any] = [
        question.status,
        question.call.status,
        question.digest[:12],
        question.user_approved,
        votes,
    ]
    return "-".join(map(str, parts))


def _problem(refused: gate.Refused) -> str:
    """What went wrong, and what to do about it."""
    if refused.code == "digest_mismatch":
        return _(
            "It changed while you looked, so nothing was decided. What waits now is shown here: look again."
        )
    left = refused.tries_left
    if left is None:
        return refused.detail
    more = ngettext("%(left)s attempt is left.", "%(left)s attempts are left.", left) % {"left": left}
    return f"{refused.detail} {more}"


def _said(decided: gate.Decided, *, asked_anew: bool) -> str:
    if decided.status == "pending" and asked_anew:
        return _("Changed. Everybody who has to agree is asked about what stands here now.")
    if not decided.ready:
        return _("Your yes is noted. Somebody else has to agree as well.")
    if decided.status == "approved":
        return _("Approved. It is being carried out; how it ends is shown here.")
    return _("Rejected. The person who asked and the agent have been told why.")
