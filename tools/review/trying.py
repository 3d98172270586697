"""Running a tool from the playground: a person asks instead of a model, through the same gate. The verbs of a try.

A try is a ToolCall without a run, alone in a topic of its own. `ask`, `answer` and `go_on` each are one transaction,
and hand out what they claimed; `see_through` executes and settles that, holding no transaction meanwhile. Where a tool
has a preview nothing is claimed there: `see_through` shows it first. A try whose process dies on the way is given up
by the sweep, as every claimed call is: its outcome is unknown. What works in the background is carried out by the
queue: nothing is due here, and the page shows how far it has come.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from platform_site import ledger
from platform_site.access import ROLES_FOR, Actor, check_scope
from platform_site.db import db
from platform_site.errors import Problem
from platform_site.ids import new_id
from platform_site.models import Membership, Tenant, Topic
from tools import catalogue, executors, gate
from tools.executors import Finished, ToolContext, Unknown
from tools.gate.previewing import NoPreview, Preview
from tools.gate.values import Answering
from tools.jobs import cancelling
from tools.models import AttemptSource, CallStatus, Confirmation, ToolCall, ToolVersion
from tools.review import showing
from tools.spec import ToolSpec

log = logging.getLogger(__name__)
LONGEST_PAUSE_S = 5.0
_under_way: set[asyncio.Task[None]] = set()


def tries() -> QuerySet[ToolCall]:
    """The calls that people asked for here; those of runs are not among them, nor are previews."""
    rows = ToolCall.objects.filter(run="", requester__isnull=False).exclude(topic="")
    return rows.select_related("version", "requester")


@dataclass(frozen=True, slots=True)
class Due:
    """What `see_through` does next. `claimed`: this caller, and no other, carries it out; else it is shown first."""

    call: ToolCall
    claimed: gate.Claimed | None = None


@dataclass(frozen=True, slots=True)
class Begun:
    """A try that is stored, and what is due if it waits for nobody."""

    call: ToolCall
    due: Due | None = None


def ask(actor: Actor, version: ToolVersion, raw: str, key: str) -> Begun | gate.Refused:
    """Propose a call on this person's behalf, in their role; what is cleared is claimed in the same transaction.

    The same text sent twice with one `key` (a double click, a form sent again) is the same try.
    """
    check_scope(actor, "configure")
    spec = catalogue.offered([version.tool.name]).get(version.tool.name)
    if spec is None:
        return gate.Refused("conflict", _("This tool has been switched off."))
    if spec.version != version.pk:
        return gate.Refused("conflict", _("Only the current version of a tool can be run."))
    topic, _new = Topic.objects.get_or_create(pk=_topic_of(actor, version, raw, key))
    with ledger.writing(topic.pk) as told:
        if asked_before := tries().filter(topic=topic.pk).first():
            return Begun(asked_before)
        call = gate.propose(told, _asked(spec, raw, topic.pk), {spec.name: spec}, _requester(actor))
        if call.status == CallStatus.PROPOSED:
            return Begun(call, Due(call))
        claimed = gate.claim_cleared(told, call, spec) if call.status == CallStatus.CLEARED else None
    return Begun(call, Due(call, claimed) if isinstance(claimed, gate.Claimed) else None)


def answer(actor: Actor, call: ToolCall, given: Answering) -> tuple[gate.Decided | gate.Refused, Due | None]:
    """Decide on a try that is held; after the last yes it is due, if who asked may still run tools from here."""
    question = Confirmation.objects.filter(call=call).first()
    if question is None:
        return gate.Refused("not_found", _("There is no such question.")), None
    with ledger.writing(call.topic) as told:
        verdict = gate.decide(told, question.pk, actor, given)
        if not (isinstance(verdict, gate.Decided) and verdict.ready):
            return verdict, None
        return verdict, _due(told, call)


def go_on(actor: Actor, call: ToolCall) -> Due | None:
    """Go on with a try of one's own that was approved elsewhere, or left half-way; None when nothing is due."""
    _check_own(actor, call)
    with ledger.writing(call.topic) as told:
        return _due(told, call)


def withdraw(actor: Actor, call: ToolCall) -> bool:
    """Take back a try of one's own that has not started."""
    _check_own(actor, call)
    with ledger.writing(call.topic) as told:
        call.refresh_from_db(fields=["status"])
        return gate.withdraw(told, call, "The person took it back.")


