"""The console's page where a tenant's configuration is exported and imported as a file.

An import is on behalf of the person: `config_file` keeps from them what is the operator's, or other people's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminFileFieldWidget

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
from platform_site.setup.config_shape import Fault
from tools import strictjson
from tools.words import said

LARGEST = 1024 * 1024
Context = dict[str, Any]


class Imported(NamedTuple):
    changes: list[Change]
    faults: list[Fault]
    warnings: list[str]


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
    """The form; after an import, what it did or what was wrong with it."""
    form = ImportForm(request.POST or None, request.FILES or None)
    done = _import(request, form.cleaned_data["document"]) if form.is_valid() else None
    context |= {"title": _("Configuration file"), "form": form, "imported": done}
    return TemplateResponse(request, "admin_console/configuration.html", context)


def _import(request: ConsoleRequest, document: Any) -> Imported:
    tenant = request.actor.tenant
    try:
        _check_tenant(document, tenant.slug)
        report = apply_file(document, request.actor.user)
    except BadConfiguration as bad:
        return Imported([], bad.faults, [])
    log.info("configuration", what="imported", by=request.actor.user.pk, changed=report.count("changed"))
    changes = [change for change in report.changes if change.outcome != "unchanged"]
    return Imported(changes, [], warnings(tenant))


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
