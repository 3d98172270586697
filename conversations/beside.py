"""A small question to the agent's model beside its run, booked like every other request and kept within the limits."""

from __future__ import annotations

import asyncio

from django.db import transaction
from django.utils import timezone

from agents import asides, tokens
from agents.asides import Answer
from agents.messages import Request
from agents.usage import booking, estimate, limits
from agents.usage.price import cost_of
from conversations.spending import about
from conversations.turn import Turn
from platform_site.db import db
from platform_site.ids import new_id


class NoAnswer(Exception):
    """There is no budget for it, or the model said nothing that could be used."""


class NoBudget(NoAnswer):
    """A limit of the tenant is reached."""


async def ask(turn: Turn, instructions: str, text: str, *, most: int) -> str:
    """The model's answer of at most `most` characters. Raises `ProviderError` or `NoAnswer`."""
    if not turn.models:
        raise NoAnswer
    asked, name = asides.request(instructions, text, turn.locale), new_id()
    reserved = await db(reserve, turn, asked, name)
    answer: Answer | None = None
    read = 0
    try:
        answer = await asides.ask(asked, turn.models, most=most)
    except asyncio.CancelledError:
        read = tokens.of_request(asked)  # stopped half-way: what the model has read is paid for (T68)
        raise
    finally:
        if answer or read or reserved.held:
            await db(book, turn, reserved, answer, read)
    if not answer.text:
        raise NoAnswer
    return answer.text


@transaction.atomic
def reserve(turn: Turn, asked: Request, name: str) -> booking.Reservation:
    """Room for it in every limit that counts it."""
    known = turn.spending.limits
    size = estimate.at_most(asked, turn.models) if known else (0, 0)
    wanted = booking.Asked(name, about(turn, turn.models[0]), turn.run.pk, *size)
    taken = booking.reserve(wanted, known, timezone.now(), limits.zone_of(turn.tenant))
    if isinstance(taken, booking.Reservation):
        return taken
    raise NoBudget


@transaction.atomic
def book(turn: Turn, reserved: booking.Reservation, answer: Answer | None, read: int = 0) -> None:
    """What it came to: `read` tokens when it was stopped half-way, nothing when the model could not be asked."""
    model = answer.model if answer else turn.models[0]
    counted = (answer.finish.input_tokens, answer.finish.output_tokens) if answer else (read, 0)
    booked = booking.Booked(
        reserved.id, about(turn, model), turn.run.pk, *counted,
        cached_tokens=answer.finish.cached_tokens if answer else 0,
        thinking_tokens=answer.finish.thinking_tokens if answer else 0,
        cost=cost_of(model.price, *counted), finish=answer.finish.reason if answer else "error",
        is_estimate=bool(read),
    )  # fmt: skip
    booking.settle(booked, reserved, turn.spending.limits, timezone.now(), limits.zone_of(turn.tenant))
