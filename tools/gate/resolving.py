"""`resolve`: a person says what nobody knows of a call: it was done, it was not, or send it once more (same key).

Whoever asked may not settle a CRITICAL call of their own, whatever their role: they would be the only witness (four
eyes). The first word counts; what was said, by whom and why, stands in the call's result and in the audit log.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, assert_never

from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from platform_site import ledger, lifecycle
from platform_site.access import Actor
from platform_site.models import Membership
from tools import catalogue
from tools.gate import telling
from tools.gate.claiming import SLACK
from tools.gate.noting import note_about, note_call
from tools.gate.reviewers import may_review
from tools.gate.values import Refused
from tools.jobs import queueing
from tools.models import CALL_ARROWS, CallStatus, Risk, Tool, ToolCall
from tools.schema_words import Text
from tools.spec import ToolSpec
from tools.strictjson import storable_json
from tools.words import said

LONGEST_NOTE = 1_000
What = Literal["happened", "did_not", "retry"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was said is written down. A call that is sent again is claimed: whoever takes it up next executes it."""

    status: CallStatus


def resolve(log: ledger.Log, call: ToolCall, actor: Actor, what: What, note: str) -> Resolved | Refused:
    """Settle a call whose outcome is unknown, inside the transaction `log` writes; `call` is read afresh."""
    stored = ToolCall.objects.filter(topic=log.topic).select_related("version", "requester")
    try:
        call.refresh_from_db(from_queryset=stored)
    except ToolCall.DoesNotExist:
        return Refused("not_found", _("There is no such call."))
    note = note.strip()[:LONGEST_NOTE]
    refused = _may_not(call, actor) or _not_so(call, what, note)
    if refused:
        return refused
    match what:
        case "happened":
            return _say(log, call, actor, note, CallStatus.SUCCEEDED)
        case "did_not":
            return _say(log, call, actor, note, CallStatus.FAILED)
        case "retry":
            return _send_again(log, call, actor, note)
        case _:
            assert_never(what)


def blocked(call: ToolCall, actor: Actor) -> Text:
    """Why this person may not say how the call ended; "" when they may."""
    if call.risk == Risk.CRITICAL and call.requester_id == actor.user.pk:
        return gettext_lazy("You asked for this yourself, and it is critical: somebody else has to look.")
    if call.version is not None and not may_review(actor.user, catalogue.spec_of(call.version)):
        return gettext_lazy("Calls of this tool are for its own group of reviewers.")
    return ""


def can_be_sent_again(spec: ToolSpec) -> bool:
    """Whether the tool's backend takes the same key twice as one order."""
    return spec.idempotent or spec.read_only


def _may_not(call: ToolCall, actor: Actor) -> Refused | None:
    if not actor.can_review:
        return Refused("not_found", _("There is no such call."))
    reason = blocked(call, actor)
    return Refused("forbidden", said(reason)) if reason else None


def _not_so(call: ToolCall, what: What, note: str) -> Refused | None:
    if call.status != CallStatus.UNKNOWN or call.version is None:
        return Refused("conflict", _("Somebody has settled this already."))
    if not note:
        return Refused("bad_request", _("Say how you know: whoever reads this later has to understand it."))
    if what != "retry":
        return None
    spec = catalogue.spec_of(call.version)
    if not can_be_sent_again(spec):
        return Refused("bad_request", _("This tool could do it twice, so it cannot be sent again."))
    return _not_now(call, spec)


def _not_now(call: ToolCall, spec: ToolSpec) -> Refused | None:
    """What no longer stands since the call was sent; it is for who asked then, with the tool as it was."""
    if not Tool.objects.filter(pk=spec.tool, is_enabled=True, current=spec.version).exists():
        return Refused("conflict", _("The tool has been switched off or changed since."))
    members = Membership.objects.filter(user=call.requester, is_active=True, user__is_active=True)
    if not members.exists():
        return Refused("conflict", _("The person it was for may not use tools here any more."))
    return None


def _say(log: ledger.Log, call: ToolCall, actor: Actor, note: str, status: CallStatus) -> Resolved | Refused:
    told = _told(call, actor, note, done=status == CallStatus.SUCCEEDED)
    if not lifecycle.move(call, CallStatus.UNKNOWN, status, CALL_ARROWS, result=storable_json(told)):
        return Refused("conflict", _("Somebody has settled this already."))
    _note(call, actor, "happened" if status == CallStatus.SUCCEEDED else "did_not", note)
    telling.tell_result(log, call)
    return Resolved(status)


def _told(call: ToolCall, actor: Actor, note: str, *, done: bool) -> dict[str, Any]:
    """The call's result from now on: what the model and the person who asked read instead of "unknown"."""
    resolved = _resolved(actor, "happened" if done else "did_not", note)
    words = (
        gettext_lazy("{who} looked into it: it was done. {note}")
        if done
        else gettext_lazy("{who} looked into it: it was not done. {note}")
    )
    words_said = telling.for_person(call.requester, format_lazy(words, who=str(actor.user), note=note))
    if done:
        message = f"A person looked into it: it was done. Do not call it again. They said: {note}"
        content = telling.as_answer("SUCCEEDED", message=message)
        return {"content": content, "warnings": [words_said], "resolved": resolved}
    error = {"code": "not_done", "message": words_said}
    message = f"A person looked into it: it was not done. They said: {note}"
    content = telling.as_answer("FAILED", error={"code": "not_done", "message": message})
    return {"content": content, "error": error, "resolved": resolved}


def _send_again(log: ledger.Log, call: ToolCall, actor: Actor, note: str) -> Resolved | Refused:
    """Claimed once more: the next run of the conversation repeats it, as it repeats what a crash left behind; a queue
    worker does, where one was to do it before."""
    assert call.version is not None
    now, spec = timezone.now(), catalogue.spec_of(call.version)
    in_background = spec.run == "background"
    give_up_at = None if in_background else now + timedelta(seconds=2 * spec.timeout_s) + SLACK
    values: dict[str, Any] = {"claimed_at": now, "give_up_at": give_up_at, "settled_at": None}
    values |= {"result": {"content": telling.NOT_RUN, "resolved": _resolved(actor, "retry", note)}}
    if not lifecycle.move(call, CallStatus.UNKNOWN, CallStatus.CLAIMED, CALL_ARROWS, **values):
        return Refused("conflict", _("Somebody has settled this already."))
    _note(call, actor, "retry", note)
    telling.tell_status(log, call, CallStatus.CLAIMED, actor.user, reason=note)
    if in_background:
        queueing.put(log, call, spec)
    return Resolved(CallStatus.CLAIMED)


def _resolved(actor: Actor, what: What, note: str) -> dict[str, str]:
    who = {"by": actor.user.pk, "name": str(actor.user)}
    return {"what": what, **who, "note": note, "at": telling.iso(timezone.now())}


def _note(call: ToolCall, actor: Actor, what: What, note: str) -> None:
    note_about("call.looked_into", call, by=actor.user, what=what, note=note)
    note_call(call, by=actor.user)
