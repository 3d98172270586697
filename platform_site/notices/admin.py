"""Webhooks, the time to wait, and the log of what was sent, in the admin console."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.admin import display, register
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST

from platform_site import audit
from platform_site.admin_site import site
from platform_site.console.base import ConsoleRequest, ReadOnlyAdmin, TenantModelAdmin, badge, is_let_in
from platform_site.notices import outbox
from platform_site.notices.forms import WaitForm, WebhookForm
from platform_site.notices.models import Channel, Notice, NoticeKind, NoticeStatus, Webhook
from platform_site.notices.words import ERRORS

S = NoticeStatus
TONES = {S.SENT: "good", S.FAILED: "bad", S.WAITING: "warn", S.SENDING: "warn"}
AGAIN = (S.SENT, S.FAILED, S.CANCELLED)
LOG = "admin:platform_site_notice_changelist"


@register(Webhook, site=site)
class WebhookAdmin(TenantModelAdmin):
    """Where programs of the tenant's hear of what waits. A secret is shown when it is made, and never again."""

    form = WebhookForm
    list_display = ("name", "host", "tells_of", "is_enabled", "last")
    ordering = ("name",)
    fields = ("name", "url", "kinds", "is_enabled")
    list_before_template = "admin_console/notices_wait.html"
    change_form_outer_after_template = "admin_console/webhook_buttons.html"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_let_in(request) and obj is not None

    @display(description=gettext_lazy("host"))
    def host(self, webhook: Webhook) -> str:
        """Not the rest of the address: it may hold a key."""
        return urlsplit(webhook.url).netloc

    @display(description=gettext_lazy("tells of"))
    def tells_of(self, webhook: Webhook) -> str:
        return ", ".join(str(NoticeKind(kind).label) for kind in webhook.kinds if kind in NoticeKind.values)

    @display(description=gettext_lazy("last delivery"))
    def last(self, webhook: Webhook) -> SafeString | str:
        newest = Notice.objects.filter(webhook=webhook).order_by("-created_at").first()
        return shown_status(newest) if newest else "–"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        actor = request.actor  # type: ignore[attr-defined]
        wait = WaitForm({"minutes": actor.tenant.notify_after_s // 60})
        return super().changelist_view(request, {"wait": wait, **(extra_context or {})})

    def save_model(self, request: ConsoleRequest, obj: Any, form: Form, change: bool) -> None:
        with audit.recording():
            super().save_model(request, obj, form, change)
            changed = sorted(form.changed_data)
            audit.note(
                "webhook.saved",
                obj,
                by=request.user,
                changed=changed,
                host=self.host(obj),
                enabled=obj.is_enabled,
            )
            if not change:
                obj.raw = outbox.renew_secret(obj, by=request.user)

    def delete_model(self, request: ConsoleRequest, obj: Any) -> None:
        with audit.recording():
            audit.note("webhook.deleted", obj, by=request.user)
            obj.delete()

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        return self._show_secret(request, obj, obj.raw)

    def _show_secret(self, request: HttpRequest, webhook: Webhook, raw: str) -> HttpResponse:
        """The only time it is seen: straight in the answer, kept nowhere."""
        context = self.admin_site.each_context(request)
        context |= {"title": _("Webhook"), "opts": self.opts, "webhook": webhook, "raw": raw}
        return TemplateResponse(request, "admin_console/webhook_secret.html", context)

    def get_urls(self) -> list[URLPattern]:
        def posted(view: Any) -> Any:
            return self.admin_site.admin_view(require_POST(view))

        name = "platform_site_webhook"
        return [
            path("wait/", posted(self.wait_view), name=f"{name}_wait"),
            path("<str:object_id>/secret/", posted(self.secret_view), name=f"{name}_secret"),
            path("<str:object_id>/test/", posted(self.test_view), name=f"{name}_test"),
            *super().get_urls(),
        ]

    def wait_view(self, request: ConsoleRequest) -> HttpResponse:
        form = WaitForm(request.POST)
        if form.is_valid():
            outbox.set_wait(request.actor.tenant, form.seconds, by=request.user)
            messages.success(request, _("Saved."))
        else:
            messages.error(request, " ".join(map(str, form.errors.get("minutes", []))))
        return HttpResponseRedirect(reverse("admin:platform_site_webhook_changelist"))

    def secret_view(self, request: ConsoleRequest, object_id: str) -> HttpResponse:
        webhook: Webhook = self.row_or_404(request, object_id)
        return self._show_secret(request, webhook, outbox.renew_secret(webhook, by=request.user))

    def test_view(self, request: ConsoleRequest, object_id: str) -> HttpResponse:
        webhook: Webhook = self.row_or_404(request, object_id)
        if not webhook.is_enabled:
            messages.warning(request, _("It is switched off: nothing is sent to it."))
            return HttpResponseRedirect(reverse("admin:platform_site_webhook_change", args=[webhook.pk]))
        notice = outbox.send_test(webhook)
        messages.info(
            request, _("A test is on its way. What comes of it stands here: look again in a moment.")
        )
        return HttpResponseRedirect(reverse("admin:platform_site_notice_change", args=[notice.pk]))


@register(Notice, site=site)
class NoticeAdmin(ReadOnlyAdmin):
    """What was sent to whom, and how it went."""

    list_display = ("planned", "kind", "channel", "receiver", "shown_status", "attempts", "last_try")
    list_filter = ("status", "channel", "kind", "webhook")
    search_fields = ("id__exact", "about__exact", "recipient__email")
    search_help_text = gettext_lazy("Delivery id, confirmation, or e-mail address")
    ordering = ("-created_at", "-id")
    list_select_related = ("recipient", "webhook")
    fields = ("id", "kind", "channel", "receiver", "shown_status", "due", "about", "shown_tries")
    readonly_fields = ("receiver", "shown_status", "shown_tries", "due")
    change_form_outer_after_template = "admin_console/notice_again.html"

    @display(description=gettext_lazy("planned"), ordering="created_at")
    def planned(self, notice: Notice) -> str:
        return f"{timezone.localtime(notice.created_at):%Y-%m-%d %H:%M:%S}"

    @display(description=gettext_lazy("receiver"))
    def receiver(self, notice: Notice) -> str:
        return str(notice.webhook or (notice.recipient.email if notice.recipient else "–"))

    @display(description=gettext_lazy("status"), ordering="status")
    def shown_status(self, notice: Notice) -> SafeString:
        return shown_status(notice)

    @display(description=gettext_lazy("next try"))
    def due(self, notice: Notice) -> str:
        return f"{timezone.localtime(notice.due_at):%Y-%m-%d %H:%M:%S}" if notice.status == S.WAITING else "–"

    @display(description=pgettext_lazy("of a notice", "last try"))
    def last_try(self, notice: Notice) -> str:
        return said_of(notice.tries[-1]) if notice.tries else "–"

    @display(description=gettext_lazy("tries"))
    def shown_tries(self, notice: Notice) -> SafeString | str:
        lines = ((_moment(one["at"]), said_of(one)) for one in notice.tries)
        return (
            format_html("<ol>{}</ol>", format_html_join("", "<li>{}: {}</li>", lines))
            if notice.tries
            else "–"
        )

    def get_urls(self) -> list[URLPattern]:
        again = self.admin_site.admin_view(require_POST(self.again_view))
        return [
            path("<str:object_id>/again/", again, name="platform_site_notice_again"),
            *super().get_urls(),
        ]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        notice: Notice = context["original"]
        context["can_send_again"] = notice.status in AGAIN and notice.channel != Channel.NONE
        return super().render_change_form(request, context, *args, **kwargs)

    def again_view(self, request: ConsoleRequest, object_id: str) -> HttpResponse:
        notice: Notice = self.row_or_404(request, object_id)
        if outbox.send_again(notice):
            self.log_change(request, notice, None)
            messages.info(request, _("It is sent again, under the same delivery id."))
        else:
            messages.warning(request, _("It is on its way already."))
        return HttpResponseRedirect(reverse("admin:platform_site_notice_change", args=[notice.pk]))


def shown_status(notice: Notice) -> SafeString:
    return badge(TONES.get(S(notice.status), ""), S(notice.status).label)


def said_of(tried: dict[str, Any]) -> str:
    """`HTTP 500 · 12 ms · The receiver answered with an error.`"""
    status = [f"HTTP {tried['status']}"] if tried.get("status") else []
    error = [str(ERRORS.get(tried["error"], tried["error"]))] if tried.get("error") else []
    return " · ".join([*status, f"{tried['ms']} ms", *error])


def _moment(at: str) -> str:
    moment = parse_datetime(at)
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M:%S}" if moment else at
