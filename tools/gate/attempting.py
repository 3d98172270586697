"""What was tried: one CallAttempt for each try at a call's arguments, its faults, and the chain it belongs to (A12).

Written in the transaction of the proposal. `Tries` is the memory of one turn, read back from the rows when a run is
taken over, so that the budget of corrections survives a crash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from platform_site.ids import new_id
from tools.models import AttemptOutcome, AttemptSource, CallAttempt, ChainResult, Fault, NextStep, ToolCall
from tools.pipeline import budget
from tools.pipeline.budget import Tried
from tools.pipeline.kinds import field_of, kind_of

R = ChainResult
THEN: Mapping[budget.Next, NextStep] = {
    "send_back": NextStep.SENT_BACK, "ask": NextStep.ASKED, "give_up": NextStep.GAVE_UP,
}  # fmt: skip


@dataclass(slots=True)
class Tries:
    """The attempts of a turn so far. `may_ask`: somebody is there to fill in a form."""

    so_far: list[Tried] = field(default_factory=list)
    may_ask: bool = True
    unattended: bool = False
    """The model may put it right; nobody is there to be asked after that."""
    gave_up: bool = False
    """A call was tried too often, and there is nothing to ask a person about."""

    def note(self, tried: Tried, then: NextStep, *, ok: bool) -> None:
        """Remember an attempt and what came of it."""
        self.so_far.append(replace(tried, ok=ok, asked=then == NextStep.ASKED))
        self.gave_up = self.gave_up or then == NextStep.GAVE_UP

    @property
    def open_chains(self) -> set[str]:
        """Chains whose last attempt was rejected and went back to the model."""
        last = {one.chain: one for one in self.so_far}
        return {chain for chain, one in last.items() if not (one.ok or one.asked)}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try, before it is written down. `errors` as they are stored; empty when the arguments were good."""

    source: AttemptSource
    agent: str = ""
    raw: str = ""
    mended: str = ""
    flags: Sequence[Mapping[str, Any]] = ()
    errors: Sequence[Mapping[str, Any]] = ()
    outcome: AttemptOutcome = AttemptOutcome.VALID


def outcome_of(mended: str, flags: Iterable[Mapping[str, Any]]) -> AttemptOutcome:
    """Good arguments came as they should have, or had to be put right."""
    changed = mended or any(flag["name"] == "coerced" for flag in flags)
    return AttemptOutcome.MENDED if changed else AttemptOutcome.VALID


def read(run: str, topic: str, person: str) -> Tries:
    """The tries of a person's turn whose earlier part was moved by another run, or another process."""
    open_chains = CallAttempt.objects.filter(topic=topic, chain_result=R.OPEN, requester=person).values(
        "chain"
    )
    rows = CallAttempt.objects.filter(Q(run=run) | Q(chain__in=open_chains), topic=topic).select_related(
        "call"
    )
    return Tries([_tried(row, row.call.message) for row in rows.order_by("created_at", "number")])


def place(tries: Tries, tool: str, raw: str, reply: str) -> tuple[Tried, Tried | None]:
    """Where an attempt stands, rejected until shown otherwise: its chain and number, and the one it follows."""
    before = budget.continues(tries.so_far, tool, raw, reply)
    id_ = new_id()
    chain, number = (before.chain, before.number + 1) if before else (id_, 1)
    return Tried(id_, chain, number, tool, raw, reply, ok=False), before


def then(tries: Tries, bad: Tried, *, is_known: bool) -> NextStep:
    """What happens after a rejected attempt."""
    step = THEN[budget.next_step(tries.so_far, bad, is_known=is_known)]
    if tries.unattended:
        return NextStep.GAVE_UP if step == NextStep.ASKED else step
    return step if tries.may_ask else NextStep.GAVE_UP


def write(call: ToolCall, tried: Tried, attempt: Attempt, then: NextStep) -> None:
    """Store an attempt of a call that is stored already; close its chain when this settled it."""
    first = tried.number == 1
    row = CallAttempt(
        pk=tried.id, call=call, chain=tried.chain, number=tried.number, source=attempt.source, topic=call.topic,
        run=call.run, agent=attempt.agent, tool=call.name, version=call.version, model=call.model,
        requester=call.requester, raw=attempt.raw, mended=attempt.mended, flags=list(attempt.flags),
        errors=list(attempt.errors), outcome=attempt.outcome, next_step=then, created_at=timezone.now(),
        chain_result=_first_result(attempt, then) if first else "",
    )  # fmt: skip
    row.save(force_insert=True)
    Fault.objects.bulk_create(_faults(row))
    if not first:
        _go_on(row)


def close(chains: Iterable[str], result: ChainResult = R.GAVE_UP) -> None:
    """These chains go no further: nobody put the arguments right."""
    chains = list(chains)
    if chains:
        rows = CallAttempt.objects.filter(chain__in=chains)
        rows.filter(next_step=NextStep.SENT_BACK).update(next_step=NextStep.GAVE_UP)
        rows.filter(number=1, chain_result=R.OPEN).update(chain_result=result)


def close_of(call: ToolCall) -> None:
    """The chain of a call that was asked about and will not be put right."""
    chains = CallAttempt.objects.filter(call=call).values_list("chain", flat=True)
    close(chains)


def was_written(call: ToolCall) -> bool:
    """The model wrote it into its text: that counts whoever put the arguments right."""
    return CallAttempt.objects.filter(call=call, source=AttemptSource.TEXT).exists()


def newest_of(call: ToolCall) -> CallAttempt:
    """The newest attempt at a call."""
    return CallAttempt.objects.filter(call=call).latest("number")


def _tried(row: CallAttempt, reply: str) -> Tried:
    ok = row.outcome in (AttemptOutcome.VALID, AttemptOutcome.MENDED)
    asked = row.next_step == NextStep.ASKED
    return Tried(row.pk, row.chain, row.number, row.tool, row.raw, reply, ok, asked)


def _first_result(attempt: Attempt, then: NextStep) -> ChainResult:
    match attempt.outcome:
        case AttemptOutcome.VALID:
            return R.FIRST_PASS
        case AttemptOutcome.MENDED:
            return R.MENDED
    return R.GAVE_UP if then == NextStep.GAVE_UP else R.OPEN


def _go_on(row: CallAttempt) -> None:
    """A later attempt of a chain: what came before was corrected, given up, or is still open."""
    chain = CallAttempt.objects.filter(chain=row.chain)
    good = row.outcome in (AttemptOutcome.VALID, AttemptOutcome.MENDED)
    if good:
        chain.filter(next_step=NextStep.SENT_BACK).update(next_step=NextStep.CORRECTED)
    by_person = row.source == AttemptSource.PERSON
    values: dict[str, Any] = {} if by_person else {"chain_length": F("chain_length") + 1}
    if good:
        values["chain_result"] = R.BY_PERSON if by_person else R.CORRECTED
    elif row.next_step == NextStep.GAVE_UP:
        values["chain_result"] = R.GAVE_UP
    if values:
        chain.filter(number=1).update(**values)


def _faults(row: CallAttempt) -> list[Fault]:
    return [
        Fault(
            attempt=row,
            field=field_of(error["path"]),
            keyword=error["keyword"][:80],
            kind=kind_of(error["keyword"]),
        )
        for error in row.errors
    ]
