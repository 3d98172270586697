"""A scripted week of traffic: what models sent, how it was mended or rejected, what came of it. Always the same.

`make_week` writes it into the tenant acted for and returns what it wrote, so that tests need not count by hand. Run
by the tests here, by the browser's, and on a larger scale by whoever wants to know how fast the pages are.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from platform_site.ids import new_id
from platform_site.models import User
from tools import catalogue
from tools.models import (
    AttemptOutcome,
    AttemptSource,
    CallAttempt,
    CallStatus,
    ChainResult,
    Fault,
    NextStep,
    Tool,
    ToolCall,
    ToolVersion,
)
from tools.pipeline.kinds import field_of, kind_of

Error = dict[str, Any]
WHAT = {"type": "string", "minLength": 2}
MANY = {"type": "integer", "minimum": 1, "maximum": 20}
SCHEMAS: dict[str, dict[str, Any]] = {
    "find_goods": {"query": WHAT, "max_price": {"type": "number"}, "sort": {"enum": ["price", "rating"]}},
    "put_in_basket": {"product_id": {"type": "integer"}, "quantity": MANY},
    "place_order": {"items": {"type": "array"}, "address": WHAT},
}
MODELS = {"demo": 5, "llama-local-8b": 3, "qwen-local-14b": 2}
AGENTS = {"find_goods": "guide", "put_in_basket": "guide", "place_order": "buyer"}


@dataclass(frozen=True)
class Step:
    """One attempt of a script."""

    raw: str
    outcome: AttemptOutcome
    errors: tuple[Error, ...] = ()
    mended: str = ""
    flags: tuple[dict[str, Any], ...] = ()
    source: AttemptSource = AttemptSource.MODEL


@dataclass(frozen=True)
class Script:
    """One wish and how it ended; `weight`: how often it happens."""

    tool: str
    weight: int
    result: ChainResult
    steps: tuple[Step, ...]


@dataclass
class Week:
    """What was written, in order."""

    attempts: list[CallAttempt] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)

    @property
    def wishes(self) -> list[CallAttempt]:
        return [attempt for attempt in self.attempts if attempt.number == 1]

    @property
    def listed(self) -> list[CallAttempt]:
        """What the lists are about: what a person filled in stands in its chain alone."""
        return [one for one in self.attempts if one.source != AttemptSource.PERSON]

    @property
    def failed(self) -> list[CallAttempt]:
        return [
            one
            for one in self.attempts
            if one.outcome in (AttemptOutcome.REJECTED, AttemptOutcome.UNKNOWN_TOOL)
        ]


def error(path: str, keyword: str, message: str, **more: Any) -> Error:
    return {"path": path, "keyword": keyword, "message": message, **more}


def bad(raw: str, *errors: Error) -> Step:
    return Step(raw, AttemptOutcome.REJECTED, errors)


def good(raw: str) -> Step:
    return Step(raw, AttemptOutcome.VALID)


MISSING = error("$.query", "required", "This argument is missing.", fix="Add query.")
UNKNOWN = error("$.prize_max", "additionalProperties", "There is no argument of this name.", given=500,
                fix="Did you mean max_price?")  # fmt: skip
TOO_MANY = error("$.quantity", "maximum", "This must be at most 20.", expected=20, given=200)
NOT_WHOLE = error(
    "$.product_id", "type", "This must be of type integer.", expected=["integer"], given="the red one"
)
NO_SIZE = error("$.items[1].size", "enum", "This must be one of the listed values.", expected=["S", "M"], given="XXL",
                fix="Use one of S, M.")  # fmt: skip
NO_STREET = error(
    "$.address", "rule:street", "The address needs a street and a number.", fix="Ask for the street."
)
CUT = error("$", "truncated", "The arguments were cut off.", fix="Send them again, shorter.")
NO_TOOL = error("$", "unknown_tool", "There is no tool “order_now”.", fix="Did you mean place_order?")

ORDER = '{"items": [{"id": 7, "size": "M"}, {"id": 9, "size": "XXL"}], "address": "Main St"}'
FIXED = '{"items": [{"id": 7, "size": "M"}, {"id": 9, "size": "M"}], "address": "Main St 1"}'
FENCED = '```json\n{"query": "running shoes", "max_price": "500",}\n```'
SHOES = '{"query": "running shoes", "max_price": "500"}'
FENCE_FLAGS = (
    {"name": "fence", "before": '```json\n{"query"', "after": '{"query"'},
    {"name": "commas", "before": '"500",}', "after": '"500"}'},
    {"name": "coerced", "path": "$.max_price", "before": "500", "after": 500, "detail": "text_to_number"},
)
SMART = "{“product_id”: 7, 'quantity': 2}"
QUOTED = '{"product_id": 7, "quantity": 2}'
QUOTE_FLAGS = ({"name": "quotes", "before": "{“product_id”", "after": '{"product_id"'},)
PERSON = Step(FIXED, AttemptOutcome.VALID, source=AttemptSource.PERSON)

MISSPELT = bad('{"qeury": "shoes"}', MISSING)
MADE_UP = bad('{"prize_max": 500}', MISSING, UNKNOWN)
STILL_WRONG = bad('{"query": "shoes", "prize_max": 500}', UNKNOWN)
BROKEN_OFF = bad('{"query": "shoes\u200b", "sort": ["price", "rat', CUT)
RED_ONE = bad('{"product_id": "the red one", "quantity": 200}', NOT_WHOLE, TOO_MANY)
WRONG_ORDER = bad(ORDER, NO_SIZE, NO_STREET)
NO_NUMBER = bad(ORDER, NO_STREET)
ORDER_NOW = Step("{}", AttemptOutcome.UNKNOWN_TOOL, (NO_TOOL,))
UNFENCED = Step(FENCED, AttemptOutcome.MENDED, mended=SHOES, flags=FENCE_FLAGS)
UNQUOTED = Step(SMART, AttemptOutcome.MENDED, mended=QUOTED, flags=QUOTE_FLAGS)
SEARCH, BASKET, PLACED = good('{"query": "running shoes"}'), good(QUOTED), good(FIXED)
R = ChainResult
SCRIPTS = (
    Script("find_goods", 40, R.FIRST_PASS, (SEARCH,)),
    Script("find_goods", 8, R.MENDED, (UNFENCED,)),
    Script("find_goods", 5, R.CORRECTED, (MISSPELT, SEARCH)),
    Script("find_goods", 3, R.CORRECTED, (MADE_UP, STILL_WRONG, SEARCH)),
    Script("find_goods", 2, R.GAVE_UP, (BROKEN_OFF,)),
    Script("put_in_basket", 24, R.FIRST_PASS, (BASKET,)),
    Script("put_in_basket", 6, R.MENDED, (UNQUOTED,)),
    Script("put_in_basket", 4, R.CORRECTED, (RED_ONE, BASKET)),
    Script("place_order", 12, R.FIRST_PASS, (PLACED,)),
    Script("place_order", 4, R.BY_PERSON, (WRONG_ORDER, WRONG_ORDER, PERSON)),
    Script("place_order", 1, R.OPEN, (NO_NUMBER, NO_NUMBER)),
    Script("order_now", 2, R.GAVE_UP, (ORDER_NOW,)),
)


def make_week(person: User, *, wishes: int = 240, days: int = 7, until: datetime | None = None) -> Week:
    """`wishes` chains, spread evenly over the `days` before `until` (now, if not given)."""
    chance, week = random.Random(7), Week()
    versions = {name: _versions(name) for name in SCHEMAS}
    until = until or timezone.now()
    start = until - timedelta(days=days)
    for script, share in zip(_scripts(chance, wishes), _shares(wishes), strict=True):
        at = start + share * (until - start)
        known = versions.get(script.tool)
        version = known[share > 0.5] if known else None
        _write(week, script, at, version, person, chance.choices([*MODELS], [*MODELS.values()])[0])
    ToolCall.objects.bulk_create(week.calls, 1000)
    CallAttempt.objects.bulk_create(week.attempts, 1000)
    Fault.objects.bulk_create(week.faults, 1000)
    return week


def _scripts(chance: random.Random, wishes: int) -> list[Script]:
    """Each script as often as its weight says, shuffled; every one at least once."""
    picked = [
        *SCRIPTS,
        *chance.choices(SCRIPTS, [script.weight for script in SCRIPTS], k=wishes - len(SCRIPTS)),
    ]
    chance.shuffle(picked)
    return picked


def _shares(count: int) -> Iterator[float]:
    return ((at + 0.5) / count for at in range(count))


def _versions(name: str) -> list[ToolVersion]:
    """The tool's first version and a second one."""
    for description in ("As it was.", "As it is."):
        catalogue.save_tool(_definition(name, description), None)
    return list(Tool.objects.get(name=name).versions.order_by("number"))


