"""Tools in the admin console: their definitions with a live check, their versions, and the record of calls."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import display, register
from django.db.models import Count, Max, Q
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.views import ChangeList

from platform_site.admin_site import site
from platform_site.console.base import PeopleFilter, ReadOnlyAdmin, badge, json_block
from platform_site.console.versions import VersionedAdmin
from platform_site.models import User
from tools import catalogue
from tools.forms import BY, PROOFS, ToolForm
from tools.group_admin import ReviewerGroupAdmin
from tools.models import CallStatus, Confirmation, ReviewerGroup, Tool, ToolCall
from tools.told import told_of

FAILURES = (CallStatus.FAILED, CallStatus.UNKNOWN, CallStatus.REJECTED)
DECISIONS = [("approve", gettext_lazy("approved")), ("reject", gettext_lazy("rejected"))]
TONES = {
    CallStatus.SUCCEEDED: "good", CallStatus.FAILED: "bad", CallStatus.UNKNOWN: "bad", CallStatus.REJECTED: "bad",
    CallStatus.HELD: "warn",
}  # fmt: skip


site.register(ReviewerGroup, ReviewerGroupAdmin)


class ToolList(ChangeList):
    """A page of tools, each with its `use`: when it was last called, and how many of its calls failed."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        shown = {tool.name: tool for tool in self.result_list}
        counted = ToolCall.objects.filter(name__in=shown).order_by().values("name")
        use = counted.annotate(last=Max("proposed_at"), failed=Count("pk", filter=Q(status__in=FAILURES)))
        for tool in shown.values():
            tool.use = {}
        for row in use:
            shown[row["name"]].use = row


@register(Tool, site=site)
class ToolAdmin(VersionedAdmin):
    """What a model may call."""

    form = ToolForm
    refusal = catalogue.BadDefinition
    list_display = ("name", "domain", "shown_risk", "shown_version", "is_enabled", "last_used", "failures")
    list_filter = ("is_enabled", "current__risk", "domain")
    search_fields = ("name", "domain")
    ordering = ("domain", "name")
    list_select_related = ("current",)
    change_form_before_template = "admin_console/tool_check.html"
    change_form_outer_after_template = "admin_console/tool_compiled.html"
    fieldsets = (
        (None, {"fields": ("name", "is_enabled", "description", "domain", "schema", "example")}),
        (gettext_lazy("How it is carried out"), {"fields": (
            "executor_kind", "method", "url", "credential", "headers", "handler", "run", "timeout_s", "rate_limit",
        )}),
        (gettext_lazy("Risk and approval"), {"fields": (
            "risk", "read_only", "idempotent", "untrusted", "confirm_by", "proof", "decide_within_s",
            "execute_within_s", "votes", "rules",
        )}),
        (gettext_lazy("Texts"), {"fields": ("labels", "templates", "preview")}),
    )  # fmt: skip

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return ToolList

    def get_readonly_fields(self, request: HttpRequest, obj: Tool | None = None) -> tuple[str, ...]:
        return ("name",) if obj else ()

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        tool = self.get_object(request, object_id)
        told = told_of(catalogue.spec_of(tool.current)) if tool and tool.current else []
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "told": told})

    @display(description=gettext_lazy("risk"), ordering="current__risk")
    def shown_risk(self, tool: Tool) -> str:
        return badge(tool.current.risk, tool.current.get_risk_display()) if tool.current else "–"

    @display(description=gettext_lazy("version"))
    def shown_version(self, tool: Tool) -> str:
        return str(tool.current or "–")

    @display(description=gettext_lazy("last used"))
    def last_used(self, tool: Any) -> Any:
        return tool.use.get("last")

    @display(description=gettext_lazy("failures"))
    def failures(self, tool: Any) -> int:
        return tool.use.get("failed", 0)

    def saved(self, definition: dict[str, Any], author: User) -> tuple[Tool, bool]:
        return catalogue.save_tool(definition, author)


