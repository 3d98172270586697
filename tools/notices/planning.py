"""Which notices there are to be: found from the questions that wait, so that asking one costs nothing more.

Each question is told of once a stage: whose answer is waited for, about which digest. Any number of processes may plan;
a notice that two of them make is stored once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.urls import reverse

from platform_site import lifecycle
from platform_site.models import Membership, Tenant, User
from platform_site.notices import when
from platform_site.notices.models import NOTICE_ARROWS, Channel, Notice, NoticeKind, NoticeStatus, Webhook
from platform_site.tenancy import acting_for
from tools import catalogue
from tools.gate import telling
from tools.gate.reviewers import reviewers_of
from tools.models import CallStatus, Confirmation, ConfirmationStatus, Vote
from tools.spec import ToolSpec

AT_ONCE = 200
"""Questions told of in one round; the rest a round later."""
KINDS = (NoticeKind.CONFIRMATION_WAITING, NoticeKind.CONFIRMATION_EXPIRING)


@dataclass(frozen=True, slots=True)
class Stage:
    """A question as it waits now, and which kind of notice is due about it."""

    question: str
    tenant: str
    digest: str
    part: str
    kind: str


def plan(now: datetime) -> int:
    """Make the notices that are due, and take back those that nobody needs any more; returns how many were made."""
    made = sum(_tell(stage, now) for stage in list(_due(now))[:AT_ONCE])
    _take_back()
    return made


def _due(now: datetime) -> Iterator[Stage]:
    columns = ("pk", "tenant_id", "digest", "part", "since", "decide_by", "tenant__notify_after_s",
               "was_waiting", "was_expiring")  # fmt: skip
    rows = _waiting(now).values_list(*columns).iterator()
    for pk, tenant, digest, part, since, until, wait, was_waiting, was_expiring in rows:
        times = when.times(since, until, timedelta(seconds=wait))
        came = [kind for kind, at in times.items() if at <= now]
        # Where both have come, because nobody looked for a while, the reminder says it all.
        if came and came[-1] not in _told(was_waiting, was_expiring):
            yield Stage(pk, tenant, digest, part, came[-1])


def _told(was_waiting: bool, was_expiring: bool) -> set[str]:
    return {kind for kind, is_told in zip(KINDS, (was_waiting, was_expiring), strict=True) if is_told}


def _waiting(now: datetime) -> QuerySet[Confirmation, Any]:
    """The questions somebody may still answer, with whose turn it is, since when, and what was told of that."""
    for_user = When(Q(by__startswith="user", user_approved=False), then=Value("user"))
    votes = Vote.objects.across_tenants().filter(confirmation=OuterRef("pk")).order_by("-created_at")
    told = Notice.objects.across_tenants().filter(
        about=OuterRef("pk"), digest=OuterRef("digest"), part=OuterRef("part")
    )
    rows = Confirmation.objects.across_tenants().filter(
        status=ConfirmationStatus.PENDING, call__status=CallStatus.HELD, decide_by__gt=now, tenant__is_active=True
    )  # fmt: skip
    return rows.annotate(
        part=Case(for_user, default=Value("reviewer")),
        since=Coalesce(Subquery(votes.values("created_at")[:1]), F("created_at")),
        was_waiting=Exists(told.filter(kind=KINDS[0])), was_expiring=Exists(told.filter(kind=KINDS[1])),
    ).exclude(was_expiring=True).order_by("decide_by", "pk")  # fmt: skip


def _tell(stage: Stage, now: datetime) -> int:
    with acting_for(stage.tenant), transaction.atomic():
        rows = Confirmation.objects.select_related("call__version", "call__requester", "tenant")
        question = rows.filter(pk=stage.question, digest=stage.digest).first()
        if question is None or not is_open(question, stage.part) or question.call.version is None:
            return 0
        notices = list(_notices(stage, question, catalogue.spec_of(question.call.version), now))
        Notice.objects.bulk_create(notices, ignore_conflicts=True)
        return len(notices)


def _notices(stage: Stage, question: Confirmation, spec: ToolSpec, now: datetime) -> Iterator[Notice]:
    """One for each receiver; where there is none, one that says so, for the log and as a mark that it was looked at."""
    same: dict[str, Any] = {
        "kind": stage.kind, "about": stage.question, "digest": stage.digest, "part": stage.part, "due_at": now,
        "data": _data(stage.part, question, spec),
    }  # fmt: skip
    people = [one.user for one in deciders(question, spec, stage.part) if one.mail_notices]
    hooks = [hook for hook in Webhook.objects.filter(is_enabled=True) if stage.kind in hook.kinds]
    for user in people:
        yield Notice(**same, channel=Channel.MAIL, recipient=user, key=_key(stage, user.pk))
    for hook in hooks:
        yield Notice(**same, channel=Channel.WEBHOOK, webhook=hook, key=_key(stage, hook.pk))
    if not (people or hooks):
        yield Notice(**same, channel=Channel.NONE, status=NoticeStatus.NOBODY, key=_key(stage, ""))


def _key(stage: Stage, receiver: str) -> str:
    told = (stage.question, stage.digest, stage.part, stage.kind, receiver)
    return sha256("\n".join(told).encode()).hexdigest()


def deciders(question: Confirmation, spec: ToolSpec, part: str) -> list[Membership]:
    """Who may give this part of the answer: who asked, or the reviewers of the tool who have not said yes yet."""
    requester = question.call.requester_id
    if part == "user":
        able = Membership.objects.filter(is_active=True, user__is_active=True, user=requester)
        return list(able.select_related("user"))
    voted = question.votes.filter(digest=question.digest).values("user")
    able = reviewers_of(spec).exclude(user=requester).exclude(user__in=voted)
    return list(able.select_related("user").order_by("pk"))


def _data(part: str, question: Confirmation, spec: ToolSpec) -> dict[str, Any]:
    """What is told: never the arguments."""
    call = question.call
    return {
        "confirmation": question.pk, "tool": call.name, "title": telling.labels(spec, "title", None),
        "risk": call.risk, "requester": _called(call.requester), "waits_for": part,
        "decide_by": telling.iso(question.decide_by), "path": _path(part, question, question.tenant),
    }  # fmt: skip


def _called(user: User | None) -> str:
    return str(user) if user else "–"


def _path(part: str, question: Confirmation, tenant: Tenant) -> str:
    """Where one decides: reviewers in the queue; who asked, where they asked."""
    if part == "reviewer":
        return reverse("queue:question", args=[tenant.slug, question.pk])
    call = question.call
    if call.run:
        return reverse("conversation", args=[tenant.slug, call.topic])
    return reverse("review:try", args=[tenant.slug, call.pk])


# Whether it is still of use


def is_wanted(notice: Notice) -> bool:
    """Whether what a notice tells is still so, and its receiver one who may decide. Acting for its tenant."""
    if notice.kind not in KINDS:
        return True
    rows = Confirmation.objects.select_related("call__version").filter(pk=notice.about, digest=notice.digest)
    question = rows.first()
    if question is None or not is_open(question, notice.part) or question.call.version is None:
        return False
    if notice.channel == Channel.WEBHOOK:
        return True
    may = deciders(question, catalogue.spec_of(question.call.version), notice.part)
    return any(one.user_id == notice.recipient_id and one.mail_notices for one in may)


def is_open(question: Confirmation, part: str) -> bool:
    """Whether this part of the answer is waited for."""
    waits_for_user = question.by.startswith("user") and not question.user_approved
    is_held = question.status == ConfirmationStatus.PENDING and question.call.status == CallStatus.HELD
    return is_held and part == ("user" if waits_for_user else "reviewer")


def _take_back() -> None:
    """Cancel what was not sent and is about a question that was answered, ran out, or asks something else by now."""
    there = Confirmation.objects.across_tenants().filter(
        pk=OuterRef("about"), digest=OuterRef("digest"), status=ConfirmationStatus.PENDING
    )
    waiting = Notice.objects.across_tenants().filter(
        status=NoticeStatus.WAITING, kind__in=KINDS, is_forced=False
    )
    for notice in waiting.filter(~Exists(there)).order_by("pk")[:AT_ONCE]:
        with acting_for(notice.tenant_id or ""):
            lifecycle.move(notice, NoticeStatus.WAITING, NoticeStatus.CANCELLED, NOTICE_ARROWS)
