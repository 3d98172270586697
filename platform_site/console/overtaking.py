"""Two people at one form: the second save is refused, not carried out over the first unseen.

The form carries the state it was loaded from. At save the row is locked and its state compared; whoever comes second
is told who saved meanwhile, keeps what they typed, and may save it over the other's deliberately.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from platform_site.console.base import TenantModelAdmin, UniqueInTenantForm


class LoadedForm(UniqueInTenantForm):
    """A form that knows what it was loaded from."""

    loaded = forms.CharField(required=False, widget=forms.HiddenInput())
    overwrite = forms.BooleanField(
        required=False, label=gettext_lazy("Save mine over it: what the other save changed is lost.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state = "" if self.instance._state.adding else self.state_of(self.instance)
        self.initial = {**self.initial, "loaded": self.state}

    def state_of(self, row: Any) -> str:
        """What is stored of a row, in a word: two states that differ have different words."""
        raise NotImplementedError

    def who_saved(self) -> str:
        """Who saved what while this form was open."""
        return _("Somebody saved this while you were editing.")

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if self.is_overtaken and not self.cleaned_data.get("overwrite"):
            advice = _("What you typed is still here. See what changed, or save yours over it.")
            self.add_error("overwrite", ValidationError(f"{self.who_saved()} {advice}", code="overtaken"))
        return cleaned

    @property
    def is_overtaken(self) -> bool:
        return self.is_bound and bool(self.state) and self.state != self.data.get("loaded", "")


class LoadedVersionForm(LoadedForm):
    """The form of a row whose current version holds what it shows."""

    def state_of(self, row: Any) -> str:
        return f"{row.current_id or ''} {'on' if row.is_enabled else 'off'}"

    def who_saved(self) -> str:
        if self.loaded_version == self.instance.current_id:
            return _("Somebody switched it on or off while you were editing.")
        version = self.instance.current
        named = {
            "number": version.number, "name": version.author or "–",
            "time": date_format(localtime(version.created_at), "DATETIME_FORMAT"),
        }  # fmt: skip
        return _("Somebody saved version %(number)s while you were editing (%(name)s, %(time)s).") % named

    @property
    def loaded_version(self) -> str:
        return str(self.data.get("loaded", "")).partition(" ")[0]

    @property
    def loaded_number(self) -> int | None:
        """The number of the version this was loaded from, to compare the current one with."""
        numbers = self.instance.versions.filter(pk=self.loaded_version).values_list("number", flat=True)
        return numbers.first()


class LockedWhileSaved(TenantModelAdmin):
    """A table whose rows are locked before a form for them is checked, until it is saved."""

    change_form_before_template = "admin_console/loaded.html"

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        if request.method != "POST" or object_id is None:
            return super().changeform_view(request, object_id, *args, **kwargs)
        with transaction.atomic():
            rows = self.model._default_manager.select_for_update(of=("self",))
            rows.filter(pk=unquote(object_id)).first()
            return super().changeform_view(request, object_id, *args, **kwargs)
