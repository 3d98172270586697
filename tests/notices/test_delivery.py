"""Webhooks over real sockets: what a receiver gets, what is tried again or given up, and what is never reached."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from platform_site.models import AuditEntry, Notice, Tenant, User, Webhook
from platform_site.notices import outbox
from platform_site.notices.signature import is_right
from platform_site.notices.when import PAUSES
from platform_site.tenancy import acting_for
from tests.notices.conftest import SECRETS, deliver, make_hook, plan, received
from tests.review.queued import open_desk
from tests.tools.backend import Say, answer, hang_up, silence
from tools.models import Confirmation
from tools.notices import planning, sending

pytestmark = pytest.mark.django_db(transaction=True)
OK = answer(b"", "204 No Content")
ERROR = answer({"error": "canary-answer"}, "500 Internal Server Error")


@pytest.fixture
def hooked(tenant: Tenant, bob: User) -> Webhook:
    """A question waits, and a webhook hears of it."""
    with acting_for(tenant):
        open_desk(tenant, bob).hold({"item": "canary-argument"})
        return make_hook()


def notice() -> Notice:
    return Notice.objects.across_tenants().get()


def codes() -> list[Any]:
    return [tried.get("error") or tried["status"] for tried in notice().tries]


def test_a_receiver_gets_a_signed_delivery(hooked: Webhook) -> None:
    served = received(hooked, OK, act=lambda: deliver(minutes=6))
    (seen,) = served.seen
    now = int(timezone.now().timestamp())
    assert is_right(seen.headers["sluice-signature"], SECRETS[hooked.pk], seen.body, now)
    row, body = notice(), json.loads(seen.body)
    assert (row.status, codes()) == ("sent", [204])
    assert seen.headers["sluice-delivery"] == body["id"] == row.pk
    assert seen.headers["sluice-event"] == body["kind"] == "confirmation_waiting"
    question = Confirmation.objects.across_tenants().get()
    assert (body["tenant"], body["data"]["confirmation"]) == ("acme", question.pk)
    assert body["data"]["url"] == f"https://sluice.example.org/t/acme/review/queue/{question.pk}/"
    assert (body["data"]["waitsFor"], body["data"]["requester"]) == ("reviewer", "Bob")


def test_the_arguments_stay_here(hooked: Webhook) -> None:
    """T61."""
    (seen,) = received(hooked, OK, act=lambda: deliver(minutes=6)).seen
    assert b"canary" not in seen.body


def test_a_webhook_hears_only_what_it_wants(hooked: Webhook) -> None:
    with acting_for(hooked.tenant):
        Webhook.objects.update(kinds=["confirmation_expiring"])
        assert [one.channel for one in plan(minutes=6)] == ["none"]
        assert [one.channel for one in plan(minutes=13)] == ["none", "webhook"]


def test_500_and_then_200_is_one_delivery_under_one_id(hooked: Webhook) -> None:
    def twice() -> None:
        deliver(minutes=6)
        assert notice().status == "waiting"
        assert deliver(minutes=6.4) == [], "not before its time"
        deliver(minutes=6, seconds=31)

    served = received(hooked, ERROR, OK, act=twice)
    assert len({seen.headers["sluice-delivery"] for seen in served.seen}) == 1
    assert len({seen.body for seen in served.seen}) == 1
    assert (notice().status, codes(), len(served.seen)) == ("sent", ["status", 204], 2)


def test_after_six_tries_it_is_given_up_and_seen(hooked: Webhook) -> None:
    Confirmation.objects.across_tenants().update(decide_by=timezone.now() + timedelta(days=3))

    def for_hours() -> None:
        spent = timedelta(minutes=6)
        for pause in (timedelta(), *PAUSES, timedelta(hours=5)):
            spent += pause + timedelta(seconds=1)
            deliver(seconds=spent.total_seconds())

    served = received(hooked, ERROR, act=for_hours)
    assert (notice().status, len(served.seen), codes()) == ("failed", 6, ["status"] * 6)


@pytest.mark.parametrize(
    ("say", "code", "status"),
    [
        (hang_up, "network", "waiting"),
        (answer(b"", "404 Not Found"), "status", "waiting"),
        (answer(b"", "410 Gone"), "status", "failed"),
        (answer(b"", "302 Found", Location="http://127.0.0.1:1/elsewhere"), "redirect", "failed"),
        (answer(b"", "307 Temporary Redirect", Location="file:///etc/passwd"), "redirect", "failed"),
    ],
)
def test_what_does_not_arrive(hooked: Webhook, say: Say, code: str, status: str) -> None:
    """T51: a redirect is followed nowhere, so neither body nor signature go to another host."""
    served = received(hooked, say, act=lambda: deliver(minutes=6))
    assert (codes(), notice().status, served.connections) == ([code], status, 1)


def test_a_receiver_that_hangs_is_not_waited_for(hooked: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "POST_S", 0.05)
    received(hooked, silence, act=lambda: deliver(minutes=6))
    assert (codes(), notice().status) == (["timeout"], "waiting")


def test_an_answer_however_long_is_not_read(hooked: Webhook) -> None:
    served = received(hooked, answer(b"x" * 2_000_000), act=lambda: deliver(minutes=6))
    assert (codes(), len(served.seen)) == ([200], 1)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:{port}/", "http://2130706433:{port}/", "http://0x7f.1:{port}/", "http://[::ffff:7f00:1]:{port}/",
            "http://localhost:{port}/", "http://0:{port}/"],
)  # fmt: skip
def test_private_addresses_are_not_reached(hooked: Webhook, url: str) -> None:
    """T48, T49: the same guard as for tools, whatever the address is spelled like; allowed, it is reached (above)."""

    def elsewhere() -> None:
        port = Webhook.objects.get().url.split(":")[2].split("/")[0]
        Webhook.objects.update(url=url.format(port=port))
        Tenant.objects.update(egress=[])
        deliver(minutes=6)

    served = received(hooked, OK, act=elsewhere)
    assert (served.connections, codes(), notice().status) == (0, ["not_allowed"], "failed")


def test_a_webhook_that_was_switched_off_gets_nothing_more(hooked: Webhook) -> None:
    def off() -> None:
        plan(minutes=6)
        Webhook.objects.update(is_enabled=False)
        deliver(minutes=6)

    assert received(hooked, OK, act=off).connections == 0
    assert notice().status == "cancelled"


def test_it_is_sent_again_when_somebody_asks_for_it(hooked: Webhook) -> None:
    """Under the same id, also after the question was answered: the receiver may have missed it."""

    def again() -> None:
        deliver(minutes=6)
        assert not outbox.send_again(notice()), "it is tried again anyhow"
        Notice.objects.update(status="failed")
        Confirmation.objects.update(status="denied")
        assert outbox.send_again(notice())
        deliver(minutes=6)

    served = received(hooked, ERROR, OK, act=again)
    assert len({seen.headers["sluice-delivery"] for seen in served.seen}) == 1 < len(served.seen)
    assert (notice().status, codes()) == ("sent", ["status", 204])


def test_a_test_is_sent_at_once(hooked: Webhook) -> None:
    def test() -> None:
        outbox.send_test(hooked)
        deliver()

    (seen,) = received(hooked, OK, act=test).seen
    assert (json.loads(seen.body)["kind"], json.loads(seen.body)["data"]) == ("test", {})


def test_nothing_secret_is_left_behind(hooked: Webhook, caplog: pytest.LogCaptureFixture) -> None:
    """T61: neither secret nor the address's key in logs, rows of notices or audit; the answer is not kept."""
    caplog.set_level(logging.DEBUG)
    received(hooked, ERROR, hang_up, act=lambda: (deliver(minutes=6), deliver(minutes=7)))
    told = (
        caplog.text
        + repr(list(Notice.objects.across_tenants().values()))
        + repr(list(AuditEntry.objects.across_tenants().values()))
    )
    for secret in (SECRETS[hooked.pk], "canary-in-url", "canary-answer", "canary-argument"):
        assert secret not in told
    assert SECRETS[hooked.pk] not in Webhook.objects.across_tenants().get().sealed


