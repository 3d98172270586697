"""A Python function becomes a tool by a decorator, and is given typed arguments."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel, Field, model_validator

from platform_site.models import Tenant, User
from platform_site.tenancy import current_tenant_id
from tools import arguments, executors, registry
from tools.arguments import Rejected
from tools.definition import parsed, spec_from
from tools.models import ToolCall
from tools.outcome import Failed, Outcome, Succeeded, Unknown
from tools.registry import BadHandler, Result, ToolContext, tool
from tools.spec import ToolSpec

pytestmark = pytest.mark.django_db
"""Handlers run in threads that other tests have left a connection in."""


class Booking(BaseModel):
    seats: int = Field(description='How many seats. Good: 2. Bad: "two".', ge=1)
    row: str | None = Field(default=None, description="A letter.")

    @model_validator(mode="after")
    def _front_row_is_small(self) -> Booking:
        if self.row == "A" and self.seats > 4:
            raise ValueError("row A has four seats")
        return self


@dataclass
class Note:
    text: str = field(metadata={"description": "What to write down."})
    tags: list[str] = field(default_factory=list)


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    registry.discover()
    before = dict(registry._handlers)
    yield
    registry._handlers.clear()
    registry._handlers.update(before)


def make(function: Callable[..., Any], **settings: Any) -> ToolSpec:
    tool(pack="test", **settings)(function)
    handler = registry.find(f"test.{function.__name__}")
    assert handler
    return spec_from(parsed(handler.definition()))


def carry_out(spec: ToolSpec, given: dict[str, Any]) -> Outcome:
    tenant, user = Tenant(id="t" * 32, slug="acme"), User(id="u" * 32, email="bob@acme.test")
    call = ToolCall(id="c" * 32, topic="conversation", run="run", arguments=given, tenant_id=tenant.pk)
    return asyncio.run(executors.execute(spec, call, ToolContext(tenant, user)))


def test_the_schema_comes_from_the_model_with_its_descriptions() -> None:
    """R1."""

    def book(context: ToolContext, args: Booking) -> str:
        """Book seats."""
        return "ok"

    spec = make(book, risk="CONFIRM", domain="cinema")
    assert (spec.name, spec.description, spec.risk, spec.domain) == (
        "book",
        "Book seats.",
        "CONFIRM",
        "cinema",
    )
    assert spec.schema["properties"]["seats"]["description"].startswith("How many seats")
    assert spec.schema["additionalProperties"] is False
    assert spec.schema["required"] == ["seats"]


def test_a_dataclass_will_do() -> None:
    """R1, R2."""

    def note(context: ToolContext, args: Note) -> dict[str, Any]:
        """Write it down."""
        assert isinstance(args, Note)
        return {"text": args.text, "tags": args.tags}

    spec = make(note)
    assert spec.schema["properties"]["text"]["description"] == "What to write down."
    assert carry_out(spec, {"text": "x"}) == Succeeded(
        '{"text": "x", "tags": []}', display={"text": "x", "tags": []}, ui=[], flags=[]
    )


def test_sync_and_async_handlers_know_for_whom_and_which_call() -> None:
    def there(context: ToolContext, args: Booking) -> dict[str, Any]:
        """."""
        return {
            "who": context.user.email,
            "call": context.call,
            "topic": context.topic,
            "tenant": current_tenant_id(),
        }

    async def here(context: ToolContext, args: Booking) -> dict[str, Any]:
        """."""
        return there(context, args)

    outcomes = [carry_out(make(one), {"seats": 1}) for one in (there, here)]
    assert outcomes[0] == outcomes[1]
    assert isinstance(outcomes[0], Succeeded)
    assert outcomes[0].display == {
        "who": "bob@acme.test", "call": "c" * 32, "topic": "conversation", "tenant": "t" * 32,
    }  # fmt: skip


def test_a_rule_across_fields_is_an_error_of_the_arguments() -> None:
    """R3: found before anybody is asked, not when it runs."""

    def book(context: ToolContext, args: Booking) -> str:
        """Book."""
        return "ok"

    verdict = arguments.check(make(book), '{"seats": 5, "row": "A"}')
    assert isinstance(verdict, Rejected)
    assert str(verdict.errors[0].message) == "row A has four seats"


def test_no_risk_named_means_confirm() -> None:
    def book(context: ToolContext, args: Booking) -> str:
        """Book."""
        return "ok"

    assert make(book).risk == "CONFIRM"


@pytest.mark.parametrize(
    ("more", "kind"), [({}, Unknown), ({"read_only": True}, Failed), ({"idempotent": True}, Unknown)]
)
@pytest.mark.parametrize("is_async", [True, False])
def test_a_slow_handler_ends_in_time(more: dict[str, Any], kind: type, is_async: bool) -> None:
    async def slow(context: ToolContext, args: Booking) -> str:
        """."""
        await asyncio.sleep(5)
        return ""

    def slow_too(context: ToolContext, args: Booking) -> str:
        """."""
        time.sleep(0.3)
        return ""

    spec = make(slow if is_async else slow_too, timeout_s=0.1, **more)
    assert isinstance(carry_out(spec, {"seats": 1}), kind)


@pytest.mark.parametrize(("read_only", "kind"), [(True, Failed), (False, Unknown)])
def test_a_broken_handler_does_not_tell_why(read_only: bool, kind: type) -> None:
    """T24: the log has the reason, the model does not. How far a write came, nobody knows."""

    def broken(context: ToolContext, args: Booking) -> str:
        """."""
        raise RuntimeError("/srv/secret.key is missing")

    outcome = carry_out(make(broken, read_only=read_only), {"seats": 1})
    assert isinstance(outcome, kind)
    assert "/srv" not in str(outcome)


@pytest.mark.parametrize("is_async", [True, False])
def test_a_cancel_that_a_handler_lets_out_stops_nobodys_call(is_async: bool) -> None:
    """Something it waited for was cancelled: that a person stopped it, and nothing was done, would not be true."""

    async def lose(context: ToolContext, args: Booking) -> str:
        """."""
        raise asyncio.CancelledError

    def lose_in_thread(context: ToolContext, args: Booking) -> str:
        """."""
        raise CancelledError

    outcome = carry_out(make(lose if is_async else lose_in_thread), {"seats": 1})
    assert isinstance(outcome, Unknown)


def test_a_handler_may_fail_in_words_of_its_own() -> None:
    def full(context: ToolContext, args: Booking) -> Failed:
        """."""
        return Failed("full", "No seats left.", ["Try Monday"])

    assert carry_out(make(full), {"seats": 1}) == Failed("full", "No seats left.", ["Try Monday"])


def test_a_result_can_direct_the_client() -> None:
    """M4, M8."""
    suggest = registry.find("general.suggest_replies")
    assert suggest
    spec = spec_from(parsed(suggest.definition()))
    assert (spec.risk, spec.read_only, spec.domain) == ("SAFE", True, "general")
    outcome = carry_out(spec, {"options": ["41", "42"]})
    assert isinstance(outcome, Succeeded)
    assert (outcome.final, outcome.ui) == (True, [{"kind": "suggestions", "options": ["41", "42"]}])
    assert outcome.content == '{"shown": ["41", "42"]}'


def test_mistakes_in_code_are_found_when_it_is_imported() -> None:
    def no_model(context, args):  # type: ignore[no-untyped-def]
        """."""

    def one_argument(context: ToolContext) -> str:
        return ""

    def not_an_object(context: ToolContext, args: int) -> str:
        return ""

    for function in (no_model, one_argument, not_an_object):
        with pytest.raises(BadHandler):
            tool(pack="test")(function)


def test_every_registered_handler_can_be_saved() -> None:
    for handler in registry.every():
        parsed(handler.definition())
    assert registry.find("general.suggest_replies")
    assert Result("x").final is False
