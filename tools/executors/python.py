"""Tools written in Python: async ones run on the loop, others in threads of their own, acting for the call's tenant."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from channels.db import database_sync_to_async
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from platform_site.tenancy import acting_for
from tools import registry
from tools.executors.results import succeeded
from tools.jobs.progress import Cancelled
from tools.outcome import Failed, Outcome, Unknown
from tools.registry import Answer, Handler, Result, ToolContext
from tools.schema_words import Text
from tools.spec import PythonExecutor, ToolSpec

log = logging.getLogger(__name__)
BROKEN = _("it failed unexpectedly, which was written down.")
THREADS = 8
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="tool")


async def run(
    executor: PythonExecutor, spec: ToolSpec, arguments: Mapping[str, Any], context: ToolContext
) -> Outcome:
    """Call the handler with typed arguments, within the tool's time limit."""
    handler = registry.find(executor.handler)
    if handler is None:
        words = _("This installation has no handler {name}.")
        return Failed("no_handler", format_lazy(words, name=executor.handler))
    try:
        async with asyncio.timeout(spec.timeout_s):
            answer = await _answer(handler, handler.typed(arguments), context)
    except TimeoutError:
        words = _("it took longer than {limit} seconds.")
        return _not_known(spec, "timeout", format_lazy(words, limit=f"{spec.timeout_s:g}"))
    except Cancelled:
        return _not_known(spec, "cancelled", _("it was cancelled on its way."))
    except asyncio.CancelledError:
        if _is_ended():
            raise
        log.exception("something that the handler %s waited for was cancelled", executor.handler)
        return _not_known(spec, "internal", BROKEN)
    except Exception:
        log.exception("the handler %s failed", executor.handler)
        return _not_known(spec, "internal", BROKEN)
    return _outcome(answer, spec)


def _is_ended() -> bool:
    """Whether somebody cancels this call. If not, its handler let out that what it waited for was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _answer(handler: Handler, arguments: Any, context: ToolContext) -> Answer:
    if handler.is_async:
        # A scope entered here ends here: an async function, unlike a generator, keeps it to itself.
        with acting_for(context.tenant):
            answer = handler.function(context, arguments)
            return await answer if inspect.isawaitable(answer) else answer
    in_thread = database_sync_to_async(_in_thread, thread_sensitive=False, executor=_threads)
    return await _waited_for(asyncio.create_task(in_thread(handler, arguments, context)))


async def _waited_for(answering: asyncio.Task[Answer]) -> Answer:
    """Its answer; whoever cancels this waits no longer. asgiref hands a cancel to what the thread awaits just then,
    and when that goes on all the same, so does its own waiting for the thread."""
    try:
        await asyncio.wait({answering})
    except asyncio.CancelledError:
        answering.cancel()
        answering.add_done_callback(lambda over: over.cancelled() or over.exception())
        raise
    return answering.result()


def _in_thread(handler: Handler, arguments: Any, context: ToolContext) -> Answer:
    with acting_for(context.tenant):
        answer = handler.function(context, arguments)
    assert not inspect.isawaitable(answer)
    return answer


def _not_known(spec: ToolSpec, code: str, what: Text) -> Outcome:
    """A handler that did not come to its end. A write may have happened, or still happen: threads cannot be stopped."""
    if not spec.read_only:
        return Unknown(what)
    return Failed(code, format_lazy(_("{name}: {what} Nothing was changed."), name=spec.name, what=what))


def _outcome(answer: Answer, spec: ToolSpec) -> Outcome:
    match answer:
        case Failed():
            return answer
        case Result():
            whole = answer.content if isinstance(answer.content, dict) else {"result": answer.content}
            answered = {**whole, "ui": list(answer.ui), "final": answer.final}
            return succeeded(answered, spec, warnings=answer.warnings)
    return succeeded(answer, spec)