def _definition(name: str, description: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": SCHEMAS[name], "additionalProperties": False}
    return {"name": name, "description": description, "schema": schema, "risk": "SAFE", "read_only": True,
            "executor": {"kind": "http", "method": "GET", "url": "https://shop.example/" + name}}  # fmt: skip


def _write(
    week: Week, script: Script, at: datetime, version: ToolVersion | None, person: User, model: str
) -> None:
    chain, run, topic = "", new_id(), new_id()
    for number, step in enumerate(script.steps, 1):
        status = CallStatus.REJECTED if step.errors else CallStatus.SUCCEEDED
        call = ToolCall(topic=topic, run=run, name=script.tool, raw=step.raw, version=version, status=status)
        attempt = CallAttempt(
            call=call, number=number, source=step.source, topic=topic, run=run, agent=AGENTS.get(script.tool, "guide"),
            tool=script.tool, version=version, model=model, requester=person, raw=step.raw, mended=step.mended,
            flags=list(step.flags), errors=list(step.errors), outcome=step.outcome, next_step=_next(script, number),
            created_at=at + timedelta(seconds=3 * number),
        )  # fmt: skip
        chain = attempt.chain = chain or attempt.pk
        if number == 1:
            attempt.chain_result, attempt.chain_length = script.result, len(script.steps)
        week.calls.append(call)
        week.attempts.append(attempt)
        week.faults += [_fault(attempt, told) for told in step.errors]


def _next(script: Script, number: int) -> NextStep:
    step = script.steps[number - 1]
    if not step.errors:
        return NextStep.WENT_ON
    if number == len(script.steps):
        return NextStep.ASKED if script.result == R.OPEN else NextStep.GAVE_UP
    asked = script.steps[number].source == AttemptSource.PERSON
    return (
        NextStep.ASKED
        if asked
        else NextStep.CORRECTED
        if not script.steps[number].errors
        else NextStep.SENT_BACK
    )


def _fault(attempt: CallAttempt, told: Error) -> Fault:
    return Fault(
        attempt=attempt, field=field_of(told["path"]), keyword=told["keyword"], kind=kind_of(told["keyword"])
    )
