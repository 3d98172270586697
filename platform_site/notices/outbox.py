"""The verbs over notices: claim what is due, write down how a try ended, have one sent again. Any number of processes.

A claim is a lease of a minute: whoever dies between claim and answer leaves a notice that is sent again under the same
delivery id, so that a receiver can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, assert_never

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from platform_site import audit, lifecycle, secrets
from platform_site.ids import new_id
from platform_site.models import Tenant, User
from platform_site.notices import when
from platform_site.notices.models import NOTICE_ARROWS, Channel, Notice, NoticeKind, NoticeStatus, Webhook
from platform_site.notices.signature import new_secret
from platform_site.notices.wire import body_of
from platform_site.notices.words import Mail, mail_about
from platform_site.tenancy import acting_for

S = NoticeStatus
LEASE = timedelta(seconds=60)
LOOKED_AT = 50
KEPT_TRIES = 20
Wanted = Callable[[Notice], bool]


@dataclass(frozen=True, slots=True)
class Parcel:
    """A notice that this process sends now, with all it takes. `attempt` tells this claim from later ones."""

    notice: str
    tenant: str
    attempt: int
    kind: str


@dataclass(frozen=True, slots=True)
class MailParcel(Parcel):
    to: str
    mail: Mail = field(repr=False)


@dataclass(frozen=True, slots=True)
class WebhookParcel(Parcel):
    webhook: str
    url: str = field(repr=False)
    secret: str = field(repr=False)
    body: bytes = field(repr=False)
    egress: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrived:
    ms: int = 0
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Missed:
    """`code`: one of `words.ERRORS`. `final`: another try would end the same."""

    code: str
    ms: int = 0
    status: int | None = None
    final: bool = False


Outcome = Arrived | Missed


def due(now: datetime, full: Collection[str] = ()) -> list[Notice]:
    """What is to be sent, also what a dead process was sending; nothing for the webhooks in `full`."""
    rows = Notice.objects.across_tenants().filter(tenant__is_active=True)
    ready = Q(status=S.WAITING, due_at__lte=now) | Q(status=S.SENDING, lease_until__lte=now)
    free = Q(webhook=None) | ~Q(webhook__in=list(full))
    return list(rows.filter(ready & free).order_by("due_at", "pk")[:LOOKED_AT])


def claim(notice: Notice, now: datetime, wanted: Wanted) -> Parcel | None:
    """Take a notice on; None when somebody else has it, or it is of no use any more."""
    with acting_for(notice.tenant_id or ""), transaction.atomic():
        row = _locked(notice.pk)
        if row is None or not _is_free(row, now):
            return None
        if not (row.is_forced or wanted(row)) or not _can_be_sent(row):
            lifecycle.move(row, S.WAITING, S.CANCELLED, NOTICE_ARROWS)
            return None
        taken = {"attempts": row.attempts + 1, "lease_until": now + LEASE}
        if not lifecycle.move(row, S.WAITING, S.SENDING, NOTICE_ARROWS, **taken):
            return None
        return _packed(row, now)


def _locked(pk: str) -> Notice | None:
    rows = Notice.objects.select_for_update(of=("self",)).select_related("recipient", "webhook", "tenant")
    return rows.filter(pk=pk).first()


def _is_free(row: Notice, now: datetime) -> bool:
    """Whether it waits. One whose sender died waits again, or is given up after the last try."""
    if row.status == S.SENDING and row.lease_until and row.lease_until <= now:
        _end_try(row, Missed("interrupted"), now, again_at=now)
    return row.status == S.WAITING and row.due_at <= now


def _can_be_sent(row: Notice) -> bool:
    if row.channel == Channel.WEBHOOK:
        return row.webhook is not None and row.webhook.is_enabled
    return row.recipient is not None and row.recipient.is_active


def _packed(row: Notice, now: datetime) -> Parcel | None:
    same: dict[str, Any] = {
        "notice": row.pk, "tenant": row.tenant_id, "attempt": row.attempts, "kind": row.kind
    }  # fmt: skip
    if row.recipient:
        mail = mail_about(row.kind, row.data, row.recipient, row.tenant, now)
        return MailParcel(**same, to=row.recipient.email, mail=mail)
    assert row.webhook is not None
    try:
        secret = secret_of(row.webhook)
    except secrets.CannotOpen:
        _end_try(row, Missed("secret", final=True), now)
        return None
    egress = tuple(entry for entry in row.tenant.egress if isinstance(entry, str))
    return WebhookParcel(
        **same, webhook=row.webhook.pk, url=row.webhook.url, secret=secret, body=body_of(row), egress=egress
    )


def settle(parcel: Parcel, outcome: Outcome, now: datetime) -> bool:
    """Write down how a try ended; False when the notice is not this claim's any more."""
    with acting_for(parcel.tenant), transaction.atomic():
        row = _locked(parcel.notice)
        if row is None or (row.status, row.attempts) != (S.SENDING, parcel.attempt):
            return False
        return _end_try(row, outcome, now)


