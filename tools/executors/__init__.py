"""Carrying out a claimed call. `execute` never raises for what a tool may do wrong: it returns the outcome.

Only a call that `gate.claim` gave out may come here; the executor does not ask again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from tools.executors import http, python
from tools.executors.http import close
from tools.models import ToolCall
from tools.outcome import Failed, Outcome, Succeeded, Unknown
from tools.registry import ToolContext
from tools.spec import HttpExecutor, PythonExecutor, ToolSpec

__all__ = ["Failed", "Finished", "Succeeded", "ToolContext", "Unknown", "close", "execute"]

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
