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
from platform_site.base_url import normalised
from platform_site.console.base import UniqueInTenantForm
from platform_site.credentials import goes_elsewhere
from platform_site.model_servers import refusal
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
    """The key goes in and never comes out: it is replaced, or removed."""

    provider = forms.ChoiceField(
        label=_("For"), choices=CREDENTIAL_FOR, widget=widgets.UnfoldAdminSelectWidget()
    )
    base_url = forms.CharField(
        label=_("Base URL"), required=False, max_length=300, widget=widgets.UnfoldAdminTextInputWidget(),
        help_text=_(
            "Left empty: the provider's own. For a server of your own, up to what comes before /chat/completions,"
            " such as https://models.example.com/v1 or http://127.0.0.1:11434/v1."
        ),
    )  # fmt: skip
    api_key = forms.CharField(
        label=_("Key"), required=False, max_length=4000, widget=_password_input(),
        help_text=_("Sealed when saved and never shown again. Left empty, the stored key stays."),
    )  # fmt: skip
    clear_key = forms.BooleanField(
        label=_("Remove the stored key"), required=False, widget=widgets.UnfoldBooleanSwitchWidget(),
        help_text=_("For a server that asks for none."),
    )  # fmt: skip

    class Meta:
        model = Credential
        fields = ("slug", "provider", "base_url")

    def clean_base_url(self) -> str:
        try:
            return normalised(self.cleaned_data["base_url"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    def clean_api_key(self) -> str:
        key: str = self.cleaned_data["api_key"]
        if not key.isascii() or not key.isprintable() or " " in key:
            raise forms.ValidationError(_("A key has only ASCII characters and no spaces."))
        return key

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        given = self.cleaned_data
        key, clear = given.get("api_key"), given.get("clear_key")
        if key and clear:
            self.add_error("clear_key", _("Give a new key or remove the stored one, not both."))
        if "provider" in given and "base_url" in given:
            if self._goes_elsewhere() and not key and not clear:
                self.add_error("api_key", _("Enter a key: the stored one is not sent to another server."))
            if refused := refusal(given["provider"], given["base_url"]):
                self.add_error("base_url", refused)
        return cleaned

    def _goes_elsewhere(self) -> bool:
        kept = Credential.objects.filter(pk=self.instance.pk).first()
        given = self.cleaned_data
        if kept is None or not (kept.sealed or kept.key_env):
            return False
        return goes_elsewhere(kept, given["provider"], given["base_url"])

    def save(self, commit: bool = True) -> Any:
        credential = super().save(commit=False)
        if key := self.cleaned_data["api_key"]:
            credential.sealed = secrets.seal(key, secrets.context_of(credential))
            credential.key_env = ""
        elif self.cleaned_data.get("clear_key"):
            credential.sealed = credential.key_env = ""
        if commit:
            credential.save()
        return credential
