"""Form widgets of the console: a JSON editor, a list of choices in an order, choices in groups.

Each works without JavaScript; `static/admin_console/` makes them comfortable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.forms import CheckboxSelectMultiple, Media, Script
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from unfold.widgets import CHECKBOX_CLASSES, UnfoldAdminTextareaWidget


def _module(file: str) -> Media:
    scripts: list[Any] = [Script(file, type="module")]
    return Media(js=scripts)


class JsonEditor(UnfoldAdminTextareaWidget):
    """A textarea that becomes a JSON editor; `check` names the part of the server's answer shown under it."""

    def __init__(self, *, rows: int = 8, check: str = "", placeholder: str = "") -> None:
        attrs = {"rows": rows, "data-json-editor": check, "spellcheck": "false", "placeholder": placeholder}
        super().__init__(
            {name: value for name, value in attrs.items() if value or name == "data-json-editor"}
        )

    @property
    def media(self) -> Media:
        return _module("admin_console/editors.js")


class ProjectTemplate:
    """Renders a widget from the project's templates: Django's form renderer sees those of apps alone."""

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        return render_to_string(template_name, context)


class ChoicesInOrder(ProjectTemplate, CheckboxSelectMultiple):
    """Checkboxes whose order counts: those chosen come first, as they were chosen, and can be moved."""

    template_name = "admin_console/widgets/choices_in_order.html"

    def optgroups(self, name: str, value: list[str], attrs: dict[str, Any] | None = None) -> list[Any]:
        groups = super().optgroups(name, value, attrs)
        place = {chosen: number for number, chosen in enumerate(value)}
        return sorted(groups, key=lambda group: place.get(str(group[1][0]["value"]), len(place)))

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        return context | {"checkbox": " ".join(CHECKBOX_CLASSES)}

    @property
    def media(self) -> Media:
        return _module("admin_console/choices.js")


class ChoicesInGroups(ProjectTemplate, CheckboxSelectMultiple):
    """Checkboxes under headings; `notes` gives each choice a badge."""

    template_name = "admin_console/widgets/choices_in_groups.html"
    notes: dict[str, tuple[str, str]] = {}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        return option | {"note": self.notes.get(str(value))}

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        return context | {"checkbox": " ".join(CHECKBOX_CLASSES)}


def pretty(value: Any) -> str:
    """JSON for people: indented, characters as they are."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def in_groups(rows: Iterable[tuple[str, str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Choices for `ChoicesInGroups` from (group, value, label) rows, in their order."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for group, value, label in rows:
        groups.setdefault(group, []).append((value, label))
    return list(groups.items())
