"""Who gets what at every address: one row a URL pattern. A pattern without a row fails the walk.

A row names the methods that are there and the status each role gets; a method it does not name must be refused.
`{names}` in its URL are filled with ids of `world`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from tests.api.made import SEARCH
from tests.uploads.pictures import picture
from tests.walk.world import ROLES

Who = Mapping[str, int]
OUTSIDE = ("stranger", "removed")


@dataclass(frozen=True)
class Row:
    """`loose`: views of Django's and allauth's that answer any method; they still must write nothing.

    `closed`: why nobody gets anything there. `noted`: what is done or taken there is noted in the audit log, also
    where that is all that is written.
    """

    url: str
    methods: Mapping[str, Who]
    sends: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    loose: bool = False
    closed: str = ""
    noted: bool = False


def routes() -> dict[str, URLPattern]:
    """Every URL pattern of the product, by its whole text."""
    return dict(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: Iterable[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, URLPattern]]:
    for entry in patterns:
        text = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _walk(entry.url_patterns, text)
        else:
            yield text, entry


def everybody(status: int) -> Who:
    return dict.fromkeys(ROLES, status)


def signed_in(status: int, anonymous: int = 302) -> Who:
    return everybody(status) | {"anonymous": anonymous}


def api(status: int, **others: int) -> Who:
    """Inside the tenant all get `status`, but for those named; outside there is nothing."""
    return everybody(status) | dict.fromkeys(OUTSIDE, 404) | {"anonymous": 401} | others


def only(status: int, *roles: str, otherwise: int) -> Who:
    """In the tenant these roles get `status`, all others there `otherwise`."""
    return api(otherwise, **dict.fromkeys(roles, status))


def of_member(status: int) -> Who:
    """The member's own conversation: for all others in the tenant it is not there."""
    return only(status, "member", otherwise=404)


def page(status: int, **others: int) -> Who:
    return api(status, **others) | {"anonymous": 302}


def console(status: int) -> Who:
    """The console: owners and admins; others of the tenant are told so, strangers nothing."""
    return only(status, "admin", otherwise=403) | {"anonymous": 302}


API = "api/v1/t/<slug:slug>/"
HERE = "/api/v1/t/{slug}/"
TOKEN = {"email": "bob@acme.test", "password": "demo-pass-1234", "tenant": "acme"}

A_PICTURE = {"file": picture()}
"""A file: such a row is sent as a form."""

