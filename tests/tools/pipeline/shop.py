"""A tool to check arguments of, and the short words in which the pipeline's tests speak. Nothing here needs Django."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tools.pipeline.check import trace
from tools.pipeline.values import Accepted, Rejected
from tools.spec import HttpExecutor, RiskLevel, ToolSpec


def tool(
    properties: Mapping[str, Any], *, risk: RiskLevel = "CONFIRM", read_only: bool = False, **more: Any
) -> ToolSpec:
    """A tool with these arguments; `more` are keywords of its schema."""
    schema = {"type": "object", "properties": properties, "additionalProperties": False, **more}
    return ToolSpec("order", "", schema, risk, HttpExecutor("POST", "http://shop.test/"), read_only=read_only)


def verdict(spec: ToolSpec, given: Any) -> Accepted | Rejected:
    """On a text, or on a value written as JSON."""
    return trace(spec, given if isinstance(given, str) else json.dumps(given)).verdict


def accepted(spec: ToolSpec, given: Any) -> Accepted:
    found = verdict(spec, given)
    assert isinstance(found, Accepted), found
    return found


def rejected(spec: ToolSpec, given: Any) -> Rejected:
    found = verdict(spec, given)
    assert isinstance(found, Rejected), found
    return found
