"""The door to the argument pipeline: a call's raw arguments, checked for a tool or explained step by step.

The steps are in `tools.pipeline.check`, which knows no Django; here the handlers of Python tools are found.
"""

from __future__ import annotations

from tools import registry
from tools.pipeline.check import Handler, Raw, trace
from tools.pipeline.values import Accepted as Accepted
from tools.pipeline.values import Rejected as Rejected
from tools.pipeline.values import Trace
from tools.spec import PythonExecutor, ToolSpec


def check(spec: ToolSpec, raw: Raw, *, truncated: bool = False) -> Accepted | Rejected:
    """The verdict on `raw` for this tool. `truncated`: the model's output was cut off, so nothing is read from it."""
    return explain(spec, raw, truncated=truncated).verdict


def explain(spec: ToolSpec, raw: Raw, *, truncated: bool = False) -> Trace:
    """Every step with what it found and changed, and the same verdict."""
    return trace(spec, raw, truncated=truncated, handler=_handler_of(spec))


def _handler_of(spec: ToolSpec) -> Handler | None:
    found = registry.find(spec.executor.handler) if isinstance(spec.executor, PythonExecutor) else None
    return found.errors_of if found else None
