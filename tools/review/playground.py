"""The playground: paste what a model might send, see what would come of it. Looking runs nothing; `run` asks the gate.

Owners, admins and reviewers look. Running takes the right to configure: it reaches every tool that is switched on, also
those no agent is offered, with arguments no model proposed; and who reviews should not be who starts.
"""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from platform_site.access import check_scope
from platform_site.door import for_reviewers
from platform_site.ids import new_id
from platform_site.middleware import TenantRequest
from platform_site.models import Role
from tools import catalogue, gate
from tools.models import CallStatus, ToolCall
from tools.review import trying
from tools.review.playground_form import Chosen, choose, starting_text
from tools.review.playground_look import Looked, look
from tools.review.playground_words import (
    RISKS,
    SEVERITIES,
    VERDICTS,
    approval_sentences,
    nobody_because,
    steps_of,
)
from tools.words import said

FEW = 8


@require_http_methods(["GET", "HEAD", "POST"])
@for_reviewers
def page(request: TenantRequest) -> HttpResponse:
    """The form and what comes of its text; a POST is the form sent by a browser without scripts."""
    chosen = choose(request.actor, (request.POST if request.method == "POST" else request.GET).dict())
    return render(request, "review/playground.html", _shown(request, chosen))


@require_POST
@for_reviewers
def check(request: TenantRequest) -> JsonResponse:
    """What comes of the text as it stands, drawn by the server; `errors` are for the editor's margin."""
    chosen = choose(request.actor, request.POST.dict())
    looked = _look(chosen)
    context = {"chosen": chosen, **_result(looked)}
    return JsonResponse(
        {
            "html": render_to_string("review/playground_result.html", context, request),
            "version": chosen.version.pk if chosen.version else "",
            "versions": render_to_string("review/playground_versions.html", context, request),
            "about": render_to_string("review/playground_tool.html", _tool(chosen), request),
            "example": starting_text(chosen.version) if chosen.version else "",
            "headline": VERDICTS[looked.outcome][0] if looked else "",
            "canRun": _can_run(request, chosen),
            "errors": [{"path": one.path, "message": said(one.message)} for one in looked.errors]
            if looked
            else [],
        }
    )


@require_POST
@for_reviewers
def run(request: TenantRequest) -> HttpResponse:
    """Ask for it in earnest. The answer is the page of the try, whatever became of it."""
    check_scope(request.actor, "configure")
    chosen = choose(request.actor, request.POST.dict())
    begun = _ask(request, chosen)
    if isinstance(begun, gate.Refused):
        messages.error(request, begun.detail)
        return render(request, "review/playground.html", _shown(request, chosen))
    if begun.due:
        async_to_sync(trying.see_through)(begun.due, request.tenant)
    return redirect("review:try", request.tenant.slug, begun.call.pk)


def _ask(request: TenantRequest, chosen: Chosen) -> trying.Begun | gate.Refused:
    if chosen.version is None:
        return gate.Refused("not_found", _("Choose a tool first."))
    return trying.ask(request.actor, chosen.version, chosen.raw, request.POST.get("key", ""))


def _shown(request: TenantRequest, chosen: Chosen) -> dict[str, Any]:
    return {
        "chosen": chosen, "roles": Role.choices, "key": new_id(), "can_run": _can_run(request, chosen),
        "may_run": request.actor.can_configure, "waiting": _waiting(), "lately": _lately(request),
        **_tool(chosen), **_result(_look(chosen)),
    }  # fmt: skip


def _look(chosen: Chosen) -> Looked | None:
    return look(catalogue.spec_of(chosen.version), chosen.raw, chosen.what_if) if chosen.version else None


def _result(looked: Looked | None) -> dict[str, Any]:
    """What `playground_result.html` draws."""
    if looked is None:
        return {"looked": None}
    approval = looked.approval
    return {
        "looked": looked,
        "steps": list(steps_of(looked)),
        "rules": [(seen, SEVERITIES[seen.rule.severity]) for seen in looked.rules],
        "verdict": VERDICTS[looked.outcome],
        "risk": RISKS[looked.risk],
        "approval": list(approval_sentences(approval)) if approval else [],
        "nobody": list(nobody_because(approval)) if approval else [],
    }


def _tool(chosen: Chosen) -> dict[str, Any]:
    return {"spec": catalogue.spec_of(chosen.version) if chosen.version else None, "chosen": chosen}


def _can_run(request: TenantRequest, chosen: Chosen) -> bool:
    return request.actor.can_configure and chosen.is_current


def _waiting() -> list[ToolCall]:
    """The tries somebody still has to decide on."""
    return list(trying.tries().filter(status=CallStatus.HELD).order_by("-proposed_at")[:FEW])


def _lately(request: TenantRequest) -> list[ToolCall]:
    """One's own last tries that do not wait."""
    own = trying.tries().filter(requester=request.actor.user).exclude(status=CallStatus.HELD)
    return list(own.order_by("-proposed_at")[:FEW])
