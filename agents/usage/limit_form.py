"""What somebody fills in to set a limit: a plain form, so that it works without a script."""

from __future__ import annotations

from django import forms

from agents.usage.models import LimitKind, LimitOf
from agents.usage.saving import Wanted


class LimitForm(forms.Form):
    """`subject`: whose usage is limited, as `tenant:`, `agent:<slug>`, `model:<slug>` or `user:<e-mail address>`."""

    kind = forms.ChoiceField(choices=LimitKind.choices)
    amount = forms.DecimalField(max_digits=21, decimal_places=9)
    subject = forms.RegexField(rf"^({'|'.join(LimitOf.values)}):", max_length=270)

    def wanted(self) -> Wanted:
        given = self.cleaned_data
        of, _colon, name = given["subject"].partition(":")
        return Wanted(LimitKind(given["kind"]), given["amount"], LimitOf(of), name)

    @property
    def all_errors(self) -> list[str]:
        return [str(error) for errors in self.errors.values() for error in errors]