def test_a_parcel_does_not_show_its_secret(hooked: Webhook) -> None:
    with acting_for(hooked.tenant):
        plan(minutes=6)
        now = timezone.now() + timedelta(minutes=6)
        parcel = outbox.claim(outbox.due(now)[0], now, planning.is_wanted)
    assert SECRETS[hooked.pk] not in repr(parcel)


def test_what_is_signed_after_a_new_secret_is_signed_with_it(hooked: Webhook) -> None:
    old = SECRETS[hooked.pk]
    with acting_for(hooked.tenant):
        new = outbox.renew_secret(hooked, by=None)
    (seen,) = received(hooked, OK, act=lambda: deliver(minutes=6)).seen
    now, header = int(timezone.now().timestamp()), seen.headers["sluice-signature"]
    assert is_right(header, new, seen.body, now) and not is_right(header, old, seen.body, now)


def test_a_secret_moved_from_another_webhook_does_not_open(hooked: Webhook) -> None:
    """T61: sealed text copied to another row is useless there."""
    with acting_for(hooked.tenant):
        other = make_hook("other")
        Webhook.objects.filter(pk=hooked.pk).update(sealed=other.sealed)
        Webhook.objects.filter(pk=other.pk).update(is_enabled=False)
    assert received(hooked, OK, act=lambda: deliver(minutes=6)).connections == 0
    assert (codes(), notice().status) == (["secret"], "failed")
