"""The versions of a tool or an agent: who saved what when, what changed, and how to get an old one back.

Restoring makes a new version with the old definition; a version itself is never changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any, NamedTuple

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from platform_site.console.base import ConsoleRequest
from platform_site.console.overtaking import LockedWhileSaved
from platform_site.console.widgets import pretty

Definition = dict[str, Any]


class DiffLine(NamedTuple):
    kind: str
    text: str


@dataclass(frozen=True)
class Comparison:
    """Two versions side by side; the first of all has none before it."""

    old: Any
    new: Any

    @property
    def texts(self) -> tuple[str, str]:
        new = readable(self.new.definition)
        return readable(self.old.definition) if self.old else new, new

    @property
    def lines(self) -> list[DiffLine]:
        """A unified diff without its header; `kind` is a CSS class. Of the first version, all of it."""
        if self.old is None:
            return [DiffLine("same", line) for line in self.texts[1].splitlines()]
        old, new = (text.splitlines() for text in self.texts)
        kinds = {"+": "added", "-": "removed", "@": "place"}
        rows = list(unified_diff(old, new, lineterm="", n=3))[2:]
        return [DiffLine(kinds.get(row[0], "same"), row) for row in rows]


def readable(definition: Definition) -> str:
    """A definition as text to compare: a text of several lines stands line by line."""
    return pretty(_line_by_line(definition))


def changed_keys(old: Definition, new: Definition) -> list[str]:
    """The parts of a definition that differ."""
    return sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))


def _line_by_line(value: Any) -> Any:
    match value:
        case dict():
            return {key: _line_by_line(inner) for key, inner in value.items()}
        case list():
            return [_line_by_line(inner) for inner in value]
        case str() if "\n" in value:
            return value.splitlines()
    return value


class VersionedAdmin(LockedWhileSaved):
    """A table whose rows point to their current version; `saved` stores a definition as a new one."""

    change_form_outer_before_template = "admin_console/version_tabs.html"

    def saved(self, definition: Definition, author: Any) -> tuple[Any, bool]:
        """Store a definition; the row, and whether a version was made. Raises `refusal`."""
        raise NotImplementedError

    refusal: type[Exception]

    def get_urls(self) -> list[URLPattern]:
        return [
            self._beside("check/", "check", require_POST(self.check_view)),
            self._beside("<str:object_id>/versions/", "versions", self.versions_view),
            self._beside("<str:object_id>/restore/<int:number>/", "restore", require_POST(self.restore_view)),
            *super().get_urls(),
        ]

    def _beside(self, route: str, name: str, view: Callable[..., HttpResponse]) -> URLPattern:
        return path(route, self.admin_site.admin_view(view), name=f"{self._table()}_{name}")

    def _table(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"

    def save_model(self, request: ConsoleRequest, obj: Any, form: Any, change: bool) -> None:
        row, made = form.store(request.user)
        obj.pk, obj.current, obj._state.adding = row.pk, row.current, False
        if change and not made:
            messages.info(request, _("The definition is as it was: no new version was made."))
        for warning in form.warnings():
            messages.warning(request, warning)

    def check_view(self, request: HttpRequest) -> HttpResponse:
        """What is wrong with the definition in the form, while it is written; stores nothing."""
        wanted = request.GET.get("row")
        row = self.row_or_404(request, wanted) if wanted else None
        form = self.get_form(request, row, change=bool(row))(request.POST, instance=row)
        form.is_valid()
        return JsonResponse({"fields": form.problems(), "warnings": form.warnings()})

    def versions_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.row_or_404(request, object_id)
        versions = list(row.versions.select_related("author").order_by("-number"))
        shown = compared(versions, request.GET.get("old", ""), request.GET.get("new", ""))
        context = self.admin_site.each_context(request) | {
            "title": str(row), "opts": self.opts, "original": row, "versions": with_changes(versions),
            "comparison": shown, "texts": dict(zip(("old", "new"), shown.texts, strict=True)),
        }  # fmt: skip
        request.current_app = self.admin_site.name  # type: ignore[attr-defined]
        return TemplateResponse(request, "admin_console/versions.html", context)

    def restore_view(self, request: ConsoleRequest, object_id: str, number: int) -> HttpResponse:
        row = self.row_or_404(request, object_id)
        version = row.versions.filter(number=number).first()
        if version is None:
            raise Http404
        try:
            with transaction.atomic():
                row, made = self.saved(version.definition, request.user)
        except self.refusal as refused:
            messages.error(
                request,
                _("Version %(number)s cannot be restored: %(why)s") % {"number": number, "why": refused},
            )
        else:
            self._say_restored(request, row, number, made)
        return HttpResponseRedirect(reverse(f"admin:{self._table()}_versions", args=[row.pk]))

    def _say_restored(self, request: HttpRequest, row: Any, number: int, made: bool) -> None:
        if made:
            self.log_change(request, row, None)
            text = _("Version %(number)s is back, as version %(new)s.")
            messages.success(request, text % {"number": number, "new": row.current.number})
        else:
            messages.info(request, _("Nothing to restore: it is the same as the current version."))


def compared(versions: list[Any], old: str, new: str) -> Comparison:
    """The two versions asked for by number; the newest with the one before when none were."""
    by_number = {str(version.number): version for version in versions}
    newer = by_number.get(new, versions[0])
    older = by_number.get(old) or by_number.get(str(newer.number - 1))
    return Comparison(older, newer)


def with_changes(versions: list[Any]) -> list[tuple[Any, list[str]]]:
    """Each version, newest first, with the names of what it changed."""
    befores = [*(version.definition for version in versions[1:]), {}]
    return [
        (version, changed_keys(before, version.definition) if before else [])
        for version, before in zip(versions, befores, strict=True)
    ]
