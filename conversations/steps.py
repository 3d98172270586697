"""The steps of a run that write: each is one transaction. `engine.advance` is the story they are sentences of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.stream import Reply
from agents.usage import limits
from conversations import ending, exact, glance, replies, spending, tree
from conversations.debate import floor
from conversations.ending import writing
from conversations.glance import Glance
from conversations.groups.telling import who
from conversations.models import RUN_ARROWS, Message, Run, RunStatus
from conversations.replies import Called
from conversations.turn import Turn, made_too_often, read, read_history, waits_for_requester
from platform_site import audit, ledger, lifecycle, wire
from platform_site.ids import new_id
from tools import gate
from tools.executors import Finished, Succeeded, Unknown
from tools.gate.previewing import NoPreview, Preview, Previewing
from tools.models import CallStatus, ToolCall

LEASE = timedelta(seconds=9)
"""Three heartbeats: what a dead runner left is found within ten seconds."""


def claim(run_id: str, runner: str) -> Turn | None:
    """Take a queued run, or a running one whose lease ran out; None when somebody else has it.

    Call it acting for the run's tenant. Tells RUN_STARTED, or what a crash made necessary to tell.
    """
    run = Run.objects.select_related("tenant", "requester", "agent_version__agent").get(pk=run_id)
    with ledger.writing(run.conversation_id) as log:
        there = glance.at(log.topic, run.requester_id)
        known = limits.read() if there.limits else ()
        if run.status == RunStatus.QUEUED and not spending.has_place(run, known):
            return None
        lease = {"runner": runner, "lease_until": timezone.now() + LEASE}
        if not (_start(log, run, lease, there) or _take_over(log, run, lease)):
            return None
        if there.waiting:  # some of it has its place now
            there = glance.at(log.topic, run.requester_id)
        turn = read(run, there)
        if turn is None:
            ending.withdraw_ready(
                log,
                "The person who asked, or the agent, may not do this any more.",
                requester=run.requester,
            )
            ending.end_failed(
                log, run, "auth", "The person who asked, or the agent, may not do this any more."
            )
            return None
        turn.spending.limits = known
        if turn.agent.kind == "debate" and (reason := floor.enter(log, turn)):
            ending.withdraw_ready(log, reason, requester=run.requester)
            ending.end_failed(log, run, "bad_request", reason)
            return None
        if run.reply:
            spending.take_over(turn)
        elif not (turn.todo or turn.orphans or turn.previews or turn.waiting):
            _go_on(log, turn)
    return turn if turn.run.status == RunStatus.RUNNING else None


def _go_on(log: ledger.Log, turn: Turn) -> None:
    """The next reply. In a debate its script says whose, or that nobody speaks now."""
    if turn.agent.kind == "debate" and not floor.goes_on(log, turn):
        ending.end_well(log, turn)
    elif turn.rounds >= turn.voice.max_rounds:
        gate.close_tries(turn.tries.open_chains)
        message = f"The agent did not finish within {turn.voice.max_rounds} rounds."
        ending.end_failed(log, turn.run, "max_rounds", message)
    else:
        _begin_reply(log, turn)


def _begin_reply(log: ledger.Log, turn: Turn) -> None:
    """Announce the next reply if there is budget for it; else the run ends, or waits for the next minute."""
    reply = new_id()
    reached = spending.reserve(log, turn, reply)
    if reached is None:
        replies.begin(log, turn, reply)
    elif not turn.spending.wait_until:
        gate.close_tries(turn.tries.open_chains)
        told = {"budget": limits.told(reached)}
        ending.end_failed(log, turn.run, "budget", spending.sentence(turn, reached), retryable=True, **told)


def _start(log: ledger.Log, run: Run, lease: dict[str, Any], there: Glance) -> bool:
    now = timezone.now()
    if (there.live > 1 and _is_behind(run)) or not lifecycle.move(
        run, RunStatus.QUEUED, RunStatus.RUNNING, RUN_ARROWS, started_at=now, **lease
    ):
        return False
    told: dict[str, Any] = {"cause": run.cause, "agent": run.agent_version.definition["slug"]}
    told["requester"] = who(run.requester)
    if run.cause == "retry":
        told["done"] = exact.already_done(run)
    log.tell(wire.run_started(log.topic, run.pk, metadata=told))
    if there.waiting:
        tree.place_waiting(log, upto=run)
    return True


def _is_behind(run: Run) -> bool:
    """Another run moves here, or is to move before."""
    earlier = Q(status=RunStatus.RUNNING) | Q(status=RunStatus.QUEUED, created_at__lt=run.created_at)
    return Run.objects.filter(earlier, conversation=run.conversation_id).exists()


def _take_over(log: ledger.Log, run: Run, lease: dict[str, Any]) -> bool:
    orphaned = Run.objects.filter(pk=run.pk, status=RunStatus.RUNNING, lease_until__lt=timezone.now())
    if not orphaned.update(**lease):
        return False
    run.refresh_from_db(fields=["status", "runner", "lease_until", "reply", "rounds", "stop_requested"])
    if run.reply:
        log.tell(wire.custom("message.restarted", {"messageId": run.reply}))
    return True


def save_reply(turn: Turn, reply: Reply, *, demo: bool) -> None:
    """Store a finished reply and propose its calls; SAFE ones are claimed at once. No calls: the run is done."""
    with writing(turn, acts=True) as log:
        finish = reply.finish.reason if reply.finish else "stop"
        asked = replies.calls_of(reply, turn.offered)
        message = replies.store(log, turn, reply, finish, demo=demo, calls=asked)
        spending.book(turn, message.pk, reply, finish)
        turn.run.rounds += 1
        turn.exact = turn.asked = None
        turn.run.reply = ""
        turn.todo, turn.previews, turn.waiting = [], [], []
        turn.said_nothing = not reply.text
        turn.unanswered = len(asked.made) + turn.said_nothing
        calls = [_propose(log, turn, message, nth, one) for nth, one in enumerate(asked.made)]
        too_often = [call for call in calls if made_too_often(turn, call)]
        if too_often or turn.tries.gave_up:
            ending.withdraw_failed(log, turn, REPEATED)
            ending.end_failed(log, turn.run, "repeated_call", REPEATED)
        elif not calls:
            _end_or_pass_on(log, turn)
        else:
            _sort_out(log, turn, calls)
            Run.objects.filter(pk=turn.run.pk).update(rounds=turn.run.rounds, reply="")


def _end_or_pass_on(log: ledger.Log, turn: Turn) -> None:
    """It has been answered; in a debate somebody else may have the word now."""
    if turn.floor is None:
        return ending.end_well(log, turn)
    Run.objects.filter(pk=turn.run.pk).update(rounds=turn.run.rounds, reply="")
    return _go_on(log, turn)


REPEATED = "The agent kept making the same call, so it was stopped. Please say it differently."


def _propose(log: ledger.Log, turn: Turn, message: Message, nth: int, one: Called) -> ToolCall:
    """Take one call through the gate's first half."""
    asked = gate.Asked(
        id=one.id, model_call_id=one.model_call_id, name=one.name, raw=one.raw, position=nth, topic=turn.topic,
        run=turn.run.pk, message=message.pk, model=message.model, truncated=message.finish != "stop",
        agent=turn.voice.slug, source=one.source, spoke_at=turn.spoke_at, unattended=turn.unattended,
        others_spoke=turn.others_spoke,
        outside=turn.outside,
    )  # fmt: skip
    by = gate.Requester(turn.requester, turn.membership.role)
    return gate.propose(log, asked, turn.offered, by, turn.tries)