ROWS: dict[str, Row] = {
    "healthz": Row("/healthz", {"GET": everybody(200)}),
    "readyz": Row("/readyz", {"GET": everybody(503)}, closed="no queue runs beside the tests"),
    "metrics": Row("/metrics", {"GET": everybody(200)}),
    ".well-known/jwks.json": Row("/.well-known/jwks.json", {"GET": everybody(200)}),
    "i18n/setlang/": Row("/i18n/setlang/", {"POST": everybody(302)}),
    "jsi18n/<language:language>/": Row("/jsi18n/zh-hans/", {"GET": everybody(200)}),
    "": Row("/", {"GET": signed_in(302) | {"removed": 200}}),
    "t/<slug:slug>/": Row("/t/{slug}/", {"GET": page(200)}),
    "t/<slug:slug>/c/<str:conversation>/": Row(
        "/t/{slug}/c/{conversation}/", {"GET": of_member(200) | {"anonymous": 302}}
    ),
    "t/<slug:slug>/grants/": Row("/t/{slug}/grants/", {"GET": page(200)}),
    "t/<slug:slug>/grants/<str:grant>/revoke/": Row(
        "/t/{slug}/grants/{grant}/revoke/",
        {"POST": only(302, "member", "admin", otherwise=404) | {"anonymous": 302}},
    ),
    "t/<slug:slug>/notices/": Row("/t/{slug}/notices/", {"GET": page(200), "POST": page(302)}),
    "t/<slug:slug>/stories/": Row("/t/{slug}/stories/", {"GET": page(200)}),
    "t/<slug:slug>/stories/<str:story>/": Row("/t/{slug}/stories/{story}/", {"GET": page(200)}),
    "api/v1/auth/token": Row("/api/v1/auth/token", {"POST": everybody(200)}, {"POST": TOKEN}),
    "api/v1/schema": Row("/api/v1/schema", {"GET": everybody(200)}),
    API + "audit": Row(HERE + "audit", {"GET": only(200, "admin", otherwise=403)}),
    API + "agents": Row(HERE + "agents", {"GET": api(200)}),
    API + "agents/<id:agent>/ag-ui": Row(
        HERE + "agents/guide/ag-ui",
        {"POST": of_member(200)},
        {"POST": {"threadId": "{conversation}", "runId": "walk", "messages": []}},
    ),
    API + "tools": Row(
        HERE + "tools",
        {"GET": api(200), "POST": only(201, "admin", otherwise=403)},
        {"POST": SEARCH | {"name": "new_tool"}},
    ),
    API + "tools/<id:tool>": Row(
        HERE + "tools/{tool}",
        {"GET": api(200), "PATCH": only(200, "admin", otherwise=403)},
        {"PATCH": {"is_enabled": False}},
    ),
    API + "tools/<id:tool>/versions": Row(HERE + "tools/{tool}/versions", {"GET": api(200)}),
    API + "conversations": Row(
        HERE + "conversations", {"GET": api(200), "POST": api(201)}, {"POST": {"agent": "guide"}}
    ),
    API + "conversations/<id:conversation>": Row(
        HERE + "conversations/{conversation}",
        {"GET": of_member(200), "PATCH": of_member(200), "DELETE": of_member(204)},
        {"PATCH": {"title": "New"}},
    ),
    API + "conversations/<id:conversation>/messages": Row(
        HERE + "conversations/{conversation}/messages",
        {"GET": of_member(200), "POST": of_member(202)},
        {"POST": {"text": "Hello"}},
    ),
    API + "conversations/<id:conversation>/events": Row(
        HERE + "conversations/{conversation}/events", {"GET": of_member(200)}
    ),
    API + "conversations/<id:conversation>/export": Row(
        HERE + "conversations/{conversation}/export", {"GET": of_member(200)}
    ),
    API + "conversations/<id:conversation>/debate": Row(
        HERE + "conversations/{conversation}/debate",
        {"GET": of_member(200), "POST": of_member(200)},
        {"POST": {"do": "pause"}},
    ),
    API + "conversations/<id:conversation>/branch": Row(
        HERE + "conversations/{conversation}/branch",
        {"POST": of_member(200)},
        {"POST": {"message": "{message}"}},
    ),
    API + "conversations/<id:conversation>/people": Row(
        HERE + "conversations/{conversation}/people", {"GET": of_member(200)}
    ),
    API + "conversations/<id:conversation>/people/candidates": Row(
        HERE + "conversations/{conversation}/people/candidates", {"GET": of_member(200)}
    ),
    API + "conversations/<id:conversation>/people/remove": Row(
        HERE + "conversations/{conversation}/people/remove",
        {"POST": of_member(204)},
        {"POST": {"person": "{guest}"}},
    ),
    API + "conversations/<id:conversation>/people/owner": Row(
        HERE + "conversations/{conversation}/people/owner",
        {"POST": of_member(204)},
        {"POST": {"person": "{guest}"}},
    ),
    API + "conversations/<id:conversation>/leave": Row(
        HERE + "conversations/{conversation}/leave", {"POST": of_member(204)}
    ),
    API + "conversations/<id:conversation>/read": Row(
        HERE + "conversations/{conversation}/read", {"POST": of_member(200)}, {"POST": {"seq": 1}}
    ),
    API + "conversations/<id:conversation>/invitations": Row(
        HERE + "conversations/{conversation}/invitations",
        {"POST": of_member(201)},
        {"POST": {"email": "rita@acme.test"}},
    ),
    API + "invitations": Row(HERE + "invitations", {"GET": api(200)}),
    API + "invitations/<id:invitation>": Row(HERE + "invitations/{invitation}", {"DELETE": of_member(204)}),
    API + "invitations/<id:invitation>/accept": Row(
        HERE + "invitations/{invitation}/accept", {"POST": only(200, "colleague", otherwise=404)}
    ),
    API + "invitations/<id:invitation>/decline": Row(
        HERE + "invitations/{invitation}/decline", {"POST": only(204, "colleague", otherwise=404)}
    ),
    API + "messages/<id:message>/edit": Row(
        HERE + "messages/{message}/edit", {"POST": of_member(202)}, {"POST": {"text": "Hello"}}
    ),
    API + "messages/<id:message>/regenerate": Row(
        HERE + "messages/{reply}/regenerate", {"POST": of_member(202)}
    ),
    API + "runs/<id:run>": Row(HERE + "runs/{run}", {"GET": of_member(200)}),
    API + "runs/<id:run>/stop": Row(HERE + "runs/{run}/stop", {"POST": of_member(200)}),
    API + "runs/<id:run>/retry": Row(HERE + "runs/{run}/retry", {"POST": of_member(202)}),
    API + "confirmations": Row(HERE + "confirmations", {"GET": api(200)}),
    API + "confirmations/<id:confirmation>": Row(
        HERE + "confirmations/{confirmation}", {"GET": api(200, colleague=404)}
    ),
    API + "confirmations/<id:confirmation>/decide": Row(
        HERE + "confirmations/{confirmation}/decide",
        {"POST": api(403, member=200, colleague=404)},
        {"POST": {"decision": "approve", "digest": "{digest}"}},
    ),
    API + "confirmations/<id:confirmation>/form": Row(
        HERE + "confirmations/{confirmation}/form", {"GET": api(200, colleague=404)}
    ),
    API + "reminders": Row(
        HERE + "reminders",
        {"GET": api(200), "POST": of_member(201)},
        {"POST": {"conversation": "{conversation}", "type": "daily", "time": "09:00", "content": "Stand up"}},
    ),
    API + "reminders/<id:reminder>": Row(
        HERE + "reminders/{reminder}",
        {"GET": of_member(200), "PATCH": of_member(200), "DELETE": of_member(204)},
        {"PATCH": {"content": "Sit down"}},
    ),
    API + "reminders/<id:reminder>/pause": Row(HERE + "reminders/{reminder}/pause", {"POST": of_member(200)}),
    API + "reminders/<id:reminder>/resume": Row(
        HERE + "reminders/{reminder}/resume", {"POST": of_member(200)}
    ),
    API + "grants": Row(HERE + "grants", {"GET": api(200)}),
    API + "grants/<id:grant>/revoke": Row(
        HERE + "grants/{grant}/revoke", {"POST": only(200, "member", "admin", otherwise=404)}
    ),
    API + "calls/<id:call>/cancel": Row(HERE + "calls/{toolcall}/cancel", {"POST": of_member(200)}),
    API + "corrections": Row(HERE + "corrections", {"GET": api(200)}),
    API + "corrections/<id:correction>": Row(HERE + "corrections/{correction}", {"GET": of_member(200)}),
    API + "corrections/<id:correction>/submit": Row(
        HERE + "corrections/{correction}/submit", {"POST": of_member(200)}, {"POST": {"cancel": True}}
    ),
    API + "uploads": Row(HERE + "uploads", {"GET": api(200), "POST": api(201)}, {"POST": A_PICTURE}),
    API + "uploads/<id:upload>": Row(
        HERE + "uploads/{upload}", {"GET": of_member(200), "DELETE": of_member(204)}
    ),
    API + "uploads/<id:upload>/content": Row(HERE + "uploads/{upload}/content", {"GET": of_member(200)}),
    API + "validation-failures": Row(
        HERE + "validation-failures", {"GET": api(200, member=403, colleague=403)}
    ),
}