@register(ToolCall, site=site)
class ToolCallAdmin(ReadOnlyAdmin):
    """Every call a model asked for, as it came and what became of it. Shown as text: it is not ours."""

    list_display = ("name", "shown_status", "shown_risk", "requester", "proposed_at")
    list_filter = ("status", "risk", ("requester", PeopleFilter))
    search_fields = ("id", "name", "topic", "run")
    ordering = ("-id",)
    list_select_related = ("requester",)
    readonly_fields = ("shown_status", "shown_risk", "arguments_given", "shown_arguments", "shown_flags",
                       "shown_errors", "shown_reasons", "shown_result")  # fmt: skip
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "name",
                    "shown_status",
                    "shown_risk",
                    "shown_reasons",
                    "requester",
                    "model",
                    "version",
                )
            },
        ),
        (
            gettext_lazy("Arguments"),
            {"fields": ("arguments_given", "shown_arguments", "shown_flags", "shown_errors")},
        ),
        (gettext_lazy("Result"), {"fields": ("shown_result", "proposed_at", "claimed_at", "settled_at")}),
        (gettext_lazy("Where"), {"fields": ("id", "topic", "run", "digest")}),
    )

    @display(description=gettext_lazy("status"), ordering="status")
    def shown_status(self, call: ToolCall) -> SafeString:
        return badge(TONES.get(CallStatus(call.status), ""), call.get_status_display())

    @display(description=gettext_lazy("risk"), ordering="risk")
    def shown_risk(self, call: ToolCall) -> str:
        return badge(call.risk, call.get_risk_display()) if call.risk else "–"

    @display(description=gettext_lazy("as the model gave them"))
    def arguments_given(self, call: ToolCall) -> str:
        return json_block(call.raw)

    @display(description=gettext_lazy("as checked"))
    def shown_arguments(self, call: ToolCall) -> str:
        return json_block(call.arguments)

    @display(description=gettext_lazy("what was changed on the way"))
    def shown_flags(self, call: ToolCall) -> str:
        return json_block(call.flags)

    @display(description=gettext_lazy("errors"))
    def shown_errors(self, call: ToolCall) -> str:
        return json_block(call.errors)

    @display(description=gettext_lazy("reasons"))
    def shown_reasons(self, call: ToolCall) -> str:
        return json_block("\n".join(call.why))

    @display(description=gettext_lazy("result"))
    def shown_result(self, call: ToolCall) -> str:
        return json_block(call.result)


@register(Confirmation, site=site)
class ConfirmationAdmin(ReadOnlyAdmin):
    """Every question that was put to people, and their votes."""

    list_display = ("tool", "status", "decided_by", "asked_by", "decide_by", "decided_at")
    list_filter = ("status", "by")
    search_fields = ("id", "call__name")
    ordering = ("-id",)
    list_select_related = ("call__requester",)
    readonly_fields = (
        "tool",
        "asked_by",
        "decided_by",
        "proof_asked",
        "shown_arguments",
        "shown_preview",
        "votes_cast",
    )
    fieldsets = (
        (None, {"fields": ("tool", "status", "asked_by", "shown_arguments", "shown_preview")}),
        (gettext_lazy("Decision"), {"fields": (
            "decided_by", "proof_asked", "votes_needed", "user_approved", "votes_cast", "decide_by", "decided_at",
            "execute_by",
        )}),
        (gettext_lazy("Where"), {"fields": ("id", "digest")}),
    )  # fmt: skip

    @display(description=gettext_lazy("tool"), ordering="call__name")
    def tool(self, confirmation: Confirmation) -> str:
        return confirmation.call.name

    @display(description=gettext_lazy("asked by"))
    def asked_by(self, confirmation: Confirmation) -> str:
        return str(confirmation.call.requester or "–")

    @display(description=gettext_lazy("arguments"))
    def shown_arguments(self, confirmation: Confirmation) -> str:
        return json_block(confirmation.call.arguments)

    @display(description=gettext_lazy("decided by"), ordering="by")
    def decided_by(self, confirmation: Confirmation) -> Any:
        return dict(BY)[confirmation.by]

    @display(description=gettext_lazy("proof"))
    def proof_asked(self, confirmation: Confirmation) -> Any:
        return dict(PROOFS)[confirmation.proof]

    @display(description=gettext_lazy("preview"))
    def shown_preview(self, confirmation: Confirmation) -> str:
        return json_block(confirmation.preview)

    @display(description=gettext_lazy("votes"))
    def votes_cast(self, confirmation: Confirmation) -> str:
        votes = confirmation.votes.select_related("user").order_by("created_at")
        rows = ((vote.user, dict(DECISIONS).get(vote.decision, vote.decision), vote.reason) for vote in votes)
        return format_html_join("", "<div>{}: {} {}</div>", rows) or "–"
