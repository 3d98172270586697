"""Carrying out a claimed call. `execute` never raises for what a tool may do wrong: it returns the outcome.

Only a call that `gate.claim` gave out may come here; the executor does not ask again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from tools.executors import http, python
from tools.executors.http import close
from tools.models import ToolCall
from tools.outcome import Failed, Outcome, Succeeded, Unknown
from tools.registry import ToolContext
from tools.spec import HttpExecutor, PythonExecutor, ToolSpec

__all__ = [
    "Failed",
    "Finished",
    "Succeeded",
    "ToolContext",
    "Unknown",
    "close",
    "consult",
    "execute",
    "is_open_to_all",
]

Finished = Outcome


async def execute(spec: ToolSpec, call: ToolCall, context: ToolContext) -> Finished:
    """Carry out `call`, which this caller has claimed. Ends within twice the tool's time limit.

    `context` says for whom; which call it is about is taken from `call`.
    """
    context = replace(context, call=call.pk, topic=call.topic, run=call.run)
    arguments = call.arguments or {}
    match spec.executor:
        case PythonExecutor() as executor:
            return await python.run(executor, spec, arguments, context)
        case HttpExecutor() as executor:
            return await http.run(executor, spec, arguments, context)
        case _:
            assert_never(spec.executor)


async def consult(spec: ToolSpec, arguments: Mapping[str, Any], context: ToolContext) -> Finished:
    """What a tool of the tenant that only reads answers to a handler at work: no effect, so no call of its own."""
    if not (is_open_to_all(spec) and isinstance(spec.executor, HttpExecutor)):
        raise TypeError(f"{spec.name} is not a backend that is only read")
    return await http.run(spec.executor, spec, arguments, context)


def is_open_to_all(spec: ToolSpec) -> bool:
    """Whether nobody has to be asked before it is called, and nothing it says has to be marked."""
    return (
        spec.risk == "SAFE"
        and spec.read_only
        and not spec.untrusted
        and isinstance(spec.executor, HttpExecutor)
    )