def _end_try(row: Notice, outcome: Outcome, now: datetime, again_at: datetime | None = None) -> bool:
    """Move a notice that is being sent to what comes after this try."""
    said: dict[str, Any] = {
        "at": now.isoformat(timespec="seconds"),
        "ms": outcome.ms,
        "status": outcome.status,
    }
    match outcome:
        case Arrived():
            new, values = S.SENT, {"sent_at": now}
        case Missed(code=code, final=final):
            said["error"] = code
            again = None if final else when.next_try(row.attempts, now)
            new = S.WAITING if again else S.FAILED
            values = {"due_at": again_at or again} if again else {}
        case _:
            assert_never(outcome)
    tries = [*row.tries, said][-KEPT_TRIES:]
    return lifecycle.move(row, S.SENDING, new, NOTICE_ARROWS, tries=tries, lease_until=None, **values)


# What whoever configures does


def context_of(webhook: Webhook) -> str:
    """The place a webhook's secret belongs to."""
    return f"{webhook.tenant_id}:webhook:{webhook.pk}:secret"


def secret_of(webhook: Webhook) -> str:
    """Raises `secrets.CannotOpen` when it was sealed under a key that is not here."""
    return secrets.open_sealed(webhook.sealed, context_of(webhook))


def renew_secret(webhook: Webhook, *, by: User | None, secret: str = "") -> str:
    """A new secret, ours or the one that is given, told this once. What is sent from now on is signed with it alone."""
    secret = secret or new_secret()
    with audit.recording():
        webhook.sealed = secrets.seal(secret, context_of(webhook))
        webhook.save(update_fields=["sealed", "updated_at"])
        audit.note("webhook.secret_made", webhook, by=by)
    return secret


def send_test(webhook: Webhook) -> Notice:
    """Something to be sent at once, whose way can be watched."""
    return Notice.objects.create(
        kind=NoticeKind.TEST, channel=Channel.WEBHOOK, webhook=webhook, key=new_id(), due_at=timezone.now()
    )


def send_again(notice: Notice) -> bool:
    """Have one sent once more under its delivery id; False while it is on its way anyhow.

    A webhook gets it whatever has become of what it tells; a person only while it is of use to them.
    """
    with transaction.atomic():
        row = _locked(notice.pk)
        if row is None or row.status not in (S.SENT, S.FAILED, S.CANCELLED):
            return False
        anew = {"attempts": 0, "due_at": timezone.now(), "is_forced": row.channel == Channel.WEBHOOK}
        return lifecycle.move(row, row.status, S.WAITING, NOTICE_ARROWS, **anew)


def set_wait(tenant: Tenant, seconds: int, *, by: User | None) -> None:
    """After how many seconds people are told of what still waits."""
    with audit.recording():
        before = Tenant.objects.select_for_update().values_list("notify_after_s", flat=True).get(pk=tenant.pk)
        Tenant.objects.filter(pk=tenant.pk).update(notify_after_s=seconds)
        audit.note("notices.changed", tenant, by=by, was=before, now=seconds)
