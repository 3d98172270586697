"""The verbs people have: each one transaction that changes rows and tells the events, then returns.

Called by the socket, the HTTP API and the pages; nothing here waits for a model or a tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.models import Agent
from conversations import ending, exact, tree, uploads
from conversations.access import (
    check_owner,
    confirmation_for,
    conversation_for,
    correction_for,
    glance_for,
    is_owner,
    run_for,
)
from conversations.debate import status as debate_status
from conversations.groups import telling
from conversations.models import RUN_ARROWS, Conversation, Outcome, Participant, Run, RunStatus
from platform_site import audit, bell, ledger, lifecycle, wire
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Topic, User
from platform_site.one_line import one_line
from platform_site.tenancy import current_tenant_id
from tools import gate
from tools.gate.resolving import What
from tools.jobs import cancelling
from tools.models import CallStatus, ConfirmationStatus, ToolCall

LONGEST_TITLE = 120


def create_conversation(actor: Actor, agent_slug: str, title: str = "") -> Conversation:
    """A new conversation of this person with an agent."""
    agent = Agent.objects.filter(slug=agent_slug, is_enabled=True).first()
    if agent is None:
        raise Problem(404, "not_found", _("There is no such agent."))
    title = one_line(title, LONGEST_TITLE)
    with transaction.atomic():
        conversation = Conversation.objects.create(
            topic=Topic.objects.create(), agent=agent, title=title, titled="person" if title else ""
        )
        Participant.objects.create(conversation=conversation, user=actor.user)
    return conversation


@contextmanager
def writing(conversation_id: str, actor: Actor | None = None) -> Iterator[ledger.Log]:
    """`ledger.writing` for what somebody may just have deleted, or removed this `actor` from."""
    try:
        with ledger.writing(conversation_id) as log:
            if actor is not None:
                glance_for(actor, conversation_id)
            yield log
    except Topic.DoesNotExist:
        raise Problem(404, "not_found", _("There is no such conversation.")) from None


def is_at_work(conversation_id: str) -> bool:
    """Whether a run moves here, or waits to."""
    live = [RunStatus.QUEUED, RunStatus.RUNNING]
    return Run.objects.filter(conversation=conversation_id, status__in=live).exists()


SPOKE_INSTEAD = "The person wrote a new message instead of answering."


def withdraw_own_questions(log: ledger.Log, user: User, why: str = SPOKE_INSTEAD) -> None:
    """Something else instead of an answer: what waits for this person alone is withdrawn."""
    undecided = Q(
        status=CallStatus.HELD,
        confirmation__status=ConfirmationStatus.PENDING,
        confirmation__user_approved=False,
    ) & ~Q(confirmation__by="reviewer")
    # What a reviewer has changed is prepared for reviewers again: no answer of this person's is waited for.
    prepared = Q(status__in=[CallStatus.PROPOSED, CallStatus.ASKING]) & (
        Q(confirmation=None) | ~Q(confirmation__by="reviewer")
    )
    waiting = ToolCall.objects.filter(undecided | prepared, topic=log.topic, requester=user)
    for call in waiting.order_by("proposed_at", "position"):
        if not gate.is_parked(call):
            gate.withdraw(log, call, why)


def queue_run(
    conversation: Conversation, requester: User, cause: str, options: dict[str, Any], key: str = ""
) -> Run:
    """Put a run into the queue, in the caller's transaction; runners are woken after the commit."""
    current = conversation.agent.current
    assert current is not None, "an agent has a version from the moment it is saved"
    run = Run.objects.create(
        conversation=conversation, requester=requester, agent_version=current,
        cause=cause, options=options, key=key,
    )  # fmt: skip
    wake(run)
    return run


def wake(run: Run) -> None:
    """After the commit, runners look at this run."""
    tenant = current_tenant_id()
    transaction.on_commit(lambda: bell.wake_runners(run.pk, tenant))


