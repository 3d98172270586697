"""What comes before a question to people: a standing yes, an earlier no, too many questions, a preview to be taken."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from platform_site.models import User
from tools import catalogue, policy
from tools.canonical import digest
from tools.gate import granting, telling
from tools.gate.judging import Judgement
from tools.models import CallStatus, ConfirmationStatus, ToolCall, Vote
from tools.schema_words import Text
from tools.spec import ToolSpec

PARKED = {"name": "unattended"}
"""Of a call that nobody was there to be asked about: it waits while its conversation goes on."""
MOST_WAITING = 20
"""Calls of one person that may wait for reviewers at a time."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a call is asked for. `spoke_at`: when the person last wrote; `tried`: it is tried out, to be looked at;
    `unattended`: nobody is there to be asked; `others_spoke`: not only the requester's words are answered."""

    topic: str
    spoke_at: datetime | None = None
    tried: bool = False
    unattended: bool = False
    others_spoke: bool = False


def is_parked(call: ToolCall) -> bool:
    """Nobody was there when it was asked for: its question waits, and holds up nothing."""
    return PARKED in call.flags


def likeness_of(version: str, arguments: object) -> str:
    """The same for every call of this version with these arguments."""
    return digest({"version": version, "arguments": arguments})


def consider(spec: ToolSpec, judged: Judgement, user: User, place: Place) -> None:
    """Change the judgement of a call that would be held, if nobody has to be asked, or nobody may be; and of one that
    would change something unasked, if it was denied before.

    A no comes before a standing yes: that was given for other calls, this one was denied.
    """
    match judged.status:
        case CallStatus.HELD:
            _consider_held(spec, judged, user, place)
        case CallStatus.CLEARED if not spec.read_only:
            # It was asked about when it came in another way, written into a text for example.
            if reason := _not_again(spec, judged, user, place):
                _refuse(judged, reason)


def _consider_held(spec: ToolSpec, judged: Judgement, user: User, place: Place) -> None:
    assert judged.arguments is not None
    if place.unattended:
        judged.flags.append(PARKED)
    reason = _not_again(spec, judged, user, place)
    may_grant = not (reason or place.tried or place.unattended or place.others_spoke)
    if may_grant and (grant := granting.use(spec, user, judged)):
        judged.status = CallStatus.CLEARED
        judged.flags.append({"name": "granted", "detail": grant})
    elif reason := reason or _too_many(spec, judged, user):
        _refuse(judged, reason)
    elif spec.preview:
        judged.status = CallStatus.PROPOSED


def _refuse(judged: Judgement, reason: Text) -> None:
    judged.status = CallStatus.REFUSED
    judged.reasons = [*judged.reasons, reason]
    judged.answer = telling.as_answer("REFUSED", message=telling.in_english(reason))


def _not_again(spec: ToolSpec, judged: Judgement, user: User, place: Place) -> Text:
    """A no holds: a reviewer's for the conversation, that of the person who asked until they write again."""
    likeness = likeness_of(spec.version, judged.arguments)
    denied = ToolCall.objects.filter(topic=place.topic, status=CallStatus.DENIED, likeness=likeness)
    by_reviewer = Vote.objects.filter(confirmation__call=OuterRef("pk"), decision="reject", part="reviewer")
    said = denied.annotate(by_reviewer=Exists(by_reviewer))
    noes = list(said.values_list("by_reviewer", "requester", "confirmation__decided_at"))
    if any(by_reviewer for by_reviewer, _requester, _when in noes):
        return _("A reviewer has said no to exactly this in this conversation.")
    since = place.spoke_at
    if since and any(requester == user.pk and when and when > since for _reviewer, requester, when in noes):
        return _("The person has just said no to exactly this.")
    return ""


def _too_many(spec: ToolSpec, judged: Judgement, user: User) -> Text:
    if not policy.needs_reviewer(policy.policy_for(spec, judged.risk).by):  # type: ignore[arg-type]
        return ""
    waiting = ToolCall.objects.filter(
        requester=user, status=CallStatus.HELD, confirmation__status=ConfirmationStatus.PENDING,
        confirmation__by__contains="reviewer",
    )  # fmt: skip
    if waiting.count() + _soon_waiting(user) < MOST_WAITING:
        return ""
    return _("Too many calls of this person wait for a reviewer already. Wait until some are decided.")


def _soon_waiting(user: User) -> int:
    """Calls that wait for a reviewer as soon as it is known what they would do: many may come in one reply."""
    shown_first = ToolCall.objects.filter(requester=user, status=CallStatus.PROPOSED, version__isnull=False)
    asked = [
        policy.policy_for(catalogue.spec_of(call.version), call.risk)  # type: ignore[arg-type]
        for call in shown_first.select_related("version")
        if call.version
    ]
    return sum(policy.needs_reviewer(one.by) for one in asked)
