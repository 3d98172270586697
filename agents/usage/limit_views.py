"""Setting and lifting limits from the usage page."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents.usage import saving
from agents.usage.limit_form import LimitForm
from agents.usage.models import UsageLimit
from agents.usage.page import shown
from platform_site.door import for_admins
from platform_site.errors import BadDefinition
from platform_site.middleware import TenantRequest


@require_POST
@for_admins
def save(request: TenantRequest) -> HttpResponse:
    """Make a limit, or change the amount of the one there is; what is wrong is said above what was filled in."""
    form = LimitForm(request.POST)
    if form.is_valid():
        try:
            saving.save(form.wanted(), request.user)
        except BadDefinition as bad:
            form.add_error(None, [one["message"] for one in bad.errors])
        else:
            messages.success(request, _("The limit was set."))
            return redirect("usage:page", request.tenant.slug)
    return render(request, "usage/page.html", shown(request, form), status=400)


@require_POST
@for_admins
def lift(request: TenantRequest, limit: str) -> HttpResponse:
    """Lift a limit."""
    row = UsageLimit.objects.filter(pk=limit).first()
    if row is None:
        raise Http404
    saving.delete(row, request.user)
    messages.success(request, _("The limit was lifted."))
    return redirect("usage:page", request.tenant.slug)