def stop_run(actor: Actor, run_id: str) -> str:
    """Stop a run wherever it is; returns its status as it stands now (`running` while it is being stopped)."""
    run = run_for(actor, run_id)
    if run.requester_id != actor.user.pk and not is_owner(actor, run.conversation_id):
        detail = _("Only %(name)s, who asked, or the owner of this conversation can stop this.")
        raise Problem(403, "forbidden", detail % {"name": run.requester})
    with writing(run.conversation_id, actor) as log:
        run.refresh_from_db()
        if run.status == RunStatus.QUEUED:
            cancel_queued(log, run)
        elif run.status == RunStatus.RUNNING:
            ask_to_stop(run)
        elif run.outcome == Outcome.INTERRUPT:
            withdraw_own_questions(log, run.requester, "The turn was stopped before this was answered.")
        if not is_at_work(log.topic):
            debate_status.stop_after(log, run)
    return run.status


def ask_to_stop(run: Run) -> None:
    """Whoever moves it stops it."""
    Run.objects.filter(pk=run.pk).update(stop_requested=True)
    wake(run)


def cancel_queued(log: ledger.Log, run: Run) -> None:
    ended = {"outcome": Outcome.CANCELLED, "finished_at": timezone.now()}
    if lifecycle.move(run, RunStatus.QUEUED, RunStatus.FINISHED, RUN_ARROWS, **ended):
        _withdraw_ready(log, run)
        log.tell(
            wire.run_started(run.conversation_id, run.pk, metadata={"cause": run.cause}),
            wire.run_cancelled(run.conversation_id, run.pk),
        )


def _withdraw_ready(log: ledger.Log, run: Run) -> None:
    """Stop before anything was begun: what this run was to carry out, or to show first, does not happen."""
    if not is_at_work(log.topic):
        ending.withdraw_ready(
            log, "The person stopped the turn before this could run.", requester=run.requester
        )


