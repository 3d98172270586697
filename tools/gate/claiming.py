"""`claim`: the one step after which a tool's effect may happen. What was true at the yes must be true now."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, Exists, F, Q
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from platform_site import ledger, lifecycle
from platform_site.models import Membership
from tools import catalogue
from tools.gate import holding, telling
from tools.gate.noting import note_call
from tools.gate.reviewers import reviewers_of
from tools.gate.settling import answer_call, settle
from tools.gate.values import AskedAgain, Claimed, Lapsed, Lost, Queued, Shown
from tools.jobs import queueing
from tools.models import CALL_ARROWS, CallStatus, Confirmation, ConfirmationStatus, Tool, ToolCall
from tools.outcome import Failed
from tools.schema_words import Text
from tools.spec import ToolSpec

SLACK = timedelta(seconds=30)
"""Beyond a tool's own time limit (and one retry), before a claimed call counts as lost."""
SECONDS_IN = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def claim(
    log: ledger.Log, call: ToolCall, shown: Shown | None = None
) -> Claimed | Queued | Lapsed | AskedAgain | Lost:
    """Move a cleared or approved call to claimed, if everything still holds; `call` is read afresh.

    Holds: the digest of what is stored is the one that was approved; the tool is enabled and unchanged; the tenant,
    the requester and everybody who approved still may; it is not too late. Otherwise the call lapses and the model
    is told. Of several claimers one gets `Claimed`, or `Queued` where the queue does it. `shown`: the preview of an
    approved call that had one, taken just now; if it shows something else, people are asked again.
    """
    stored = ToolCall.objects.filter(topic=log.topic).select_related("version", "requester")
    try:
        call.refresh_from_db(from_queryset=stored)
    except ToolCall.DoesNotExist:
        return Lost()
    if call.version is None or call.status not in (CallStatus.CLEARED, CallStatus.APPROVED):
        return Lost()
    if call.status == CallStatus.CLEARED:
        reason = _changed(call)
        return (
            lapse(log, call, reason) if reason else claim_cleared(log, call, catalogue.spec_of(call.version))
        )
    return _claim_approved(log, call, catalogue.spec_of(call.version), shown)


def _claim_approved(
    log: ledger.Log, call: ToolCall, spec: ToolSpec, shown: Shown | None
) -> Claimed | Queued | Lapsed | AskedAgain | Lost:
    question = Confirmation.objects.filter(call=call).first()
    if reason := _not_approved(call, question) or not_now(call, spec):
        return lapse(log, call, reason)
    assert question is not None
    if question.preview is not None:
        if shown is None:
            return lapse(log, call, _("It could not be shown again what it would do."))
        if telling.digest_of(call, shown.value) != question.digest:
            return AskedAgain() if holding.ask_again(log, call, question, shown.value) else Lost()
    return claim_cleared(log, call, spec)


def claim_cleared(log: ledger.Log, call: ToolCall, spec: ToolSpec) -> Claimed | Queued | Lapsed | Lost:
    """`claim` for a call this transaction has just proposed or read: one check, one update."""
    now = timezone.now()
    old = call.status
    reason = not_now(call, spec)
    if reason:
        return lapse(log, call, reason)
    if spec.rate_limit and _too_often(spec, now):
        return _limit(log, call, spec)
    in_background = spec.run == "background"
    give_up_at = None if in_background else now + timedelta(seconds=2 * spec.timeout_s) + SLACK
    if not lifecycle.move(call, old, CallStatus.CLAIMED, CALL_ARROWS, claimed_at=now, give_up_at=give_up_at):
        return Lost()
    note_call(call)
    if old == CallStatus.APPROVED:
        telling.tell_status(log, call, CallStatus.CLAIMED)
    if in_background:
        queueing.put(log, call, spec)
        return Queued(call)
    return Claimed(call, spec)


def may_repeat(call: ToolCall) -> bool:
    """Whether a claimed call that nobody settled may be carried out again under the same key."""
    if call.status != CallStatus.CLAIMED or call.version is None:
        return False
    spec = catalogue.spec_of(call.version)
    in_time = call.give_up_at is None or call.give_up_at > timezone.now()
    return in_time and (spec.idempotent or spec.read_only)