def _sort_out(log: ledger.Log, turn: Turn, calls: Sequence[ToolCall]) -> None:
    """What is cleared is claimed at once; what the person who asked has to answer is waited for."""
    for call in calls:
        if call.status == CallStatus.CLEARED:
            if isinstance(gate.claim_cleared(log, call, turn.offered[call.name]), gate.Claimed):
                turn.todo.append(call)
        elif call.status == CallStatus.PROPOSED:
            turn.previews.append(call)
        else:
            _wait_for(turn, call)


def _wait_for(turn: Turn, call: ToolCall) -> None:
    """The run ends with a question to who asked; where nobody is there, they are told and it goes on."""
    if waits_for_requester(call):
        turn.waiting.append(call)
    elif call.status == CallStatus.HELD and gate.is_parked(call):
        ending.tell_parked(turn, call)


def begin_previews(turn: Turn, calls: Sequence[ToolCall]) -> list[Previewing | NoPreview]:
    """Ask for what these calls would do; what comes back is to be carried out, and finished."""
    with audit.recording():
        return [gate.previews.begin(call, turn.membership.role) for call in calls]


def finish_previews(carried: Sequence[tuple[Previewing, Finished]]) -> list[Preview | NoPreview]:
    with audit.recording():
        return [gate.previews.finish(previewing, outcome) for previewing, outcome in carried]


