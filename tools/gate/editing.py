"""Edit and approve: who decides may put other arguments in the place of those that wait; everything is checked again.

What was asked for first stays in `proposed_arguments`. A yes counts for what it was said to: with the new digest every
earlier yes is void, and whoever gave it is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from platform_site import ledger, lifecycle
from platform_site.access import Actor
from platform_site.models import Membership
from tools import catalogue
from tools.canonical import digest
from tools.gate import attempting, holding, telling
from tools.gate.before_asking import PARKED, is_parked, likeness_of
from tools.gate.judging import Given, Judgement, carried_by, judge
from tools.gate.noting import note_about
from tools.gate.values import PREPARE_WITHIN, Refused, Requester
from tools.models import CALL_ARROWS, CallStatus, Confirmation, ToolCall
from tools.risk import higher
from tools.spec import ToolSpec
from tools.words import errors_as_json


def differs(call: ToolCall, given: Mapping[str, Any] | None) -> bool:
    """Whether these are other arguments than those that wait."""
    return given is not None and digest(dict(given)) != digest(call.arguments)


def edit(
    log: ledger.Log, confirmation: Confirmation, actor: Actor, given: Mapping[str, Any]
) -> Refused | bool:
    """Put `given` in the place of the arguments that wait. Refused, or whether the editor's yes may count at once.

    It may not when what would be done has to be shown first, or the new arguments ask for a stricter ceremony.
    """
    call = confirmation.call
    assert call.version is not None and call.requester is not None
    spec = catalogue.spec_of(call.version)
    written, outside = attempting.was_written(call), carried_by(call)
    judged = judge(
        spec, Given(given, call.topic, _requester(call), timezone.now(), written=written, outside=outside)
    )
    if judged.rejected:
        detail = _("These arguments are not right.")
        return Refused("invalid_arguments", detail, errors=errors_as_json(judged.rejected.errors))
    before = call.digest
    stricter = _rewrite(confirmation, spec, judged, actor)
    if spec.preview:
        _prepare_again(confirmation)
    else:
        _ask_about(confirmation)
    note_about("call.edited", call, by=actor.user, before=before)
    with telling.words_for(call.requester):
        telling.tell_checked(log, call, spec, None if spec.preview else confirmation, [])
    return not (spec.preview or stricter)


def _requester(call: ToolCall) -> Requester:
    """On whose behalf the call is: its requester, in the role they have now."""
    assert call.requester is not None
    role = Membership.objects.filter(user=call.requester).values_list("role", flat=True).first()
    return Requester(call.requester, role or "")


def _rewrite(confirmation: Confirmation, spec: ToolSpec, judged: Judgement, actor: Actor) -> bool:
    """The call takes the new arguments; the risk never falls. Whether it now takes more to say yes."""
    call = confirmation.call
    if call.proposed_arguments is None:
        call.proposed_arguments = call.arguments
    call.arguments, call.likeness = judged.arguments, likeness_of(spec.version, judged.arguments)
    parked = [PARKED] if is_parked(call) else []
    call.flags = [*judged.flags, *parked, {"name": "edited", "detail": str(actor.user)}]
    call.risk = higher(call.risk, judged.risk or spec.risk)  # type: ignore[arg-type]  # Risk's values are RiskLevel's
    call.reasons = [*call.reasons, *_new_reasons(call, judged)]
    asks = holding.what_it_takes(call, spec)
    # Whoever is asked now has the time that such a question gives, not what the one before had left.
    until = timezone.now() + timedelta(seconds=asks.decide_within_s)
    confirmation.decide_by = max(confirmation.decide_by, until)
    before = (confirmation.by, confirmation.proof, confirmation.votes_needed)
    if (asks.by, asks.proof, asks.votes) == before:
        return False
    confirmation.by, confirmation.proof, confirmation.votes_needed = asks.by, asks.proof, asks.votes
    confirmation.execute_within = asks.execute_within_s
    return True


def _new_reasons(call: ToolCall, judged: Judgement) -> list[dict[str, str]]:
    """Those that the call does not have yet; an older call has them as plain texts, in one language."""
    plain = {reason for reason in call.reasons if isinstance(reason, str)}
    told = telling.in_each_language(judged.reasons)
    return [reason for reason in told if reason not in call.reasons and plain.isdisjoint(reason.values())]


def _ask_about(confirmation: Confirmation) -> None:
    """The open question is about the new arguments now."""
    call = confirmation.call
    call.digest = telling.digest_of(call)
    holding.about(confirmation, None)
    _save(call)
    confirmation.save()


def _prepare_again(confirmation: Confirmation) -> None:
    call = confirmation.call
    give_up_at = timezone.now() + PREPARE_WITHIN
    if not lifecycle.move(call, CallStatus.HELD, CallStatus.PROPOSED, CALL_ARROWS, give_up_at=give_up_at):
        raise RuntimeError(f"call {call.pk} had an open question but was not held")
    confirmation.user_approved = False
    confirmation.save(
        update_fields=["user_approved", "by", "proof", "votes_needed", "decide_by", "execute_within"]
    )
    _save(call)


def _save(call: ToolCall) -> None:
    changed = ["arguments", "proposed_arguments", "likeness", "flags", "risk", "reasons", "digest"]
    call.save(update_fields=changed)