def retry_run(actor: Actor, run_id: str) -> Run:
    """Ask again what a failed run asked, if nothing was said since."""
    failed = run_for(actor, run_id)
    if failed.requester_id != actor.user.pk:
        raise Problem(403, "forbidden", _("Only who asked can ask the same again."))
    with writing(failed.conversation_id, actor) as log:
        later = Run.objects.filter(conversation=failed.conversation, created_at__gt=failed.created_at)
        if failed.status != RunStatus.FAILED or later.exists():
            raise Problem(409, "conflict", _("Only the last run can be retried, and only if it failed."))
        exact.go_back(log, failed)
        tree.place_waiting(log)
        run = Run.objects.create(
            conversation=failed.conversation, requester=actor.user, agent_version=failed.agent_version,
            cause="retry", options=failed.options, retry_of=failed,
        )  # fmt: skip
        wake(run)
    return run


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer to a confirmation, as it came in. `proof` has `password` or `code`."""

    decision: str
    digest: str
    proof: dict[str, str] | None = None
    reason: str = ""
    arguments: dict[str, Any] | None = None
    """Other arguments than those shown, to be approved in their place."""
    wanted: gate.Wanted | None = None
    """A standing yes besides, to the next calls of this kind."""


def decide(actor: Actor, confirmation_id: str, answer: Answer) -> gate.Decided | gate.Refused:
    """Pass the answer to the gate; when the call's fate is settled, queue the run that acts on it.

    A try from the playground has no conversation: whoever asked carries it out from its page.
    """
    confirmation = confirmation_for(actor, confirmation_id)
    call = confirmation.call
    conversation = Conversation.objects.select_related("agent__current").filter(pk=call.topic).first()
    if conversation is None and call.run:
        return gate.Refused("conflict", _("The conversation this was asked in was deleted."))
    if call.requester_id != actor.user.pk and not actor.can_review:
        return gate.Refused("forbidden", _("This waits for %(name)s.") % {"name": call.requester})
    with writing(call.topic) as log:
        verdict = gate.decide(log, confirmation.pk, actor, answer, answer.wanted)
        if conversation and isinstance(verdict, gate.Decided) and verdict.ready:
            run_on(conversation, "decision", call)
    return verdict


def run_on(conversation: Conversation, cause: str, call: ToolCall) -> str:
    """The run that acts on what became of a call, for who asked for it; a queued one of theirs will see it, too."""
    theirs = Run.objects.filter(conversation=conversation, status=RunStatus.QUEUED, requester=call.requester)
    if queued := theirs.order_by("created_at").first():
        return queued.pk
    assert call.requester is not None, "a call of a conversation is somebody's"
    options = Run.objects.filter(pk=call.run).values_list("options", flat=True).first()
    return queue_run(conversation, call.requester, cause, options or {}).pk


@dataclass(frozen=True, slots=True)
class Submitted:
    """What a person filled in was taken; `run` goes on with it."""

    run: str


def submit(
    actor: Actor, correction_id: str, given: dict[str, Any] | None
) -> Submitted | gate.StillWrong | gate.Refused:
    """Pass corrected arguments to the gate, or None to drop the call; queue the run that goes on with it."""
    call = correction_for(actor, correction_id).call
    conversation = Conversation.objects.select_related("agent__current").filter(pk=call.topic).first()
    if conversation is None:
        return gate.Refused("conflict", _("The conversation this was asked in was deleted."))
    with writing(call.topic) as log:
        verdict = gate.submit(log, correction_id, actor, given)
        if isinstance(verdict, gate.Corrected):
            return Submitted(run_on(conversation, "correction", call))
    return verdict


def resolve(actor: Actor, call: ToolCall, what: What, note: str) -> gate.Resolved | gate.Refused:
    """Pass to the gate what a person says of a call with an unknown outcome; queue the run that acts on it.

    A call outlives its conversation; then nobody has to be told, and nobody would send it again.
    """
    conversation = Conversation.objects.select_related("agent__current").filter(pk=call.topic).first()
    if conversation is None and call.run:
        if what == "retry":
            return gate.Refused("conflict", _("The conversation this was asked in was deleted."))
        with audit.recording():
            return gate.resolve(ledger.Log(call.topic, 0), call, actor, what, note)
    with writing(call.topic) as log:
        verdict = gate.resolve(log, call, actor, what, note)
        if conversation and isinstance(verdict, gate.Resolved):
            run_on(conversation, "decision", call)
    return verdict


def rename(actor: Actor, conversation_id: str, title: str) -> Conversation:
    conversation = conversation_for(actor, conversation_id)
    conversation.title, conversation.titled = one_line(title, LONGEST_TITLE), "person"
    with writing(conversation.pk, actor) as log:
        check_owner(actor, conversation)
        conversation.save(update_fields=["title", "titled"])
        log.tell(wire.custom("conversation.changed", {"title": conversation.title}))
    return conversation


def set_answers(actor: Actor, conversation_id: str, answers: str) -> Conversation:
    """Whether the agent answers always, or only who addresses it, where several people talk."""
    conversation = conversation_for(actor, conversation_id)
    with writing(conversation.pk, actor) as log:
        check_owner(actor, conversation)
        conversation.answers = answers
        conversation.save(update_fields=["answers"])
        log.tell(wire.custom("conversation.changed", {"answers": answers}))
    return conversation


def delete(actor: Actor, conversation_id: str) -> None:
    """Delete a conversation with its messages and events. Its calls stay recorded; what waited waits no more."""
    conversation = conversation_for(actor, conversation_id)
    with transaction.atomic():
        with writing(conversation.pk, actor) as log:
            check_owner(actor, conversation)
            if conversation.runs.filter(status__in=[RunStatus.QUEUED, RunStatus.RUNNING]).exists():
                raise Problem(409, "conflict", _("The agent is still working here. Stop it first."))
            for call in ToolCall.objects.filter(
                topic=log.topic,
                status__in=[CallStatus.PROPOSED, CallStatus.ASKING, CallStatus.HELD, CallStatus.APPROVED],
            ):
                gate.withdraw(log, call, "The conversation was deleted.")
            cancelling.cancel_all(log, actor.user)
            telling.tell_deleted(conversation.pk, actor.user)
        uploads.remove_files(conversation.uploads.all())
        Topic.objects.get(pk=conversation.pk).delete()
