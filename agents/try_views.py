"""The console's test buttons: a POST tries a saved model, or a credential with a model's name, and shows what came.

One request of at most `trying.LIMIT_S` seconds, so many a tenant in ten minutes, noted in the audit log. No transaction
is open while the provider is asked. Answers are a fragment for htmx, a page for a browser without scripts.
"""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from django.http import Http404, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.utils.translation import gettext as _

from agents import catalogue, trying
from agents.advice import ADVICE
from agents.models import LanguageModel
from agents.spec import ModelSpec
from agents.trying import Answered, Failed, Listed
from platform_site import audit
from platform_site.base_url import server_of
from platform_site.console.base import ConsoleRequest
from platform_site.model_servers import FOR_MODELS, allowing
from platform_site.models import Credential
from platform_site.throttle import Limit

LIMIT = Limit("model-try", 30, 600)
Tried = Answered | Listed | Failed


def try_model(request: ConsoleRequest, object_id: str, context: dict[str, Any]) -> HttpResponse:
    """Try a model as it is saved."""
    model = LanguageModel.objects.select_related("credential").filter(pk=object_id).first()
    if model is None:
        raise Http404
    spec = catalogue.spec_of_model(model)
    back = reverse("admin:agents_languagemodel_change", args=[model.pk])
    return _answer(request, spec, model.credential or model, context | {"back": back, "model": model})


def try_credential(request: ConsoleRequest, object_id: str, context: dict[str, Any]) -> HttpResponse:
    """Try a credential, with the name of a model that somebody typed."""
    credential = Credential.objects.filter(pk=object_id, provider__in=FOR_MODELS).first()
    if credential is None:
        raise Http404
    spec = ModelSpec(
        slug="", provider=credential.provider, name=request.POST.get("name", "").strip()[:120],
        credential=credential.pk, tenant=str(credential.tenant_id),
    )  # fmt: skip
    back = reverse("admin:platform_site_credential_change", args=[credential.pk])
    return _answer(request, spec, credential, context | {"back": back})


def _answer(
    request: ConsoleRequest, spec: ModelSpec, thing: Credential | LanguageModel, context: dict[str, Any]
) -> HttpResponse:
    listing = request.POST.get("what") == "names"
    tenant = str(thing.tenant_id)
    if not listing and not spec.name:
        context["refusal"] = _("Type the name of a model first, or see which there are.")
    elif LIMIT.reached(tenant):
        context["refusal"] = _("Enough tests for now: try again in ten minutes.")
    else:
        LIMIT.count(tenant)
        found: Tried = async_to_sync(trying.names if listing else trying.ask)(spec)
        _note(request, spec, thing, found)
        context |= _shown(spec, thing, found)
    fragment = request.headers.get("HX-Request") == "true"
    template = "admin_console/tried.html" if fragment else "admin_console/tried_page.html"
    return TemplateResponse(request, template, context | {"title": str(thing)})


def _note(request: ConsoleRequest, spec: ModelSpec, thing: Credential | LanguageModel, found: Tried) -> None:
    match found:
        case Answered():
            said: dict[str, Any] = {
                "outcome": "answered", "input_tokens": found.input_tokens, "output_tokens": found.output_tokens,
            }  # fmt: skip
        case Listed():
            said = {"outcome": "listed", "models": len(found.models)}
        case Failed():
            said = {"outcome": found.code}
    with audit.recording():
        audit.note(
            "credential.tested", thing, by=request.user, provider=spec.provider, model=spec.name,
            seconds=round(found.seconds, 3), **said,
        )  # fmt: skip


def _shown(spec: ModelSpec, thing: Credential | LanguageModel, found: Tried) -> dict[str, Any]:
    match found:
        case Answered():
            return {"answered": found}
        case Listed():
            return {"listed": found, "offered": [_offer(spec, one.name, one.context) for one in found.models]}
        case Failed():
            command = _command(thing) if found.is_private else ""
            return {"failed": found, "advice": ADVICE[found.code], "command": command}


def _offer(spec: ModelSpec, name: str, context: int) -> dict[str, Any]:
    """A name to pick, and the address of the form that adds it as a model."""
    slug = slugify(name.replace("/", "-").replace(".", "-").replace(":", "-"))[:60].strip("-_")
    filled = {"provider": spec.provider, "credential": spec.credential, "name": name, "slug": slug}
    filled |= {"context": str(context)} if context else {}
    query = urlencode({key: value for key, value in filled.items() if value})
    return {"name": name, "context": context, "add": f"{reverse('admin:agents_languagemodel_add')}?{query}"}


def _command(thing: Credential | LanguageModel) -> str:
    """How an operator allows the credential's server."""
    if not isinstance(thing, Credential) or not thing.base_url:
        return ""
    return allowing(thing.tenant, server_of(thing.base_url).place)
