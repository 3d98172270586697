"""What the forms of tools and agents share: fields, and each fault of a definition at the field it is about.

The same form answers the live check while the author types and saves at the end, so both say the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from unfold import widgets

from platform_site.console.overtaking import LoadedVersionForm
from platform_site.errors import BadDefinition

Problem = dict[str, str]
STEP = re.compile(r"\.?([^.\[]+)")


class LongText(forms.CharField):
    """Several lines, kept to the letter: browsers send CRLF, and a definition must not change by being looked at."""

    def __init__(self, *, rows: int, **options: Any) -> None:
        super().__init__(strip=False, widget=widgets.UnfoldAdminTextareaWidget({"rows": rows}), **options)

    def to_python(self, value: Any) -> str:
        return (super().to_python(value) or "").replace("\r\n", "\n")


def text_input(**attrs: Any) -> Any:
    return widgets.UnfoldAdminTextInputWidget(attrs)


def switch(label: Any, help_text: Any = "") -> forms.BooleanField:
    widget = widgets.UnfoldBooleanSwitchWidget()
    return forms.BooleanField(label=label, help_text=help_text, required=False, widget=widget)


def choice(label: Any, choices: Any, help_text: Any = "", **options: Any) -> forms.ChoiceField:
    widget = widgets.UnfoldAdminSelectWidget()
    return forms.ChoiceField(label=label, choices=choices, help_text=help_text, widget=widget, **options)


def whole_number(label: Any, help_text: Any = "", **options: Any) -> forms.IntegerField:
    widget = widgets.UnfoldAdminIntegerFieldWidget()
    return forms.IntegerField(label=label, help_text=help_text, min_value=1, widget=widget, **options)


class DefinitionForm(LoadedVersionForm):
    """A row whose current version holds a definition. `fields_inside` names the fields of keys that hold keys."""

    fields_inside: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    checked: dict[str, Any] | None = None
    """The definition's normal form, once it is valid."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.current_id:
            self.initial = {**self._flat(self.instance.current.definition), **self.initial}

    def definition(self) -> dict[str, Any]:
        """The entry of the configuration file, as the form stands."""
        raise NotImplementedError

    def check_definition(self) -> dict[str, Any]:
        """Its normal form. Raises `BadDefinition`."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.errors:
            try:
                self.checked = self.check_definition()
            except BadDefinition as bad:
                for problem in bad.errors:
                    self._place(problem)
        return cleaned

    def problems(self) -> dict[str, list[Problem]]:
        """What is wrong, by field, for the live check."""
        return {field: [_told(error) for error in errors] for field, errors in self.errors.as_data().items()}

    def warnings(self) -> list[str]:
        """What is allowed and hardly meant."""
        return []

    def _flat(self, definition: Mapping[str, Any]) -> dict[str, Any]:
        """The form's values for a stored definition."""
        values = {key: value for key, value in definition.items() if key not in self.fields_inside}
        for key, renamed in self.fields_inside.items():
            values |= {renamed.get(name, name): value for name, value in (definition.get(key) or {}).items()}
        return values

    def _place(self, problem: Mapping[str, str]) -> None:
        field, path = self.field_of(problem["path"])
        params = {"path": path, "message": problem["message"]}
        text = "%(path)s: %(message)s" if path else "%(message)s"
        self.add_error(
            field if field in self.fields else None, ValidationError(text, code="definition", params=params)
        )

    def field_of(self, path: str) -> tuple[str, str]:
        """The field a path such as `$.schema.properties.size` is about, and the path within it."""
        key, rest = _first_step(path.removeprefix("$"))
        if key in self.fields_inside:
            inner, rest = _first_step(rest)
            key = self.fields_inside[key].get(inner, inner)
        return key, f"${rest}" if rest else ""


def _first_step(path: str) -> tuple[str, str]:
    step = STEP.match(path)
    return (step.group(1), path[step.end() :]) if step else ("", path)


def _told(error: ValidationError) -> Problem:
    params = error.params or {}
    if error.code == "definition":
        return {"path": params["path"], "message": params["message"]}
    return {"path": "", "message": " ".join(error.messages)}
