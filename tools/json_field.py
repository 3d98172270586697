"""A form field for JSON, read as strictly as everything else: one text means one value, or it is refused."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from platform_site.console.widgets import JsonEditor, pretty
from tools import strictjson
from tools.words import said


class JsonField(forms.CharField):
    """Text that is a JSON object or list (`kind`). No text is the empty one."""

    def __init__(
        self, kind: type[dict] | type[list], *, rows: int = 8, placeholder: str = "", **options: Any
    ) -> None:
        super().__init__(widget=JsonEditor(rows=rows, placeholder=placeholder), required=False, **options)
        self.kind = kind

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return value
        return pretty(value) if value else ""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return self.kind()
        try:
            found = strictjson.loads(text)
        except strictjson.NotJson as problem:
            raise ValidationError(
                _("This is not JSON: %(why)s."), code="json", params={"why": said(problem.why)}
            ) from None
        if not isinstance(found, self.kind):
            wanted = _("an object, in braces") if self.kind is dict else _("a list, in brackets")
            raise ValidationError(_("Wanted here: %(what)s."), code="json", params={"what": wanted})
        return found
