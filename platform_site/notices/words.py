"""What people read of a notice: the mail, in their language, and why a delivery failed.

A mail tells which tool, how risky, who asked and how long there is; never the arguments, which a mailbox would keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from platform_site.models import Tenant, User
from platform_site.notices.models import NoticeKind
from platform_site.one_line import one_line

Words = str | Promise
LONGEST = 80
"""Characters of a name or title that somebody else chose."""
RISKS: Mapping[str, Words] = {
    "CONFIRM": gettext_lazy("needs confirmation"),
    "CRITICAL": gettext_lazy("critical"),
}
ERRORS: Mapping[str, Words] = {
    "status": gettext_lazy("The receiver answered with an error."),
    "redirect": gettext_lazy("The receiver sent us elsewhere; that is not followed."),
    "not_allowed": gettext_lazy("This is not an address that may be reached from here."),
    "unreachable": gettext_lazy("The receiver could not be reached."),
    "timeout": gettext_lazy("The receiver did not answer in time."),
    "network": gettext_lazy("The connection broke."),
    "bad_request": gettext_lazy("The request could not be made."),
    "refused": gettext_lazy("The mail server refuses this address."),
    "mail": gettext_lazy("The mail server did not take it."),
    "secret": gettext_lazy("The secret does not open: make a new one."),
    "interrupted": gettext_lazy("Whoever sent it stopped before it could tell how it ended."),
    "internal": gettext_lazy("Something went wrong on our side. It was written down."),
}


@dataclass(frozen=True, slots=True)
class Mail:
    subject: str
    body: str


def link(path: str) -> str:
    """An address of ours as it stands in a mail."""
    return urljoin(settings.PUBLIC_URL, path)


def mail_about(kind: str, data: Mapping[str, Any], to: User, tenant: Tenant, now: datetime) -> Mail:
    """The mail that tells `to` of a question, or reminds them; `data` as whoever planned the notice made it."""
    with translation.override(to.locale or tenant.locale or settings.LANGUAGE_CODE):
        if kind == NoticeKind.REMINDER:
            return _reminder(data, tenant)
        about = {
            "title": _title(data),
            "tenant": _line(tenant.name),
            "who": _line(data["requester"]),
        }
        return Mail(_subject(kind, about), "\n".join(_lines(data, about, tenant, now)))


def _reminder(data: Mapping[str, Any], tenant: Tenant) -> Mail:
    """What somebody wished to be reminded of by mail: the content is theirs, and stands in it."""
    about = {"tenant": _line(tenant.name), "what": _line(data["content"])}
    when = {"local": data["local"], "zone": data["zone"]}
    due = _("It was due at %(local)s (%(zone)s).") if data["late"] else _("Due: %(local)s (%(zone)s)")
    asked = [_("The agent was asked to do this.")] if data["action"] == "run" else []
    where = f"/t/{tenant.slug}/reminders/"
    lines = [data["content"], "", due % when, *asked, "", _("The conversation:"), link(data["path"]), ""]
    lines += [_("To change or stop this reminder: %(link)s") % {"link": link(where)}, ""]
    return Mail(_("[%(tenant)s] Reminder: %(what)s") % about, "\n".join(lines))


def _subject(kind: str, about: Mapping[str, str]) -> str:
    if kind == NoticeKind.CONFIRMATION_EXPIRING:
        return _("[%(tenant)s] Time is running out: %(title)s") % about
    return _("[%(tenant)s] Waiting for your decision: %(title)s") % about


def _lines(data: Mapping[str, Any], about: Mapping[str, str], tenant: Tenant, now: datetime) -> list[str]:
    risk = RISKS.get(data["risk"], data["risk"])
    until = datetime.fromisoformat(data["decide_by"])
    settings_page = link(f"/t/{tenant.slug}/notices/")
    return [
        _("Something waits for your decision in %(tenant)s.") % about,
        "",
        _("What: %(title)s") % about,
        _("Risk: %(risk)s") % {"risk": risk},
        _("Asked by: %(who)s") % about,
        _("Time left: %(left)s") % {"left": time_left(until - now)},
        "",
        _("Look at it and decide (you sign in first):"),
        link(data["path"]),
        "",
        _("If nobody decides in time, it is not done."),
        _("To get no more of these mails: %(link)s") % {"link": settings_page},
        "",
    ]


def _title(data: Mapping[str, Any]) -> str:
    """A tool's own title in the language of now, else in English, else its name."""
    titles: Mapping[str, str] = data.get("title", {})
    title = titles.get(translation.get_language() or "") or titles.get("en") or data["tool"]
    return _line(title)


def _line(text: str) -> str:
    return one_line(text, LONGEST)


def time_left(left: timedelta) -> str:
    """In the largest unit that still says something."""
    minutes = max(0, int(left.total_seconds()) // 60)
    if minutes < 120:
        return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    hours = minutes // 60
    if hours < 48:
        return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}
    return ngettext("%(count)s day", "%(count)s days", hours // 24) % {"count": hours // 24}