ROWS |= {
    API + "usage": Row(HERE + "usage", {"GET": api(200)}),
    "t/<slug:slug>/usage/": Row("/t/{slug}/usage/", {"GET": console(200)}),
    "t/<slug:slug>/usage/usage.csv": Row("/t/{slug}/usage/usage.csv", {"GET": console(200)}),
    "t/<slug:slug>/usage/limits/": Row(
        "/t/{slug}/usage/limits/",
        {"POST": console(302)},
        {"POST": {"kind": "monthly_cost", "subject": "tenant:", "amount": "5"}},
    ),
    "t/<slug:slug>/usage/limits/<str:limit>/lift/": Row(
        "/t/{slug}/usage/limits/{usagelimit}/lift/", {"POST": console(302)}
    ),
}

REMINDERS, ITS = "t/<slug:slug>/reminders/", "t/<slug:slug>/reminders/<id:reminder>/"
EVERY_DAY = {"content": "Stand up", "kind": "daily", "time": "09:00", "zone": "UTC", "act": "tell"}


def of_its_people(status: int) -> Who:
    """A reminder of the member's: for all others in the tenant it is not there."""
    return of_member(status) | {"anonymous": 302}


ROWS |= {
    REMINDERS: Row("/t/{slug}/reminders/", {"GET": page(200)}),
    REMINDERS + "over/": Row("/t/{slug}/reminders/over/", {"GET": page(200)}),
    REMINDERS + "preview/": Row("/t/{slug}/reminders/preview/", {"GET": page(200)}),
    REMINDERS + "fired.json": Row("/t/{slug}/reminders/fired.json", {"GET": page(200)}),
    REMINDERS + "new/": Row(
        "/t/{slug}/reminders/new/",
        {"GET": page(200), "POST": page(400, member=302)},
        {"POST": EVERY_DAY | {"conversation": "{conversation}"}},
    ),
    ITS: Row(
        "/t/{slug}/reminders/{reminder}/",
        {"GET": of_its_people(200), "POST": of_its_people(302)},
        {"POST": EVERY_DAY},
    ),
    ITS + "pause/": Row("/t/{slug}/reminders/{reminder}/pause/", {"POST": of_its_people(302)}),
    ITS + "resume/": Row("/t/{slug}/reminders/{reminder}/resume/", {"POST": of_its_people(302)}),
    ITS + "delete/": Row("/t/{slug}/reminders/{reminder}/delete/", {"POST": of_its_people(302)}),
    ITS + "snooze/": Row(
        "/t/{slug}/reminders/{reminder}/snooze/", {"POST": of_its_people(200)}, {"POST": {"minutes": "10"}}
    ),
}

