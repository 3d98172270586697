"""The one request to a search service, through the guarded client: an answer, or a failure that can be acted on.

Asking changes nothing, so what was lost on the way is asked once more. Nothing of an error's body is passed on: a
careless service repeats the key in it (T61).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import httpx2
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from platform_site.env import env
from tools.executors.client import client
from tools.executors.guard import EgressRefused
from tools.outcome import Failed
from tools.packs.search import reading
from tools.packs.search.account import TELL, Account
from tools.packs.search.reading import Found, Malformed
from tools.schema_words import Text
from tools.strictjson import NotJson, loads

log = logging.getLogger(__name__)
WITHIN_S = 25.0
TRIES = 2
MOST_BYTES = 1024 * 1024
LONGEST_WAIT_S = 3600
LATER = "Tell the person that searching does not work at the moment, and go on without it."


class Lost(Exception):
    """No answer came, or none that is worth having; asking again may bring one."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.code)
        self.failed = failed


async def ask(account: Account, query: str) -> Found | Failed:
    """Search. Ends within `WITHIN_S` seconds, whatever the service does."""
    try:
        async with asyncio.timeout(WITHIN_S):
            return await _ask_patiently(account, query)
    except TimeoutError:
        words = _("The search service did not answer within {limit} seconds.")
        return _failed("timeout", format_lazy(words, limit=f"{WITHIN_S:g}"))


async def _ask_patiently(account: Account, query: str) -> Found | Failed:
    failed = _failed("unreachable", _UNREACHABLE)
    for _try in range(TRIES):
        try:
            return await _ask_once(account, query)
        except Lost as lost:
            failed = lost.failed
    return failed


async def _ask_once(account: Account, query: str) -> Found | Failed:
    try:
        async with client().stream(
            "POST", account.url, json=reading.question(query, env.perplexity_model),
            headers=_headers(account), extensions={"egress": account.egress},
        ) as response:  # fmt: skip
            return _understood(response, await _body(response), account)
    except EgressRefused as refused:
        words = _("The search service may not be reached: {why}.")
        return _failed("not_reachable", format_lazy(words, why=refused.args[0]), TELL)
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL, httpx2.LocalProtocolError):
        return _failed("not_reachable", _("The search service’s address cannot be used."), TELL)
    except (httpx2.TransportError, httpx2.DecodingError, httpx2.StreamError) as error:
        log.info("the answer of the search service was lost: %r", error)
        raise Lost(_failed("unreachable", _UNREACHABLE)) from None


def _headers(account: Account) -> dict[str, str]:
    key = {"Authorization": f"Bearer {account.key}"} if account.key else {}
    return {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "Sluice", **key}


async def _body(response: httpx2.Response) -> bytes | Failed:
    """The whole body, of a size that is read, and not packed: a small one may unpack to anything."""
    if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        return _malformed("compressed")
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > MOST_BYTES:
            return _failed("too_large", _("The search service’s answer is larger than 1 MiB."))
    return bytes(body)


def _understood(response: httpx2.Response, body: bytes | Failed, account: Account) -> Found | Failed:
    """What status and body amount to. Raises `Lost` where the service itself may be well again in a moment."""
    status = response.status_code
    if status in (502, 503, 504):
        raise Lost(_failed("search_down", _down(status)))
    if status >= 500:
        return _failed("search_down", _down(status))
    if status != 200:
        return _refused(status, response.headers.get("retry-after", ""), account)
    return body if isinstance(body, Failed) else _read(body)


def _read(body: bytes) -> Found | Failed:
    try:
        return reading.read(loads(body.decode("utf-8")))
    except (UnicodeDecodeError, NotJson):
        return _malformed("web page" if body.lstrip()[:1] == b"<" else "not JSON")
    except Malformed as bad:
        return _malformed(str(bad))


def _refused(status: int, retry_after: str, account: Account) -> Failed:
    if status in (401, 403):
        words = _("The search service does not accept the key of the credential {slug}.")
        return _failed("search_key", format_lazy(words, slug=account.credential), TELL)
    if status == 402:
        return _failed("search_quota", _("The account at the search service is used up."), TELL)
    if status == 429:
        return _busy(retry_after)
    if 300 <= status < 400:
        return _failed("redirected", _("The search service sent us elsewhere; that is not followed."), TELL)
    words = _("The search service refused the request (status {status}).")
    return _failed(
        "search_refused", format_lazy(words, status=status), "Try once more with a shorter, plainer query."
    )


def _busy(retry_after: str) -> Failed:
    """429; `retry_after` as the service said it, where it is a sensible number of seconds."""
    seconds = int(retry_after) if retry_after.isdecimal() and len(retry_after) < 6 else 0
    details: dict[str, Any] = {"retry_after_s": seconds} if 0 < seconds <= LONGEST_WAIT_S else {}
    words: Text = _("The search service is asked too often at the moment.")
    if details:
        again = _(
            "The search service is asked too often at the moment; in {seconds} seconds it may be asked again."
        )
        words = format_lazy(again, seconds=seconds)
    return Failed("search_busy", words, suggestions=[LATER], details=details)


def _malformed(why: str) -> Failed:
    log.info("the search service's answer could not be read: %s", why)
    return _failed("bad_answer", _("The search service answered with something that cannot be read."))


def _down(status: int) -> Text:
    return format_lazy(_("The search service does not work at the moment (status {status})."), status=status)


def _failed(code: str, words: Text, advice: str = LATER) -> Failed:
    return Failed(code, words, suggestions=[advice])


_UNREACHABLE = _("The search service could not be reached.")