def hold_previewed(turn: Turn, taken: Sequence[Preview | NoPreview]) -> None:
    """Put the questions about calls whose previews have been taken; those without one have ended."""
    with writing(turn) as log:
        for one in taken:
            gate.previews.settle_held(log, one)
            _wait_for(turn, one.of)
    turn.previews = []


def to_be_shown_again(turn: Turn) -> list[ToolCall]:
    """Approved calls that had a preview: it must still show the same."""
    approved = [call for call in turn.todo if call.status == CallStatus.APPROVED]
    return [call for call in approved if call.confirmation.preview is not None]


def claim_calls(turn: Turn, taken: Sequence[Preview | NoPreview] = ()) -> list[ToolCall]:
    """Take what was approved through the gate's second half; returns what is to be carried out now.

    `taken`: the previews of approved calls, as they are now. Where one shows something else, people are asked again.

    A call that a dead runner had claimed is repeated under the same key if its tool allows that; else its outcome is
    unknown and a person looks.
    """
    ready = [call for call in turn.todo if call.status == CallStatus.CLAIMED]
    claimable = [call for call in turn.todo if call.status != CallStatus.CLAIMED]
    if claimable or turn.orphans:
        with writing(turn, acts=True) as log:
            shown = {one.of.pk: one.shown for one in taken if isinstance(one, Preview)}
            ready += [call for call in claimable if _claim(log, turn, call, shown.get(call.pk))]
            for call in turn.orphans:
                if gate.may_repeat(call):
                    ready.append(call)
                else:
                    gate.settle(log, call, Unknown(_("The server stopped while this was being carried out.")))
    turn.todo, turn.orphans = [], []
    return sorted(ready, key=lambda call: (call.proposed_at, call.position))


def _claim(log: ledger.Log, turn: Turn, call: ToolCall, shown: gate.Shown | None) -> bool:
    claimed = gate.claim(log, call, shown)
    if isinstance(claimed, gate.AskedAgain):
        _wait_for(turn, call)
    return isinstance(claimed, gate.Claimed)


@dataclass(frozen=True, slots=True)
class Carried:
    """A call and how it came out."""

    call: ToolCall
    outcome: Finished


def settle(turn: Turn, carried: Sequence[Carried], *, last: bool) -> None:
    """Record outcomes; with the last of a reply, begin the next reply in the same transaction, or end the run."""
    with ledger.writing(turn.topic) as log:
        for one in carried:
            if gate.settle(log, one.call, one.outcome):
                _tell_suggestions(log, turn, one.call)
            turn.unanswered -= _answered(turn, one.outcome)
        if last and ending.is_ours(turn):
            _after_calls(log, turn)


def _answered(turn: Turn, outcome: Finished) -> int:
    """How much less is left to say: what answers the person whole stands for words of the model's as well (R6)."""
    if not isinstance(outcome, Succeeded) or not outcome.final:
        return 0
    if not (turn.said_nothing and outcome.is_whole):
        return 1
    turn.said_nothing = False
    return 2


def _tell_suggestions(log: ledger.Log, turn: Turn, call: ToolCall) -> None:
    shared = floor.shared_state(turn)
    for directive in (call.result or {}).get("ui", []):
        if directive["kind"] == "suggestions":
            log.tell(wire.state({"suggestions": directive["options"], **shared}))


def _after_calls(log: ledger.Log, turn: Turn) -> None:
    if turn.waiting:
        ending.end_interrupted(log, turn)
    elif turn.floor is None and turn.unanswered == 0:
        ending.end_well(log, turn)
    else:
        _refresh_results(turn)
        _go_on(log, turn)


def after_calls(turn: Turn) -> None:
    """`_after_calls` where no outcome is left to record: all were rejected, refused, held or asked about."""
    with writing(turn) as log:
        _after_calls(log, turn)


def _refresh_results(turn: Turn) -> None:
    """Answer the last reply's calls in the transcript in memory; a debate's is told anew for whoever speaks."""
    if turn.floor:
        return
    calls = {
        call.pk: call
        for call in ToolCall.objects.filter(topic=turn.topic).select_related("confirmation", "version")
    }
    there = glance.at(turn.topic, turn.requester.pk)
    people: dict[str, str] | None = None if there.is_shared else {}
    turn.messages = read_history(turn.topic, turn.head, calls.values(), turn.run.started_at, people, there)
