"""What unfold asks for on every page: names, links, scripts. `settings.UNFOLD` names these functions."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

Item = dict[str, Any]


def title(request: HttpRequest) -> str:
    """The tenant's name."""
    tenant = getattr(request, "tenant", None)
    return tenant.name if tenant else "Sluice"


def subtitle(request: HttpRequest) -> str:
    return _("Admin console")


def chat(request: HttpRequest) -> str:
    """The way back to the conversations of this tenant."""
    tenant = getattr(request, "tenant", None)
    return f"/t/{tenant.slug}/" if tenant else "/"


def language_action(request: HttpRequest) -> str:
    return "/i18n/setlang/"


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The menu: what is configured, who takes part, what happened."""
    overview = {"title": _("Overview"), "icon": "dashboard", "link": reverse("admin:index")}
    usage = {"title": _("Usage"), "icon": "payments", "link": chat(request) + "usage/", "active": _never}
    back = {"title": _("Back to the chat"), "icon": "chat", "link": chat(request), "active": _never}
    return [
        {"items": [overview, usage, back]},
        {"title": _("Configuration"), "separator": True, "items": _configuration()},
        {"title": _("People"), "separator": True, "items": _people()},
        {"title": _("What happened"), "separator": True, "items": _records()},
        {"title": _("Review"), "separator": True, "items": _review(request)},
    ]


def _configuration() -> list[Item]:
    return [
        _table(_("Agents"), "smart_toy", "agents_agent"),
        _table(_("Tools"), "build", "tools_tool"),
        _table(_("Models"), "neurology", "agents_languagemodel"),
        _table(_("Credentials"), "key", "platform_site_credential"),
        _table(_("Notices"), "notifications", "platform_site_webhook"),
        {"title": _("Configuration file"), "icon": "sync_alt", "link": reverse("admin:configuration")},
    ]


def _people() -> list[Item]:
    return [
        _table(_("People"), "group", "platform_site_membership"),
        _table(_("Reviewer groups"), "groups", "tools_reviewergroup"),
        _table(_("API tokens"), "vpn_key", "platform_site_apitoken"),
    ]


def _records() -> list[Item]:
    return [
        _table(_("Runs"), "directions_run", "conversations_run"),
        _table(_("Tool calls"), "bolt", "tools_toolcall"),
        _table(_("Confirmations"), "how_to_reg", "tools_confirmation"),
        _table(_("Sent notices"), "outgoing_mail", "platform_site_notice"),
        _table(_("Audit log"), "history_edu", "platform_site_auditentry"),
    ]


def _review(request: HttpRequest) -> list[Item]:
    """The reviewers' pages, outside the console."""
    pages = [
        (_("Queue"), "rule", ""),
        (_("Unknown outcomes"), "help", "unknown/"),
        (_("Failures"), "error", "failures/"),
        (_("Insights"), "bar_chart", "insights/"),
        (_("Playground"), "science", "playground/"),
    ]
    base = chat(request) + "review/"
    return [
        {"title": title, "icon": icon, "link": base + page, "active": _never} for title, icon, page in pages
    ]


def _table(title: str, icon: str, name: str) -> Item:
    return {"title": title, "icon": icon, "link": reverse(f"admin:{name}_changelist")}


def _never(request: HttpRequest) -> bool:
    return False
