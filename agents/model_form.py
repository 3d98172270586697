"""The form of a model: where it is, what it is called there, what it can do, how it shall answer, what it costs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold import widgets

from agents import catalogue
from agents.fitting import fits
from agents.models import LanguageModel
from platform_site.console.overtaking import LoadedForm
from platform_site.errors import BadDefinition
from tools.definition_form import choice

PROVIDERS = [
    ("demo", _("Demo (scripted, needs no key)")),
    ("openai", _("OpenAI, or any server that speaks its chat completions")),
    ("openai-responses", _("OpenAI itself, by its Responses API")),
    ("gemini", "Gemini"),
    ("perplexity", "Perplexity"),
]
EFFORTS = [
    ("", _("as the provider has it")),
    ("none", _("none")),
    ("minimal", _("minimal")),
    ("low", _("low")),
    ("medium", _("medium")),
    ("high", _("high")),
    ("xhigh", _("extra high")),
]
SETTINGS = ("temperature", "top_p", "max_output_tokens", "reasoning_effort", "seed")


def _number(kind: type[forms.Field], label: Any, help_text: Any, **options: Any) -> Any:
    """A field for a number that may be left out; what it may be, `catalogue` says."""
    widget = widgets.UnfoldAdminTextInputWidget({"inputmode": "decimal", "autocomplete": "off"})
    return kind(label=label, help_text=help_text, required=False, widget=widget, **options)


class LanguageModelForm(LoadedForm):
    """What is left out of the settings is not sent: the provider's own default holds."""

    provider = choice(
        _("Provider"), PROVIDERS, _("Local servers (vLLM, Ollama, llama.cpp) speak chat completions.")
    )  # fmt: skip
    context = _number(
        forms.IntegerField, _("Context window"),
        _("Tokens it can take in, as its provider says. Long conversations are shortened to fit; 0: nobody knows."),
    )  # fmt: skip
    temperature = _number(
        forms.FloatField, _("Temperature"),
        _("0 to 2: how freely words are chosen. Models that reason often refuse it: leave it empty for them."),
    )  # fmt: skip
    top_p = _number(
        forms.FloatField, _("Top p"), _("Above 0, to 1. Set this or the temperature, seldom both.")
    )
    max_output_tokens = _number(
        forms.IntegerField, _("Longest answer"),
        _("Tokens of one answer, reasoning included. An answer that reaches it is cut off."),
    )  # fmt: skip
    reasoning_effort = choice(
        _("Reasoning"), EFFORTS, _("How long a model that reasons may think. Others may refuse to be told."),
        required=False,
    )  # fmt: skip
    seed = _number(
        forms.IntegerField,
        _("Seed"),
        _("The same number makes answers alike, where the provider keeps to it."),
    )

    class Meta:
        model = LanguageModel
        fields = (
            "slug", "provider", "credential", "name", "images", "tools", "context", "input_price", "output_price",
        )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {**self.instance.settings, **self.initial}

    def state_of(self, row: LanguageModel) -> str:
        return catalogue.state_of_model(row)

    def clean_context(self) -> int:
        return self.cleaned_data["context"] or 0

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        credential, provider = self.cleaned_data.get("credential"), self.cleaned_data.get("provider")
        if credential and provider and not fits(credential.provider, provider):
            self.add_error("credential", _("This credential is for another provider."))
        if not self.errors:
            self._check()
        return cleaned

    def settings(self) -> dict[str, Any]:
        """What was said of how it shall answer."""
        given = {name: self.cleaned_data.get(name) for name in SETTINGS}
        return {name: value for name, value in given.items() if value not in (None, "")}

    def save(self, commit: bool = True) -> Any:
        self.instance.settings = self.settings()
        return super().save(commit)

    def _check(self) -> None:
        """As a configuration file would be checked; each fault at its field."""
        try:
            catalogue.check_model(self._definition())
        except BadDefinition as bad:
            for error in bad.errors:
                name = error["path"].rpartition(".")[2]
                self.add_error(name if name in self.fields else None, error["message"])

    def _definition(self) -> dict[str, Any]:
        given = self.cleaned_data
        credential = given.get("credential")
        plain = {name: given[name] for name in ("provider", "name", "images", "tools", "context")}
        return plain | {
            "slug": given.get("slug") or self.instance.slug,
            "credential": credential.slug if credential else None,
            "settings": self.settings(),
        }
