"""What a run's requests to models cost: reserved when a reply is begun, booked when it is stored, however it ended.

Called inside the transactions of `steps` and `ending`. Where a tenant has no limits nothing is reserved, and booking is
one INSERT.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from agents import catalogue, choice, tokens
from agents.spec import ModelSpec
from agents.stream import Reply
from agents.usage import booking, estimate, limits, warning
from agents.usage.limits import About, Limit, Reached
from agents.usage.models import MONTHLY, LimitKind, LimitOf, UsageLimit
from agents.usage.price import cost_of
from conversations.models import Run, RunStatus
from conversations.turn import Turn
from platform_site import ledger, wire
from platform_site.tenancy import acting_for
from tools.gate import telling

SHORTEST_S = 0.05


def has_place(run: Run, known: Iterable[Limit]) -> bool:
    """Whether a queued run may begin now: as many as may move at a time do not move yet, and the minute is not full.

    The limits' rows are locked to the end of the transaction: of two runs that want the last place, one gets it.
    """
    agent = catalogue.spec_of(run.agent_version)
    about = About(agent.slug, choice.chosen_models(agent, run.options)[0], run.requester_id)
    mine = [limit for limit in known if limit.kind == LimitKind.RUNS and limit.counts(about)]
    if mine:
        locked = UsageLimit.objects.select_for_update().order_by("pk").filter(pk__in=[one.id for one in mine])
        amounts = dict(locked.values_list("pk", "amount"))
        if any(_moving(limit, about) >= amounts.get(limit.id, limit.amount) for limit in mine):
            return False
    return not limits.minute_is_full(known, about, timezone.now())


def _moving(limit: Limit, about: About) -> int:
    return Run.objects.filter(_counted(limit.of, about.agent, about.user), status=RunStatus.RUNNING).count()


def _counted(of: str, agent: str, user: str) -> Q:
    """Which runs a limit on concurrent runs counts."""
    if of == LimitOf.AGENT:
        return Q(agent_version__agent__slug=agent)
    return Q(requester=user) if of == LimitOf.USER else Q()


def without_place(tenants: Iterable[str]) -> Q:
    """The queued runs of these tenants that have to wait for a limit; empty when none has."""
    waits = Q()
    kinds = (LimitKind.RUNS, LimitKind.REQUESTS)
    rows = UsageLimit.objects.across_tenants().filter(tenant__in=set(tenants), kind__in=kinds)
    now = timezone.now()
    for row in rows.order_by("pk"):
        limit = limits.value_of(row)
        with acting_for(str(row.tenant_id)):
            if _is_full(limit, now):
                waits |= Q(_counted(limit.of, limit.name, limit.name), tenant=row.tenant_id)
    return waits


def _is_full(limit: Limit, now: datetime) -> bool:
    if limit.kind == LimitKind.RUNS:
        return _moving(limit, About(limit.name, "", limit.name)) >= limit.amount
    # Which model a run will ask is not known before it is read.
    return limit.of != LimitOf.MODEL and limits.minute_is_full(
        [limit], About(limit.name, "", limit.name), now
    )


def about(turn: Turn, model: ModelSpec | None) -> About:
    return About(turn.agent.slug, model.slug if model else "", turn.requester.pk)


def reserve(log: ledger.Log, turn: Turn, request: str) -> Reached | None:
    """Take room for the reply of this id; what is reached when there is none.

    A full minute is no failure: `wait_until` says when to ask again, and the event `run.waiting` tells it.
    """
    own = turn.spending
    if not own.limits:
        return None
    now, there = timezone.now(), limits.zone_of(turn.tenant)
    warning.warn(own.limits, now, there, own.since_read)
    first = next(iter(turn.models), None)
    size = (0, 0)
    if any(limit.kind in MONTHLY for limit in own.limits):
        size = estimate.at_most(turn.request(), turn.models)
    asked = booking.Asked(request, about(turn, first), turn.run.pk, *size)
    match booking.reserve(asked, own.limits, now, there):
        case booking.Reservation() as reserved:
            own.reserved, own.wait_until = reserved, None
            return None
        case Reached() as reached:
            if reached.limit.kind == LimitKind.REQUESTS:
                _wait(log, turn, reached)
            return reached


def _wait(log: ledger.Log, turn: Turn, reached: Reached) -> None:
    turn.spending.wait_until = reached.frees_at
    told = {"run": turn.run.pk, "code": "budget", "waitSeconds": reached.seconds, **limits.told(reached)}
    log.tell(wire.custom("run.waiting", told))


def take_over(turn: Turn) -> None:
    """Hold on to what a dead runner reserved for the reply that this one writes again."""
    if turn.spending.limits and turn.run.reply:
        turn.spending.reserved = booking.reservation(turn.run.reply, timezone.now())


def sentence(turn: Turn, reached: Reached) -> str:
    """For the person who asked, in their language."""
    with telling.words_for(turn.requester):
        return limits.sentence(reached, limits.zone_of(turn.tenant))


def book(turn: Turn, request: str, reply: Reply, finish: str) -> None:
    """Book what the reply of this id came to: as the provider says, else as far as it had come."""
    own, now, there = turn.spending, timezone.now(), limits.zone_of(turn.tenant)
    model = turn.speaker
    ended = reply.finish
    counted = (ended.input_tokens, ended.output_tokens) if ended else _so_far(turn, reply)
    booked = booking.Booked(
        request, about(turn, model), turn.run.pk, *counted,
        cached_tokens=ended.cached_tokens if ended else 0,
        thinking_tokens=ended.thinking_tokens if ended else 0,
        cost=cost_of(model.price, *counted) if model else 0,
        finish=finish, is_estimate=not ended and any(counted),
    )  # fmt: skip
    booking.settle(booked, own.reserved, own.limits, now, there)
    own.reserved = None
    for limit in own.limits:
        if limit.kind in MONTHLY and limit.counts(booked.about):
            own.since_read[limit.id] = own.since_read.get(limit.id, 0) + booked.comes_to(limit.kind)
    warning.warn(own.limits, now, there, own.since_read)


def _so_far(turn: Turn, reply: Reply) -> tuple[int, int]:
    """A reply that was broken off was paid for as well, or stopping right before its end would be free (T68)."""
    said = reply.paid_so_far()
    if not (said or reply.is_awaited):
        return 0, 0
    return tokens.of_request(turn.asked or turn.request()), tokens.of_text(said)


def seconds_to_wait(turn: Turn) -> float:
    """Until a request fits again; never nothing, so that nobody turns in circles."""
    until = turn.spending.wait_until
    return max(SHORTEST_S, (until - timezone.now()) / timedelta(seconds=1)) if until else SHORTEST_S
