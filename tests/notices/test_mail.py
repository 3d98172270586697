"""Mail that does not go out: a server that refuses, breaks or hangs holds up nobody."""

from __future__ import annotations

import asyncio
import smtplib
import threading
import time
from typing import Any

import pytest
from django.core import mail

from platform_site.models import Notice, User
from platform_site.notices.outbox import Arrived, MailParcel
from platform_site.notices.words import Mail
from tests.notices.conftest import Desk, deliver
from tools.notices import sending


def parcel() -> MailParcel:
    return MailParcel("n" * 32, "t" * 32, 1, "test", to="rita@acme.test", mail=Mail("Subject", "Body"))


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (smtplib.SMTPServerDisconnected("gone"), "mail", "waiting"),
        (ConnectionRefusedError(), "mail", "waiting"),
        (smtplib.SMTPRecipientsRefused({}), "refused", "failed"),
        (RuntimeError("a bug"), "internal", "waiting"),
    ],
)
def test_what_a_mail_server_may_do(
    desk: Desk, rita: User, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str, status: str
) -> None:
    def fails(message: Any) -> int:
        raise error

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fails)
    desk.hold()
    deliver(minutes=6)
    row = Notice.objects.get()
    assert ([tried["error"] for tried in row.tries], row.status) == ([code], status)


def test_a_server_that_hangs_does_not_hold_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = threading.Event()
    monkeypatch.setattr(sending, "MAIL_S", 0.05)
    monkeypatch.setattr("django.core.mail.EmailMessage.send", lambda message: let_go.wait(5))

    async def scenario() -> tuple[Any, float]:
        began, longest = time.monotonic(), 0.0
        waiting = asyncio.create_task(sending.send(parcel()))
        while not waiting.done():
            before = time.monotonic()
            await asyncio.sleep(0.005)
            longest = max(longest, time.monotonic() - before)
        assert time.monotonic() - began < 2
        return await waiting, longest

    outcome, longest = asyncio.run(scenario())
    let_go.set()
    assert outcome.code == "timeout" and longest < 0.5


def test_a_mail_goes_out_under_its_delivery_id() -> None:
    assert isinstance(asyncio.run(sending.send(parcel())), Arrived)
    (sent,) = mail.outbox
    assert sent.to == ["rita@acme.test"]
    assert sent.extra_headers["Message-ID"] == f"<{'n' * 32}@localhost>"