def cancel(actor: Actor, call: ToolCall) -> CallStatus:
    """End the job of a try of one's own, as far as that can be done."""
    _check_own(actor, call)
    with ledger.writing(call.topic) as told:
        return cancelling.cancel(told, call, actor.user)


async def see_through(due: Due, tenant: Tenant) -> None:
    """Take the steps that wait for nobody, also when the request that waits for them is cancelled.

    A browser that goes away cancels its request; a write that was sent has to get its receipt all the same.
    """
    task = asyncio.create_task(_see_through(due, tenant))
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)
    await asyncio.shield(task)


async def _see_through(due: Due, tenant: Tenant) -> None:
    claimed = due.claimed
    if claimed is None:
        taken = await showing.take(due.call, tenant)
        if due.call.status == CallStatus.PROPOSED:
            return await db(showing.hold, taken)
        claimed = await db(_claim_shown, taken)
    if claimed:
        await _carry_out(claimed, tenant)


def _claim_shown(taken: Preview | NoPreview) -> gate.Claimed | None:
    """Claim what was approved, if it would still do what was shown; else people are asked again."""
    with ledger.writing(taken.of.topic) as told:
        return _claim(told, taken.of, taken.shown if isinstance(taken, Preview) else None)


async def _carry_out(claimed: gate.Claimed, tenant: Tenant) -> None:
    call = claimed.call
    assert call.requester is not None, "a try is somebody's"
    try:
        outcome = await executors.execute(claimed.spec, call, ToolContext(tenant, call.requester))
    except Exception:
        # A bug of ours or of a handler: what it did before it broke, nobody knows.
        log.exception("a tool broke")
        outcome = Unknown(gettext_lazy("Something broke on our side while this was being carried out."))
    await _record(call, outcome)


async def _record(call: ToolCall, outcome: Finished) -> None:
    """Write down what happened, however long the database is away: a receipt that we hold must not be lost."""
    pause = 0.5
    while True:
        try:
            await db(_settle, call, outcome)
            return
        except (OperationalError, InterfaceError):
            log.exception("an outcome could not be written down; again in %g s", pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)


def _settle(call: ToolCall, outcome: Finished) -> None:
    with ledger.writing(call.topic) as told:
        gate.settle(told, call, outcome)


def _due(told: ledger.Log, call: ToolCall) -> Due | None:
    """What is to be shown first; else it is claimed. Read afresh: with the answer its arguments may have changed."""
    call.refresh_from_db(from_queryset=tries())
    if showing.waits_for_preview(call):
        return Due(call)
    claimed = _claim(told, call, None)
    return Due(call, claimed) if claimed else None


def _claim(told: ledger.Log, call: ToolCall, shown: gate.Shown | None) -> gate.Claimed | None:
    call.refresh_from_db(fields=["status"])
    if not _may_still_run(call):
        gate.withdraw(told, call, "The person who asked may not run tools from the playground any more.")
        return None
    claimed = gate.claim(told, call, shown)
    return claimed if isinstance(claimed, gate.Claimed) else None


def _may_still_run(call: ToolCall) -> bool:
    """A role may have changed since the try was asked for; whether they are a member at all, the gate asks."""
    roles = ROLES_FOR["configure"]
    return Membership.objects.filter(user=call.requester_id, is_active=True, role__in=roles).exists()


def _topic_of(actor: Actor, version: ToolVersion, raw: str, key: str) -> str:
    """The same for the same person, version, text and key; nobody can choose it."""
    told = "\n".join((actor.tenant.pk, actor.user.pk, version.pk, key, raw))
    return salted_hmac("tools.review.trying", told, algorithm="sha256").hexdigest()[:32]


def _asked(spec: ToolSpec, raw: str, topic: str) -> gate.Asked:
    return gate.Asked(
        id=new_id(), model_call_id="", name=spec.name, raw=raw, position=0, topic=topic, run="", message="", model="",
        source=AttemptSource.PLAYGROUND,
    )  # fmt: skip


def _requester(actor: Actor) -> gate.Requester:
    return gate.Requester(actor.user, actor.role)


def _check_own(actor: Actor, call: ToolCall) -> None:
    check_scope(actor, "configure")
    if call.requester_id != actor.user.pk:
        raise Problem(403, "forbidden", _("Only who asked for it may do this."))
