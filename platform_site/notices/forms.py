"""Forms of the notices' pages: a webhook, and how long to wait before people are told."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold import widgets

from platform_site.console.base import UniqueInTenantForm
from platform_site.notices.models import NoticeKind, Webhook

KINDS = [choice for choice in NoticeKind.choices if choice[0] != NoticeKind.TEST]
LONGEST_WAIT = 24 * 60


class WebhookForm(UniqueInTenantForm):
    """Where to, and what of. The secret is made by us."""

    unique_in_tenant = "name"
    kinds = forms.MultipleChoiceField(
        label=_("Tells of"), choices=KINDS, initial=[kind for kind, _words in KINDS],
        widget=widgets.UnfoldAdminCheckboxSelectMultipleWidget(),
    )  # fmt: skip

    class Meta:
        model = Webhook
        fields = ("name", "url", "kinds", "is_enabled")

    def clean_url(self) -> str:
        return checked_url(self.cleaned_data["url"])


def checked_url(url: str) -> str:
    """An address of the web that names a host and no password; where it leads is judged when it is called."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise forms.ValidationError(_("This is not an address.")) from None
    if (
        parts.scheme not in ("https", "http")
        or not host
        or any(char.isspace() for char in url)
        or "\\" in url
    ):
        raise forms.ValidationError(_("Begin with https:// or http://, then a host."))
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise forms.ValidationError(_("Leave out the user name, the password and what comes after #."))
    return url


class WaitForm(forms.Form):
    """The one setting of notices."""

    minutes = forms.IntegerField(
        label=_("Minutes to wait"), min_value=0, max_value=LONGEST_WAIT,
        widget=widgets.UnfoldAdminIntegerFieldWidget(),
        help_text=_("People and webhooks are told of what still waits after this time; 0 is at once."),
    )  # fmt: skip

    @property
    def seconds(self) -> int:
        given: dict[str, Any] = self.cleaned_data
        return int(given["minutes"]) * 60
