"""Tools that are HTTP requests to a backend: made, sent through the guarded client, and their answers understood.

Sent with each: `Idempotency-Key` (the call's id) and `X-Acting-User` (a signed token for this backend alone), so
that the backend keeps its own permission checks. A request is repeated only where that cannot do harm.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from platform_site.db import db
from platform_site.models import Credential
from platform_site.secrets import CannotOpen, key_of
from platform_site.signing import acting_user_token
from tools import urls
from tools.executors import answers
from tools.executors.answers import TooLarge
from tools.executors.client import client, close
from tools.executors.guard import EgressRefused
from tools.outcome import Failed, Outcome, Unknown
from tools.registry import ToolContext
from tools.schema_words import Text
from tools.spec import HttpExecutor, ToolSpec

__all__ = ["close", "run"]

log = logging.getLogger(__name__)
MAX_HOPS = 5
IN_QUERY = frozenset({"GET", "DELETE"})
TO_GET = frozenset({301, 302, 303})
KEEPS_METHOD = frozenset({307, 308})


class Refused(Exception):
    """The request was not (or not further) sent, for a reason that is an outcome."""

    def __init__(self, code: str, message: Text) -> None:
        super().__init__(message)
        self.failed = Failed(code, message)


@dataclass(frozen=True, slots=True)
class Errand:
    """One call, ready to be sent."""

    spec: ToolSpec
    context: ToolContext
    method: str
    url: str
    body: Mapping[str, Any] | None
    headers: Mapping[str, str]

    @property
    def repeatable(self) -> bool:
        return self.spec.read_only or self.spec.idempotent


async def run(
    executor: HttpExecutor, spec: ToolSpec, arguments: Mapping[str, Any], context: ToolContext
) -> Outcome:
    """Send the call, at most twice, each time within the tool's time limit."""
    try:
        errand = await _prepare(executor, spec, arguments, context)
        outcome = await _attempt(errand)
        if isinstance(outcome, _Lost) and errand.repeatable:
            outcome = await _attempt(errand)
    except Refused as refused:
        return refused.failed
    return _receipt(outcome, errand) if isinstance(outcome, _Lost) else outcome


@dataclass(frozen=True, slots=True)
class _Lost:
    """No answer came. `sent`: the backend may have had the request."""

    code: str
    reason: Text
    sent: bool


async def _attempt(errand: Errand) -> Outcome | _Lost:
    """One try, whatever network and backend do."""
    name, limit = errand.spec.name, errand.spec.timeout_s
    try:
        async with asyncio.timeout(limit):
            return await _follow(errand)
    except EgressRefused as refused:
        words = _("The backend of {name} may not be reached: {why}.")
        raise Refused("not_reachable", format_lazy(words, name=name, why=refused.args[0])) from None
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
        words = _("The backend of {name} could not be reached.")
        return _Lost("unreachable", format_lazy(words, name=name), sent=False)
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL, httpx2.LocalProtocolError) as error:
        log.warning("the request of %s could not be made: %r", name, error)
        words = _("The request of {name} could not be made.")
        raise Refused("bad_request", format_lazy(words, name=name)) from None
    except TooLarge as large:
        return _Lost("too_large", large.args[0], sent=True)
    except TimeoutError:
        words = _("The backend of {name} did not answer within {limit} seconds.")
        return _Lost("timeout", format_lazy(words, name=name, limit=f"{limit:g}"), sent=True)
    except (httpx2.TransportError, httpx2.DecodingError, httpx2.StreamError) as error:
        log.info("the answer of %s was lost: %r", name, error)
        words = _("The connection to the backend of {name} broke.")
        return _Lost("network", format_lazy(words, name=name), sent=True)


def _receipt(lost: _Lost, errand: Errand) -> Outcome:
    """What a lost answer means: nothing for a read or for what was never sent; else nobody knows."""
    if lost.sent and not errand.spec.read_only:
        return Unknown(lost.reason)
    words = _("{reason} Nothing was changed.")
    return Failed(lost.code, format_lazy(words, reason=lost.reason), suggestions=[_LATER])


_LATER = "Tell the person that this does not work at the moment, and go on without it."


async def _prepare(
    executor: HttpExecutor, spec: ToolSpec, arguments: Mapping[str, Any], context: ToolContext
) -> Errand:
    try:
        url, rest = urls.filled(executor.url, arguments)
    except urls.BadPart as bad:
        raise Refused("bad_argument", format_lazy("{name}: {why}.", name=bad.name, why=bad.message)) from None
    body: Mapping[str, Any] | None = rest
    if executor.method in IN_QUERY:
        url, body = urls.with_query(url, rest), None
    headers = dict(executor.headers)
    if executor.credential:
        headers["Authorization"] = f"Bearer {await db(_key_for, executor.credential, url)}"
    return Errand(spec, context, executor.method, url, body, headers)


def _key_for(slug: str, url: str) -> str:
    """The key of a credential, which goes to the server it is for and to no other."""
    credential = Credential.objects.filter(slug=slug).first()
    if credential is None:
        raise Refused("no_credential", format_lazy(_("There is no credential {slug} here."), slug=slug))
    if not credential.base_url:
        words = _("The credential {slug} does not say which server it is for (base_url).")
        raise Refused("no_credential", format_lazy(words, slug=slug))
    if urls.origin_of(credential.base_url) != urls.origin_of(url):
        raise Refused(
            "no_credential", format_lazy(_("The credential {slug} is for another server."), slug=slug)
        )
    try:
        key = key_of(credential)
    except CannotOpen:
        key = ""
    if not key:
        words = _("The credential {slug} has no key that can be used.")
        raise Refused("no_credential", format_lazy(words, slug=slug))
    return key


async def _follow(errand: Errand) -> Outcome:
    """Send the request and follow redirects, within the same origin only."""
    method, url, body = errand.method, errand.url, errand.body
    for _hop in range(MAX_HOPS):
        async with client().stream(
            method, url, json=body, headers=_headers(errand, url), extensions=_extensions(errand)
        ) as response:
            if response.status_code not in TO_GET | KEEPS_METHOD:
                return await answers.read(response, errand.spec)
            url = _next(errand, url, response.headers.get("location", ""))
            if response.status_code in TO_GET and method != "GET":
                method, body = "GET", None
    words = _("The backend of {name} redirects in circles.")
    raise Refused("redirects", format_lazy(words, name=errand.spec.name))


def _headers(errand: Errand, url: str) -> dict[str, str]:
    context = errand.context
    token = acting_user_token(context.user, context.tenant, call=context.call, audience=urls.origin_of(url))
    own = {
        "Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "Sluice",
        "Idempotency-Key": context.call, "X-Acting-User": token,
    }  # fmt: skip
    return {**errand.headers, **own}


def _extensions(errand: Errand) -> dict[str, Any]:
    """What the guard is told: the private hosts this tenant's operator opened."""
    listed = errand.context.tenant.egress
    return {"egress": tuple(entry for entry in listed if isinstance(entry, str))}


def _next(errand: Errand, url: str, location: str) -> str:
    try:
        there = str(httpx2.URL(url).join(location))
        same = bool(location) and urls.origin_of(there) == urls.origin_of(url)
    except (httpx2.InvalidURL, ValueError):
        same = False
    if not same:
        words = _("The backend of {name} sent us elsewhere; that is not followed.")
        raise Refused("redirected", format_lazy(words, name=errand.spec.name))
    return there
