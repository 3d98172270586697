"""T18, T19: what is made to be costly for a schema is neither slow to judge nor long to store and to tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cost import cost_of
from tests.tools.pipeline.hostile import WITH_SCHEMAS
from tools.pipeline import feedback
from tools.pipeline.check import trace
from tools.pipeline.flags import MOST
from tools.pipeline.values import Rejected, Verdict
from tools.schema import check_schema
from tools.spec import HttpExecutor, ToolSpec

EXECUTOR = HttpExecutor("POST", "http://shop.test/")


@pytest.mark.parametrize(("schema", "raw"), WITH_SCHEMAS.values(), ids=WITH_SCHEMAS)
def test_neither_slow_nor_long(schema: dict[str, Any], raw: str) -> None:
    assert check_schema(schema) == []
    spec = ToolSpec("order", "", schema, "SAFE", EXECUTOR, json.dumps(schema), read_only=True)
    trace(spec, "{}")

    def judge() -> Verdict:
        verdict = trace(spec, raw).verdict
        if isinstance(verdict, Rejected):
            assert len(feedback.tell(spec, verdict, left=1)) <= feedback.MOST_CHARACTERS
        return verdict

    assert cost_of(judge) < 0.1
    verdict = judge()
    assert len(verdict.flags) <= MOST
    assert len(json.dumps(verdict.flags)) < 50_000
