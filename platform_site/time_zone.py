"""`/accounts/time-zone/`: the zone a person's times are shown and understood in, everywhere they belong.

Nothing chosen: that of the place one is in. The browser's own zone is offered by `static/reminders/zone.js`.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from platform_site import zones
from platform_site.models import User


class ZoneField(forms.CharField):
    """A time zone, by its name or its city; what is not one is answered with the nearest."""

    default_error_messages = {
        "unknown": gettext_lazy("There is no time zone of this name."),
        "near": gettext_lazy("There is no time zone of this name. Did you mean %(near)s?"),
    }

    def __init__(self, **options: object) -> None:
        super().__init__(max_length=zones.LONGEST, **options)  # type: ignore[arg-type]  # passed on

    def clean(self, value: object) -> str:
        given: str = super().clean(value)
        if not given or given in zones.known():
            return given
        if found := zones.meant(given):
            return found
        near = zones.near(given)
        code = "near" if near else "unknown"
        raise forms.ValidationError(self.error_messages[code] % {"near": near}, code)


class ZoneForm(forms.Form):
    zone = ZoneField(required=False)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """Everybody's own."""
    user = request.user
    assert isinstance(user, User)
    form = ZoneForm(request.POST if request.method == "POST" else None, initial={"zone": user.timezone})
    if form.is_bound and form.is_valid():
        User.objects.filter(pk=user.pk).update(timezone=form.cleaned_data["zone"])
        messages.success(
            request, _("Saved. It is %(time)s there now.") % {"time": _clock(form.cleaned_data["zone"])}
        )
        return redirect(_next(request))
    status = 400 if form.is_bound else 200
    shown = {"form": form, "zones": zones.offered(), "kept": user.timezone, "clock": _clock(user.timezone)}
    return render(request, "account/time_zone.html", shown, status=status)


def _clock(zone: str) -> str:
    return f"{timezone.localtime(timezone=ZoneInfo(zone or 'UTC')):%H:%M}"


def _next(request: HttpRequest) -> str:
    """Back to where it was offered, if that is here."""
    wanted = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    return wanted if ours else "time_zone"