REVIEW = "t/<slug:slug>/review/"


def for_reviewers(status: int, **others: int) -> Who:
    """The reviewers' pages: owners, admins and reviewers; others of the tenant are told so, strangers nothing."""
    return only(status, "admin", "reviewer", otherwise=403) | {"anonymous": 302} | others


ROWS |= {
    REVIEW: Row("/t/{slug}/review/", {"GET": for_reviewers(200)}),
    REVIEW + "queue.json": Row("/t/{slug}/review/queue.json", {"GET": for_reviewers(200)}),
    REVIEW + "queue/<id:confirmation>/": Row(
        "/t/{slug}/review/queue/{question}/", {"GET": for_reviewers(200)}
    ),
    REVIEW + "queue/<id:confirmation>/decide/": Row(
        "/t/{slug}/review/queue/{question}/decide/",
        {"POST": for_reviewers(302)},
        {"POST": {"decision": "approve", "digest": "{shown}"}},
    ),
    REVIEW + "unknown/": Row("/t/{slug}/review/unknown/", {"GET": for_reviewers(200)}),
    REVIEW + "unknown/<id:call>/": Row(
        "/t/{slug}/review/unknown/{lost}/",
        {"POST": for_reviewers(302)},
        {"POST": {"what": "did_not", "note": "The shop has no such order."}},
    ),
    REVIEW + "failures/": Row("/t/{slug}/review/failures/", {"GET": for_reviewers(200)}),
    REVIEW + "failures/export.json": Row(
        "/t/{slug}/review/failures/export.json", {"GET": for_reviewers(200)}, noted=True
    ),
    REVIEW + "failures/export.csv": Row(
        "/t/{slug}/review/failures/export.csv", {"GET": for_reviewers(200)}, noted=True
    ),
    REVIEW + "failures/<str:attempt>/": Row(
        "/t/{slug}/review/failures/{attempt}/", {"GET": for_reviewers(200)}
    ),
    REVIEW + "failures/<str:attempt>/known/": Row(
        "/t/{slug}/review/failures/{attempt}/known/", {"POST": for_reviewers(302)}
    ),
    REVIEW + "insights/": Row("/t/{slug}/review/insights/", {"GET": for_reviewers(200)}),
    REVIEW + "playground/": Row(
        "/t/{slug}/review/playground/", {"GET": for_reviewers(200), "POST": for_reviewers(200)}
    ),
    REVIEW + "playground/check/": Row("/t/{slug}/review/playground/check/", {"POST": for_reviewers(200)}),
    REVIEW + "playground/run/": Row(
        "/t/{slug}/review/playground/run/", {"POST": for_reviewers(200, reviewer=403)}
    ),
    REVIEW + "playground/tries/<str:call>/": Row(
        "/t/{slug}/review/playground/tries/{try}/", {"GET": for_reviewers(200), "POST": for_reviewers(302)}
    ),
}


def account(path: str, get: Who, post: Who | None = None, closed: str = "", noted: bool = False) -> None:
    methods = {"GET": get, "POST": post} if post else {"GET": get}
    ROWS["accounts/" + path] = Row("/accounts/" + path, methods, loose=True, closed=closed, noted=noted)


