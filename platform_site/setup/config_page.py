"""The console's page where a tenant's configuration is exported and imported as a file.

An import is on behalf of the person: `config_file` keeps from them what is the operator's, or other people's. It takes
two steps: what it would change is shown, each tool's description in full, and then applied as it was shown (T30).
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminFileFieldWidget

from platform_site import secrets
from platform_site.console.base import ConsoleRequest, log
from platform_site.console.widgets import JsonEditor
from platform_site.setup.config_file import (
    BadConfiguration,
    Change,
    apply_file,
    export_tenant,
    note_exported,
    warnings,
)
from platform_site.setup.config_review import Looked, look
from platform_site.setup.config_shape import Fault
from tools import strictjson
from tools.words import said

LARGEST = 1024 * 1024
Context = dict[str, Any]


@dataclass
class Imported:
    """What an import did; or what is wrong with it."""

    changes: list[Change] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass
class Shown:
    """What an import would do. `sealed`: the document, which may hold keys, for the second step."""

    looked: Looked
    sealed: str
    moved_on: bool = False
    """It was shown before, and would do something else by now."""


class ImportForm(forms.Form):
    """A file, or its text."""

    file = forms.FileField(label=gettext_lazy("File"), required=False, widget=UnfoldAdminFileFieldWidget())
    text = forms.CharField(
        label=gettext_lazy("Or its text"),
        required=False,
        widget=JsonEditor(rows=12, placeholder='{"tenant": …}'),
    )

    def clean_file(self) -> str:
        upload = self.cleaned_data["file"]
        if not upload:
            return ""
        if upload.size > LARGEST:
            raise ValidationError(_("The file is larger than 1 MiB."))
        try:
            return str(upload.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise ValidationError(_("The file is not UTF-8 text.")) from None

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        text = given.get("file") or given.get("text")
        if not text and not self.errors:
            raise ValidationError(_("Choose a file or paste its text."))
        try:
            given["document"] = strictjson.loads(text or "null")
        except strictjson.NotJson as problem:
            raise ValidationError(_("This is not JSON: %(why)s.") % {"why": said(problem.why)}) from None
        return given


@require_safe
def export(request: ConsoleRequest, context: Context) -> HttpResponse:
    """The configuration as a download. Keys of credentials are not in it."""
    if request.method == "GET":
        note_exported(request.actor.tenant, request.user)
    answer = JsonResponse(
        export_tenant(request.actor.tenant), json_dumps_params={"ensure_ascii": False, "indent": 2}
    )
    answer["Content-Disposition"] = f'attachment; filename="{request.actor.tenant.slug}.json"'
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: ConsoleRequest, context: Context) -> HttpResponse:
    """The form; then what an import would change; then what it did, or what was wrong with it."""
    sealed = request.POST.get("sealed", "")
    form = ImportForm(None if sealed else request.POST or None, request.FILES or None)
    done: Imported | Shown | None = None
    if sealed:
        done = _second_step(request, sealed)
    elif form.is_valid():
        done = _first_step(request, form.cleaned_data["document"])
    shown = done if isinstance(done, Shown) else None
    # What was sent may hold keys: the form beside what is shown begins empty.
    context |= {"title": _("Configuration file"), "form": ImportForm() if shown else form, "shown": shown}
    context["imported"] = done if isinstance(done, Imported) else None
    return TemplateResponse(request, "admin_console/configuration.html", context)


def _first_step(request: ConsoleRequest, document: Any) -> Imported | Shown:
    tenant = request.actor.tenant
    try:
        _check_tenant(document, tenant.slug)
        looked = look(document, tenant, request.actor.user)
    except BadConfiguration as bad:
        return Imported(faults=bad.faults)
    return (
        Shown(looked, _seal(document, request))
        if looked.entries
        else Imported(warnings=list(looked.warnings))
    )


def _second_step(request: ConsoleRequest, sealed: str) -> Imported | Shown:
    """Apply what was shown; show it anew if it would do something else by now."""
    document = _open(sealed, request)
    if document is None:
        return Imported(
            faults=[Fault("", _("choose the file again: what was shown cannot be read any more"))]
        )
    shown = _first_step(request, document)
    if not isinstance(shown, Shown):
        return shown
    if shown.looked.pin != request.POST.get("pin"):
        shown.moved_on = True
        return shown
    report = apply_file(document, request.actor.user)
    log.info("configuration", what="imported", by=request.actor.user.pk, changed=report.count("changed"))
    changes = [change for change in report.changes if change.outcome != "unchanged"]
    return Imported(changes, warnings=warnings(request.actor.tenant))


def _seal(document: Any, request: ConsoleRequest) -> str:
    """For this person in this tenant alone: a page is no place for the keys that a file may hold."""
    packed = base64.b64encode(zlib.compress(json.dumps(document).encode())).decode()
    return secrets.seal(packed, _place(request))


def _open(sealed: str, request: ConsoleRequest) -> Any:
    try:
        packed = secrets.open_sealed(sealed, _place(request))
    except secrets.CannotOpen:
        return None
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def _place(request: ConsoleRequest) -> str:
    return f"{request.actor.tenant.pk}:import:{request.actor.user.pk}"


def _check_tenant(document: Any, slug: str) -> None:
    """One may configure several tenants, but this page is of one."""
    named = document.get("tenant") if isinstance(document, dict) else None
    if isinstance(named, dict) and named.get("slug") != slug:
        raise BadConfiguration(
            [
                Fault(
                    "tenant.slug",
                    _("this file is for another tenant; here it is “%(slug)s”") % {"slug": slug},
                )
            ]
        )