def _not_approved(call: ToolCall, confirmation: Confirmation | None) -> Text:
    """Why the approval of this call does not count, if it does not."""
    if confirmation is None or confirmation.status != ConfirmationStatus.APPROVED:
        return _("It was not approved.")
    if not (call.digest == confirmation.digest == telling.digest_of(call, confirmation.preview)):
        return _("What is stored is not what was approved.")
    if confirmation.execute_by is None or confirmation.execute_by <= timezone.now():
        return _("It was approved, but not carried out in time.")
    return (
        "" if _still_approved(call, confirmation) else _("Somebody who approved it may not do so any more.")
    )


def _changed(call: ToolCall) -> Text:
    return "" if call.digest == telling.digest_of(call) else _("What is stored is not what was checked.")


def _still_approved(call: ToolCall, confirmation: Confirmation) -> bool:
    """Every yes of a reviewer comes from who may review this tool now. The requester is checked for every call."""
    assert call.version is not None
    able = reviewers_of(catalogue.spec_of(call.version)).values("user")
    votes = confirmation.votes.filter(decision="approve", digest=confirmation.digest).aggregate(
        reviewers=Count("pk", filter=Q(part="reviewer", user__in=able)),
        user=Count("pk", filter=Q(part="user", user=F("confirmation__call__requester"))),
    )
    enough = votes["reviewers"] >= confirmation.votes_needed if "reviewer" in confirmation.by else True
    return enough and (votes["user"] == 1 if "user" in confirmation.by else True)


def not_now(call: ToolCall, spec: ToolSpec) -> Text:
    """Why tool, tenant or requester do not allow it now, in one query."""
    members = Membership.objects.filter(user=call.requester_id, is_active=True, user__is_active=True)
    found = (
        Tool.objects.filter(pk=spec.tool)
        .values("is_enabled", "current_id", "current__number", "tenant__is_active")
        .annotate(is_member=Exists(members))
        .first()
    )
    if found is None or not found["is_enabled"]:
        return _("The tool has been switched off.")
    if not found["tenant__is_active"] or not found["is_member"]:
        return _("The person it was for may not use tools here any more.")
    if found["current_id"] != call.version_id:
        before = call.version.number if call.version else "?"
        words = _("The tool was changed since (version {before}, now {now}). Ask again.")
        return format_lazy(words, before=before, now=found["current__number"])
    return ""


def lapse(log: ledger.Log, call: ToolCall, reason: Text) -> Lapsed | Lost:
    """A cleared or approved call ends without running; the model is told why."""
    was_approved = call.status == CallStatus.APPROVED
    if not lifecycle.move(call, call.status, CallStatus.LAPSED, CALL_ARROWS):
        return Lost()
    note_call(call, why=telling.in_english(reason))
    if was_approved:
        telling.tell_status(log, call, CallStatus.LAPSED, reason=telling.for_person(call.requester, reason))
    answer_call(log, call, "lapsed", format_lazy(_("It was not done. {reason}"), reason=reason))
    return Lapsed(telling.in_english(reason))


def _too_often(spec: ToolSpec, now: datetime) -> bool:
    """Whether the tool ran as often as it may. Its row is locked, so that two claims cannot both be the last."""
    most, _slash, per = spec.rate_limit.partition("/")
    Tool.objects.select_for_update().only("pk").get(pk=spec.tool)
    since = now - timedelta(seconds=SECONDS_IN[per])
    return ToolCall.objects.filter(version__tool=spec.tool, claimed_at__gt=since).count() >= int(most)


def _limit(log: ledger.Log, call: ToolCall, spec: ToolSpec) -> Lapsed | Lost:
    """The call ends as failed, without having counted as a use."""
    if not lifecycle.move(call, call.status, CallStatus.CLAIMED, CALL_ARROWS):
        return Lost()
    note_call(call)
    words = _("{name} may be used only so often ({limit}), and has been. Try later.")
    message = format_lazy(words, name=spec.name, limit=spec.rate_limit)
    settle(log, call, Failed("rate_limited", message))
    return Lapsed(telling.in_english(message))
