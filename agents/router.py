"""From an agent's list of models to the stream of one reply. The engine calls `speak`; providers stand behind it.

The only place where a model request is ever repeated, or given to another model. What to do after a failure is decided
by the pure `retrying`, which model can take a request by the pure `able`; here is the loop and the waiting.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from typing import assert_never

from agents import outside, providers, trouble
from agents.able import able, asked_of
from agents.bounds import Bounds
from agents.messages import Request
from agents.notes import Note, Retrying, Spoken, Switched
from agents.outside import Outside
from agents.providers.base import ProviderError
from agents.retrying import MOST_RETRIES, REST_S, Failed, GiveUp, Retry, Switch, follows, is_used_up
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, StreamEvent, TextDelta, ThinkingDelta
from tools.strictjson import storable, storable_json

log = logging.getLogger(__name__)
LONGEST_S = 600.0
"""One request may stream so long, however slowly. Silence in the middle ends sooner: adapters see to that."""
LONGEST_NAME = 120
"""Characters of the name that a model gives itself."""
MOST_TOKENS = 10**9
"""No request comes to more, whatever its server says."""


async def speak(
    request: Request, models: Sequence[ModelSpec], world: Outside | None = None
) -> AsyncGenerator[Spoken]:
    """Ask the first model that can answer; pass its stream through, and notes on what goes otherwise.

    Ends with `Finish`, or raises `ProviderError`. The request's `model` is filled in here. Close the generator to end
    the upstream request, or the wait for one.
    """
    world = world or outside.THE_WORLD
    asking = await _begin(request, models, world)
    if asking.model is not models[0]:
        yield Switched(asking.model.slug, models[0].slug, asking.why)
    while True:
        try:
            async with aclosing(_stream(asked_of(asking.model, request), asking.model)) as stream:
                async for event in stream:
                    asking.text_was_seen = asking.text_was_seen or type(event) is TextDelta
                    yield event
            await world.answered(asking.model)
            return
        except ProviderError as error:
            failure = error
        note = await _after(failure, asking, world)
        yield note
        if isinstance(note, Retrying):
            await world.sleep(note.wait_s)


@dataclass(slots=True)
class _Asking:
    """How far the asking for one reply has come."""

    model: ModelSpec
    others: list[ModelSpec]
    begun: float
    why: str
    """Why the agent's first model is not the one that is asked."""
    retries: int = 0
    text_was_seen: bool = False


async def _begin(request: Request, models: Sequence[ModelSpec], world: Outside) -> _Asking:
    """Line up the models that can answer; those that cool down are left out, unless no other one is there."""
    if not models:
        raise ProviderError("bad_request", trouble.NO_MODEL)
    found = able(request, models)
    if not found.models:
        raise trouble.unable(found.lacks.values())
    resting = await world.cooling(found.models)
    ready = [model for model in found.models if model.slug not in resting] or list(found.models)
    why = found.lacks.get(models[0].slug) or resting.get(models[0].slug, "")
    return _Asking(ready[0], ready[1:], world.now(), why)


async def _after(error: ProviderError, asking: _Asking, world: Outside) -> Note:
    """What follows on a failed request: the note that tells it, `asking` made ready for it; or the error goes on."""
    if error.code == "auth":
        await world.refused(asking.model, error)
    if is_used_up(error.code, error.retry_after):
        await world.rest(asking.model, error.code, error.retry_after)
    failed = Failed(
        error.code, asking.retries, error.retry_after, asking.text_was_seen, world.now() - asking.begun,
        [other.slug for other in asking.others],
    )  # fmt: skip
    step = follows(failed, world.chance)
    log.warning("the model %s failed with %s, then %s: %s", asking.model.slug, error.code, step, error.detail)
    match step:
        case Retry(wait_s):
            asking.retries += 1
            return Retrying(asking.retries, MOST_RETRIES, error.code, wait_s, asking.model.slug)
        case Switch(slug):
            if not is_used_up(error.code, error.retry_after):
                await world.rest(asking.model, error.code, REST_S)
            was, asking.model, asking.retries = asking.model.slug, asking.others.pop(0), 0
            return Switched(slug, was, error.code)
        case GiveUp():
            raise error
        case _:
            assert_never(step)


async def _stream(request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
    """One request to one model: its events up to the end, made storable; empty texts are left out."""
    with _translated(model):
        async with aclosing(providers.get(model.provider).stream(request, model)) as stream:
            deadline, bounds = time.monotonic() + LONGEST_S, Bounds()
            async with asyncio.timeout(LONGEST_S):
                event = await anext(stream, None)
            while event is not None:
                bounds.take(event)
                if not (isinstance(event, TextDelta) and not event.text):
                    yield cleaned(event)
                if isinstance(event, Finish):
                    return
                if time.monotonic() > deadline:
                    raise TimeoutError
                event = await anext(stream, None)
    raise ProviderError("network", trouble.BROKE_OFF)


@contextmanager
def _translated(model: ModelSpec) -> Iterator[None]:
    """Whatever breaks in a provider is a `ProviderError`; what it was stands in the log."""
    try:
        yield
    except ProviderError:
        raise
    except TimeoutError as error:
        raise ProviderError("timeout", trouble.WORDS["timeout"]) from error
    except Exception as error:
        log.exception("the provider %s broke", model.provider)
        raise ProviderError("internal", trouble.WORDS["internal"]) from error


def cleaned(event: StreamEvent) -> StreamEvent:
    """The event with what no database stores (half a surrogate pair, NUL) shown as U+FFFD.

    Native content is given back unchanged or not at all: what cannot be stored is left out.
    """
    match event:
        case TextDelta(text):
            return event if text.isascii() and "\0" not in text else TextDelta(storable(text))
        case ThinkingDelta(text):
            return ThinkingDelta(storable(text))
        case CallDelta(index, id_, name, arguments):
            return CallDelta(index, storable(id_), storable(name), storable(arguments))
        case Finish():
            return _kept(event)
    return event


def _kept(end: Finish) -> Finish:
    """The end as it can be stored and booked: what a server says of itself need not be a name, or a count."""
    counts = (end.input_tokens, end.output_tokens, end.cached_tokens, end.thinking_tokens)
    asked, answered, cached, thought = (min(max(0, count), MOST_TOKENS) for count in counts)
    stored = end.native is None or storable_json(end.native) == end.native
    return replace(
        end, model=storable(end.model)[:LONGEST_NAME], input_tokens=asked, output_tokens=answered,
        cached_tokens=cached, thinking_tokens=thought, native=end.native if stored else None,
    )  # fmt: skip