NO_SECOND = "nobody here has a second factor"
GUEST = everybody(302) | {"anonymous": 200}
account("login/", GUEST, GUEST)
account("logout/", signed_in(200), signed_in(302), noted=True)
account("inactive/", everybody(200))
account("reauthenticate/", signed_in(200), signed_in(200))
account("password/change/", signed_in(200), signed_in(200))
account("password/set/", signed_in(302), signed_in(302))
account("password/reset/", everybody(200), everybody(200))
account("password/reset/done/", everybody(200))
account("password/reset/key/done/", everybody(200))
account("2fa/", signed_in(200))
account("time-zone/", signed_in(200), signed_in(302))
account("2fa/authenticate/", everybody(302), everybody(302))
account("2fa/reauthenticate/", signed_in(302), signed_in(302))
account("2fa/totp/activate/", signed_in(302), signed_in(302))
account("2fa/totp/deactivate/", signed_in(404), signed_in(404), NO_SECOND)
account("2fa/recovery-codes/", signed_in(404), closed=NO_SECOND)
account("2fa/recovery-codes/generate/", signed_in(302), signed_in(302))
account("2fa/recovery-codes/download/", signed_in(404), closed=NO_SECOND)
ROWS[r"accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$"] = Row(
    "/accounts/password/reset/key/1-wrong/", {"GET": everybody(200), "POST": everybody(200)}, loose=True
)


def in_console(pattern: str, url: str, closed: str = "", noted: bool = False, **methods: int) -> None:
    """`methods`: what owners and admins get."""
    rows = {method: console(status) for method, status in methods.items()}
    ROWS["admin/" + pattern] = Row("/t/{slug}/admin/" + url, rows, loose=True, closed=closed, noted=noted)


def table(app: str, model: str, *can: str) -> None:
    """The pages the console has for every table; `can`: which of add, change and delete are open there."""
    base, thing = f"{app}/{model}/", f"{app}/{model}/{{{model}}}/"

    def of_thing(what: str, closed: str = "", **methods: int) -> None:
        in_console(f"{base}<path:object_id>/{what}", thing + what, closed, **methods)

    in_console(base, base, GET=200)
    of_thing("", GET=302)
    of_thing("change/", GET=200, **({"POST": 200} if "change" in can else {}))
    of_thing("history/", "changes stand in the log and in versions", GET=404)
    if "add" in can:
        in_console(base + "add/", base + "add/", GET=200, POST=200)
    else:
        in_console(base + "add/", base + "add/", "nobody makes these by hand", GET=403, POST=403)
    if "delete" in can:
        of_thing("delete/", GET=200)
    else:
        of_thing("delete/", "what others point to stays", GET=403, POST=403)


in_console("", "", GET=200)
in_console("autocomplete/", "autocomplete/", "no form of ours asks it", GET=404)
in_console("jsi18n/", "jsi18n/", GET=200)
in_console("configuration/", "configuration/", GET=200, POST=200)
in_console("configuration/export/", "configuration/export/", noted=True, GET=200)
in_console("^(?P<app_label>platform_site|tools|agents|conversations)/$", "tools/", GET=200)
in_console("(?P<url>.*)$", "nothing/like/that", "nothing stands there", GET=404)
table("platform_site", "membership", "add", "change")
table("platform_site", "apitoken", "add")
in_console(
    "platform_site/apitoken/<str:object_id>/revoke/", "platform_site/apitoken/{apitoken}/revoke/", POST=302
)
table("platform_site", "credential", "add", "change")
table("platform_site", "webhook", "add", "change", "delete")
in_console("platform_site/webhook/wait/", "platform_site/webhook/wait/", POST=302)
in_console("platform_site/webhook/<str:object_id>/test/", "platform_site/webhook/{webhook}/test/", POST=302)
in_console(
    "platform_site/webhook/<str:object_id>/secret/", "platform_site/webhook/{webhook}/secret/", POST=200
)
table("platform_site", "notice")
in_console("platform_site/notice/<str:object_id>/again/", "platform_site/notice/{notice}/again/", POST=302)
table("platform_site", "auditentry")
in_console(
    "platform_site/auditentry/export/<str:form>/", "platform_site/auditentry/export/csv/", noted=True, GET=200
)
table("tools", "tool", "add", "change")
table("tools", "toolcall")
table("tools", "confirmation")
table("tools", "reviewergroup", "add", "change", "delete")
table("agents", "agent", "add", "change")
table("agents", "languagemodel", "add", "change", "delete")
in_console(
    "agents/languagemodel/<str:object_id>/try/",
    "agents/languagemodel/{languagemodel}/try/",
    noted=True,
    POST=200,
)
in_console(
    "agents/languagemodel/credential/<str:object_id>/try/",
    "agents/languagemodel/credential/{credential}/try/",
    POST=200,
)
table("conversations", "run")
for versioned in ("tools/tool", "agents/agent"):
    one = versioned + "/{" + versioned.partition("/")[2] + "}/"
    in_console(versioned + "/check/", versioned + "/check/", POST=200)
    in_console(versioned + "/<str:object_id>/versions/", one + "versions/", GET=200)
    in_console(versioned + "/<str:object_id>/restore/<int:number>/", one + "restore/1/", POST=302)
