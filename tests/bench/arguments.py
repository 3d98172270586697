"""How long the argument pipeline takes: `make bench-arguments`.

Each kind of arguments is checked in turn with plain `json.loads` and jsonschema-rs, so that both meet the same machine;
then the worst of the hostile texts. Ends with 1 if a goal was missed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import jsonschema_rs

from tests.tools.pipeline.hostile import HOSTILE, WITH_SCHEMAS
from tools.pipeline.check import trace
from tools.spec import HttpExecutor, ToolSpec

ROUNDS = 1_000
GOAL_P50_MS, GOAL_HOSTILE_MS = 0.3, 100.0
TEXT: dict[str, Any] = {"type": "string", "maxLength": 60_000}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1, "maxLength": 200},
        "content": TEXT,
        "address": {
            "type": "object",
            "properties": {"street": TEXT, "city": TEXT, "zip": {"type": "string"}},
        },
        "gift": {"type": "boolean", "default": False},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "product_id": {"type": "string", "maxLength": 40},
                    "name": TEXT,
                    "quantity": {"type": "integer", "minimum": 1},
                    "price": {"type": "number", "minimum": 0},
                    "size": {"enum": ["S", "M", "L"]},
                },
                "required": ["product_id", "quantity"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["title"],
    "additionalProperties": False,
}
SPEC = ToolSpec("bench", "", SCHEMA, "SAFE", HttpExecutor("POST", "http://shop.test/"), "bench")
ANYTHING = ToolSpec("any", "", {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}},
    "SAFE", HttpExecutor("GET", "http://shop.test/"), "any", read_only=True)  # fmt: skip


def order(quantity: Any = 2) -> dict[str, Any]:
    """About 4 kB of many small values."""
    item = {
        "product_id": "P-1007",
        "name": "Lamp, the small one (red)",
        "quantity": quantity,
        "price": 29.5,
        "size": "M",
    }
    address = {"street": "1 Main St", "city": "上海", "zip": "200001"}
    return {"title": "An order", "gift": True, "address": address, "items": [item] * 38}


def chapter() -> dict[str, Any]:
    """About 4 kB of one long text."""
    return {"title": "雪夜来客", "content": 'He said: "Come in." It was late, and the snow was deep. ' * 72}


WHOLE = json.dumps(order(), ensure_ascii=False)
KINDS = {
    "valid, many values": WHOLE,
    "valid, one long text": json.dumps(chapter(), ensure_ascii=False),
    "mended: a fence": f"```json\n{WHOLE}\n```",
    "mended: as Python prints it": str(order()),
    "coerced: numbers as texts": json.dumps(order("2")),
    "rejected: 38 errors": json.dumps(order(0)),
}
GOAL_IS_FOR = ("valid, many values", "valid, one long text")


def plainly(validator: jsonschema_rs.Validator, raw: str) -> None:
    """What one would do without us."""
    try:
        value = json.loads(raw)
    except ValueError:
        return
    validator.is_valid(value)


def timed(action: Callable[[], object]) -> float:
    """Milliseconds of CPU, which neighbours on the machine do not add to."""
    began = time.process_time()
    action()
    return (time.process_time() - began) * 1_000


def compare(raw: str) -> tuple[list[float], list[float]]:
    """The times of each round, sorted: the pipeline's and the plain check's."""
    validator = jsonschema_rs.Draft202012Validator(SCHEMA)
    ours, plain = [], []
    for _ in range(ROUNDS):
        ours.append(timed(partial(trace, SPEC, raw)))
        plain.append(timed(partial(plainly, validator, raw)))
    return sorted(ours), sorted(plain)


def at(sorted_times: list[float], share: float) -> float:
    return sorted_times[int(len(sorted_times) * share)]


def slowest() -> tuple[float, str]:
    """The worst of the hostile texts, in milliseconds of CPU; each the best of three."""
    found = []
    for name, (spec, raw) in hostile().items():
        trace(spec, "{}")
        found.append((min(timed(partial(trace, spec, raw)) for _ in range(3)), name))
    return max(found)


def hostile() -> dict[str, tuple[ToolSpec, str]]:
    """Each text with the tool it is given to."""
    tools = {
        name: replace(ANYTHING, schema=schema, version=name) for name, (schema, _) in WITH_SCHEMAS.items()
    }
    return {name: (ANYTHING, raw) for name, raw in HOSTILE.items()} | {
        name: (tools[name], raw) for name, (_, raw) in WITH_SCHEMAS.items()
    }


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> int:
    """Prints the table; 0 if the goals are met."""
    missed = []
    say(
        f"{'milliseconds of CPU':28} {'bytes':>6} {'p50':>7} {'p99':>7}   {'plain p50':>9} {'p99':>7}   {'ratio':>5}"
    )
    for name, raw in KINDS.items():
        ours, plain = compare(raw)
        mine, theirs = at(ours, 0.5), at(plain, 0.5)
        size = len(raw.encode())
        say(
            f"{name:28} {size:6} {mine:7.3f} {at(ours, 0.99):7.3f}   {theirs:9.3f} {at(plain, 0.99):7.3f}   "
            f"{mine / theirs:5.1f}"
        )
        missed += [name] if name in GOAL_IS_FOR and mine > GOAL_P50_MS else []
    worst, name = slowest()
    say(f"\nthe slowest of {len(hostile())} hostile texts: {worst:.1f} ms of CPU ({name})")
    say(f"goals: p50 of valid arguments <= {GOAL_P50_MS} ms, hostile texts <= {GOAL_HOSTILE_MS:.0f} ms")
    missed += [name] if worst > GOAL_HOSTILE_MS else []
    say(f"missed: {', '.join(missed)}" if missed else "both met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
