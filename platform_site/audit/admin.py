"""The audit log in the console: filters, one entry in full, and what the filters leave as a file."""

from __future__ import annotations

import json
from typing import Any

from django.apps import apps
from django.contrib import messages
from django.contrib.admin import SimpleListFilter, display, register
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.http import require_safe

from platform_site import audit
from platform_site.admin_site import site
from platform_site.audit import exporting
from platform_site.audit.words import VERBS, WAYS, said
from platform_site.console.base import ConsoleRequest, ReadOnlyAdmin, badge, colleagues, json_block
from platform_site.models import AuditEntry

MOST = 50_000
"""Entries in one file of the console; `manage.py audit export` has no limit."""
GOOD = ("call.approved", "call.succeeded", "signin.ok")
BAD = ("call.denied", "call.failed", "call.unknown", "call.proof_failed", "signin.failed")


class WhoFilter(SimpleListFilter):
    title = pgettext_lazy("of an act", "who")
    parameter_name = "who"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        people = [(person.pk, str(person)) for person in colleagues().order_by("name", "email")]
        return [("-", _("Nobody known, or the system")), *people]

    def queryset(self, request: HttpRequest, queryset: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        who = self.value()
        return queryset.filter(actor="" if who == "-" else who) if who else queryset


class VerbFilter(SimpleListFilter):
    title = pgettext_lazy("of an act", "what")
    parameter_name = column = "verb"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return sorted(VERBS.items(), key=lambda pair: str(pair[1]))

    def queryset(self, request: HttpRequest, queryset: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        return queryset.filter(**{self.column: self.value()}) if self.value() else queryset


class KindFilter(VerbFilter):
    title = gettext_lazy("kind of thing")
    parameter_name = column = "object_kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        kinds = AuditEntry.objects.exclude(object_kind="").values_list("object_kind", flat=True)
        return [(kind, kind_said(kind)) for kind in kinds.order_by("object_kind").distinct()]


class WayFilter(VerbFilter):
    title = gettext_lazy("way in")
    parameter_name = column = "way"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(WAYS.items())


def kind_said(kind: str) -> str:
    """As the table of such things is called."""
    found = (model._meta.verbose_name for model in apps.get_models() if model._meta.model_name == kind)
    return str(next(found, kind))


@register(AuditEntry, site=site)
class AuditEntryAdmin(ReadOnlyAdmin):
    """What happened in this tenant, newest first. Nothing here is ever changed."""

    list_display = ("number", "when", "who", "what", "shown_thing", "shown_way", "ip")
    list_display_links = ("number", "when")
    list_filter = (VerbFilter, WhoFilter, KindFilter, WayFilter, "time")
    search_fields = ("object_id__exact", "object_name", "actor_name", "request__exact", "ip")
    search_help_text = gettext_lazy("Name or id of the thing, who, address, or request")
    ordering = ("-number",)
    show_full_result_count = False
    list_before_template = "admin_console/audit_export.html"
    fieldsets = (
        (None, {"fields": ("number", "when", "who", "on_behalf", "what", "shown_thing", "object_id")}),
        (gettext_lazy("Change"), {"fields": ("shown_details", "before", "after")}),
        (gettext_lazy("From where"), {"fields": ("shown_way", "ip", "request")}),
        (gettext_lazy("Chain"), {"fields": ("id", "key", "hash")}),
    )
    readonly_fields = ("when", "who", "on_behalf", "what", "shown_thing", "shown_details", "shown_way", "key")

    @display(description=gettext_lazy("time"), ordering="time")
    def when(self, entry: AuditEntry) -> str:
        return f"{timezone.localtime(entry.time):%Y-%m-%d %H:%M:%S}"

    @display(description=pgettext_lazy("of an act", "who"), ordering="actor_name")
    def who(self, entry: AuditEntry) -> str:
        if entry.verb.startswith("call.") and entry.behalf and entry.verb != "call.expired":
            return entry.actor_name or _("Agent")
        nobody = {"command": _("Operator"), "system": pgettext("of an act", "System")}
        return entry.actor_name or nobody.get(entry.way, _("Unknown"))

    @display(description=gettext_lazy("on behalf of"))
    def on_behalf(self, entry: AuditEntry) -> str:
        return entry.behalf_name or "–"

    @display(description=pgettext_lazy("of an act", "what"), ordering="verb")
    def what(self, entry: AuditEntry) -> SafeString:
        return badge("good" if entry.verb in GOOD else "bad" if entry.verb in BAD else "", said(entry.verb))

    @display(description=gettext_lazy("thing"), ordering="object_name")
    def shown_thing(self, entry: AuditEntry) -> str:
        return f"{entry.object_name} ({kind_said(entry.object_kind)})" if entry.object_kind else "–"

    @display(description=gettext_lazy("details"))
    def shown_details(self, entry: AuditEntry) -> str:
        return json_block(json.loads(entry.details))

    @display(description=gettext_lazy("way in"), ordering="way")
    def shown_way(self, entry: AuditEntry) -> str:
        return str(WAYS.get(entry.way, entry.way))

    def get_urls(self) -> list[URLPattern]:
        export = self.admin_site.admin_view(require_safe(self.export_view))
        return [
            path("export/<str:form>/", export, name="platform_site_auditentry_export"),
            *super().get_urls(),
        ]

    def export_view(self, request: ConsoleRequest, form: str) -> HttpResponse:
        """What the list's filters and search leave. That it was taken out is noted."""
        if form not in exporting.TYPES:
            raise Http404
        try:
            found = list(self.get_changelist_instance(request).get_queryset(request)[: MOST + 1])
        except IncorrectLookupParameters:
            return HttpResponseRedirect(
                f"{reverse('admin:platform_site_auditentry_changelist')}?{ERROR_FLAG}=1"
            )
        if len(found) > MOST:
            messages.error(
                request, _("These are more than %(most)s entries: filter by time.") % {"most": f"{MOST:,}"}
            )
            return HttpResponseRedirect(reverse("admin:platform_site_auditentry_changelist"))
        with audit.recording():
            audit.note("audit.exported", request.actor.tenant, by=request.user, form=form, entries=len(found))
        answer = HttpResponse("".join(exporting.lines(found, form)), content_type=exporting.TYPES[form])
        answer["Content-Disposition"] = f'attachment; filename="{request.actor.tenant.slug}-audit.{form}"'
        return answer
