"""Runs in the admin console: what an agent did when, and how it ended."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import display, register
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from conversations.models import Run, RunStatus
from platform_site.admin_site import site
from platform_site.console.base import PeopleFilter, ReadOnlyAdmin, badge

CAUSES = {
    "message": gettext_lazy("a message"),
    "decision": gettext_lazy("a decision"),
    "correction": gettext_lazy("corrected arguments"),
    "retry": gettext_lazy("another try"),
    "regenerate": gettext_lazy("another answer"),
}
TONES = {
    RunStatus.FAILED: "bad",
    RunStatus.RUNNING: "warn",
    RunStatus.QUEUED: "warn",
    RunStatus.FINISHED: "good",
}


@register(Run, site=site)
class RunAdmin(ReadOnlyAdmin):
    """Every run. The conversation itself is its participants' alone."""

    list_display = (
        "id",
        "agent",
        "shown_status",
        "outcome",
        "requester",
        "error_code",
        "created_at",
        "finished_at",
    )
    list_filter = ("status", "outcome", ("requester", PeopleFilter))
    search_fields = ("id", "conversation__topic__id", "error_code")
    ordering = ("-id",)
    list_select_related = ("requester", "agent_version__agent")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "shown_status",
                    "outcome",
                    "agent",
                    "agent_version",
                    "requester",
                    "made_by",
                    "rounds",
                )
            },
        ),
        (gettext_lazy("Error"), {"fields": ("error_code", "error_message")}),
        (gettext_lazy("When"), {"fields": ("created_at", "started_at", "finished_at")}),
        (gettext_lazy("Where"), {"fields": ("id", "talk", "runner", "calls")}),
    )
    readonly_fields = ("shown_status", "agent", "made_by", "talk", "calls")

    @display(description=gettext_lazy("status"), ordering="status")
    def shown_status(self, run: Run) -> SafeString:
        return badge(TONES[RunStatus(run.status)], run.get_status_display())

    @display(description=gettext_lazy("agent"))
    def agent(self, run: Run) -> str:
        return str(run.agent_version.agent)

    @display(description=gettext_lazy("cause"))
    def made_by(self, run: Run) -> Any:
        return CAUSES.get(run.cause, run.cause)

    @display(description=gettext_lazy("conversation"))
    def talk(self, run: Run) -> str:
        return str(run.conversation_id)

    @display(description=gettext_lazy("tool calls"))
    def calls(self, run: Run) -> SafeString:
        link = reverse("admin:tools_toolcall_changelist")
        return format_html('<a href="{}?q={}">{}</a>', link, run.pk, gettext_lazy("Show its tool calls"))
