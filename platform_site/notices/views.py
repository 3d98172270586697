"""`/t/<slug>/notices/`: whether a person is sent mail about what waits for them in this tenant."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from platform_site.middleware import TenantRequest
from platform_site.models import Membership


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody's own; nobody changes another's."""
    inside = cast(TenantRequest, request)
    row = Membership.objects.filter(user=inside.user)
    if request.method == "POST":
        row.update(mail_notices=request.POST.get("mail") == "on")
        messages.success(request, _("Saved."))
        return redirect("notices", slug)
    context = {"mail": row.values_list("mail_notices", flat=True).get(), "tenant": inside.tenant}
    return render(request, "notices/mine.html", context | {"minutes": inside.tenant.notify_after_s // 60})
