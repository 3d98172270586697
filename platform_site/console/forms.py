"""Forms for what a tenant owns on the ground: its people, its API tokens, its credentials."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold import widgets

from platform_site import secrets
from platform_site.console.base import UniqueInTenantForm
from platform_site.models import ApiToken, Credential, Membership

CREDENTIAL_FOR = [
    ("openai", _("OpenAI, or a server that speaks its protocol")),
    ("gemini", "Gemini"),
    ("perplexity", "Perplexity"),
    ("http", _("HTTP tools")),
]
SCOPES = [
    ("read", _("See what the person sees")),
    ("chat", _("Talk to agents and decide own confirmations")),
    ("review", _("Decide what waits for a reviewer")),
    ("configure", _("Change tools, agents, models and people")),
]


def _password_input() -> Any:
    return widgets.UnfoldAdminPasswordWidget({"autocomplete": "new-password"})


class AddPersonForm(forms.ModelForm):
    """Somebody new here: a known account by its address, or a new one."""

    email = forms.EmailField(label=_("E-mail address"), widget=widgets.UnfoldAdminEmailInputWidget())
    name = forms.CharField(
        label=pgettext_lazy("of a person", "Name"), max_length=120, required=False,
        widget=widgets.UnfoldAdminTextInputWidget(),
        help_text=_("For a new account; people change their own name later."),
    )  # fmt: skip
    password = forms.CharField(
        label=_("First password"), required=False, strip=False, widget=_password_input(),
        help_text=_("For a new account. Left empty, they are sent a link to choose one themselves."),
    )  # fmt: skip

    class Meta:
        model = Membership
        fields = ("role",)

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if password:
            validate_password(password)
        return password


class ApiTokenForm(forms.ModelForm):
    """A new token for the person who fills this in."""

    scopes = forms.MultipleChoiceField(
        label=pgettext_lazy("what a token allows", "May"),
        choices=SCOPES,
        widget=widgets.UnfoldAdminCheckboxSelectMultipleWidget(),
    )

    class Meta:
        model = ApiToken
        fields = ("name", "scopes", "expires_at")

    def clean_expires_at(self) -> Any:
        until = self.cleaned_data["expires_at"]
        if until and until <= timezone.now():
            raise forms.ValidationError(_("This is in the past."))
        return until


class CredentialForm(UniqueInTenantForm):
    """The key goes in and never comes out."""

    provider = forms.ChoiceField(
        label=_("For"), choices=CREDENTIAL_FOR, widget=widgets.UnfoldAdminSelectWidget()
    )
    api_key = forms.CharField(
        label=_("Key"), required=False, max_length=4000, widget=_password_input(),
        help_text=_("Sealed when saved and never shown again. Left empty, the stored key stays."),
    )  # fmt: skip

    class Meta:
        model = Credential
        fields = ("slug", "provider", "base_url")

    def clean_base_url(self) -> str:
        url: str = self.cleaned_data["base_url"]
        if url and not url.startswith(("https://", "http://")):
            raise forms.ValidationError(_("Begin with https:// or http://."))
        return url

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if self._goes_elsewhere() and not self.cleaned_data.get("api_key"):
            self.add_error("api_key", _("Enter a key: the stored one is not sent to another server."))
        return cleaned

    def _goes_elsewhere(self) -> bool:
        has_key = bool(self.instance.sealed or self.instance.key_env)
        return has_key and bool({"base_url", "provider"} & set(self.changed_data))

    def save(self, commit: bool = True) -> Any:
        credential = super().save(commit=False)
        if key := self.cleaned_data["api_key"]:
            credential.sealed = secrets.seal(key, secrets.context_of(credential))
            credential.key_env = ""
        if commit:
            credential.save()
        return credential
