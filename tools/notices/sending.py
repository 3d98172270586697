"""Carry one parcel: a mail in a thread of its own, a webhook through the same guarded client as tools. Never raises.

Of a webhook's answer the status counts and nothing is read. Redirects are not followed: the secret's signature is for
the address that was configured.
"""

from __future__ import annotations

import asyncio
import logging
import smtplib
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx2
from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import timezone

from platform_site.notices.outbox import Arrived, MailParcel, Missed, Outcome, Parcel, WebhookParcel
from platform_site.notices.signature import signature
from tools.executors.client import client
from tools.executors.guard import EgressRefused

log = logging.getLogger(__name__)
POST_S = 10.0
MAIL_S = 20.0
MAILS_AT_ONCE = 4
GONE = 410
"""The receiver says that it wants nothing more."""
_mailers = ThreadPoolExecutor(MAILS_AT_ONCE, thread_name_prefix="mail")


async def send(parcel: Parcel) -> Outcome:
    """Try once; what came of it."""
    began = time.monotonic()
    try:
        outcome = await _send(parcel)
    except Exception:
        log.exception("a notice could not be sent")
        outcome = Missed("internal")
    return replace(outcome, ms=round((time.monotonic() - began) * 1000))


async def _send(parcel: Parcel) -> Outcome:
    match parcel:
        case WebhookParcel():
            return await post(parcel)
        case MailParcel():
            return await _mail(parcel)
    raise TypeError(type(parcel).__name__)


# Webhooks


async def post(parcel: WebhookParcel) -> Outcome:
    try:
        async with asyncio.timeout(POST_S), client().stream(
            "POST", parcel.url, content=parcel.body, headers=_headers(parcel), extensions={"egress": parcel.egress}
        ) as answer:  # fmt: skip
            return judged(answer.status_code)
    except EgressRefused:
        return Missed("not_allowed", final=True)
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
        return Missed("unreachable")
    except TimeoutError:
        return Missed("timeout")
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL, httpx2.LocalProtocolError):
        return Missed("bad_request", final=True)
    except httpx2.TransportError:
        return Missed("network")


def judged(status: int) -> Outcome:
    """What an answer's status means."""
    if 200 <= status < 300:
        return Arrived(status=status)
    if 300 <= status < 400:
        return Missed("redirect", status=status, final=True)
    return Missed("status", status=status, final=status == GONE)


def _headers(parcel: WebhookParcel) -> dict[str, str]:
    now = int(timezone.now().timestamp())
    return {
        "Content-Type": "application/json", "Accept-Encoding": "identity", "User-Agent": "Sluice",
        "Sluice-Delivery": parcel.notice, "Sluice-Event": parcel.kind,
        "Sluice-Signature": signature(parcel.secret, parcel.body, now),
    }  # fmt: skip


# Mail


async def _mail(parcel: MailParcel) -> Outcome:
    """A server that hangs holds its thread, never the loop."""
    sending = asyncio.get_running_loop().run_in_executor(_mailers, _hand_over, parcel)
    try:
        async with asyncio.timeout(MAIL_S):
            return await sending
    except TimeoutError:
        return Missed("timeout")


def _hand_over(parcel: MailParcel) -> Outcome:
    mail = EmailMessage(
        parcel.mail.subject,
        parcel.mail.body,
        settings.DEFAULT_FROM_EMAIL,
        [parcel.to],
        headers=_mail_headers(parcel),
    )
    try:
        mail.send()
    except smtplib.SMTPRecipientsRefused:
        return Missed("refused", final=True)
    except (smtplib.SMTPException, OSError) as error:
        log.warning("the mail server did not take a notice: %s", type(error).__name__)
        return Missed("mail")
    return Arrived()


def _mail_headers(parcel: MailParcel) -> dict[str, str]:
    """The same id whenever it is sent; and nobody's holiday reply shall answer it."""
    host = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip("<> ") or "localhost"
    return {"Message-ID": f"<{parcel.notice}@{host}>", "Auto-Submitted": "auto-generated"}
