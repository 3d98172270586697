"""A retry repeats exactly the request its run failed at, whatever changed since (D6)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from agents.catalogue import save_agent, save_model
from agents.messages import Request
from agents.providers.base import ProviderError
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, StreamEvent, TextDelta
from conversations import actions, branches, exact, steps
from conversations.models import ExactRequest, Message, Run
from platform_site.errors import Problem
from tests.conversations.conftest import HAPPENED, NAMES, Talk
from tests.conversations.folding import check_folds
from tests.conversations.test_faults import Wired, fault, says, wired
from tools.catalogue import offered, save_tool, switch_tool
from tools.models import Tool, ToolCall
from tools.registry import find

__all__ = ["wired"]
Step = Callable[[], list[StreamEvent]]


class Scripted:
    """A provider that plays steps and keeps every request, written out whole."""

    name, is_demo = "demo", True

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[bytes] = []
        self.models: list[ModelSpec] = []

    async def stream(self, request: Request, model: ModelSpec) -> AsyncIterator[StreamEvent]:
        self.requests.append(json.dumps(exact.to_json(request, [model]), sort_keys=True).encode())
        self.models.append(model)
        for event in self.steps.pop(0)():
            yield event


def say(text: str) -> Step:
    return lambda: [TextDelta(text), Finish("stop", "scripted")]


def call(name: str, item: str) -> Step:
    return lambda: [CallDelta(0, "x", name, json.dumps({"item": item})), Finish("stop", "scripted")]


def fail() -> list[StreamEvent]:
    raise ProviderError("bad_request", "The model did not want to.")


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Scripted]:
    def with_steps(*steps: Step) -> Scripted:
        provider = Scripted(*steps)
        monkeypatch.setattr("agents.providers.get", lambda _: provider)
        return provider

    return with_steps


def change_everything() -> None:
    """The agent, its model and each of its tools are not what they were."""
    save_model({"slug": "demo", "provider": "demo", "name": "demo", "settings": {"temperature": 1.0}})
    save_model({"slug": "other", "provider": "demo", "name": "other"})
    definition = {
        "slug": "helper",
        "name": "Helper",
        "instructions": "Refuse.",
        "models": ["other"],
        "tools": [],
    }
    save_agent(definition, None)
    for name in NAMES:
        handler = find(f"tests.{name}")
        assert handler
        save_tool(handler.definition() | {"description": "Something else."}, None)


def retry(talk: Talk, failed: Run) -> Run:
    return talk.move(actions.retry_run(talk.actor, failed.pk))


def test_a_retry_makes_the_same_request_byte_for_byte(talk: Talk, play: Any) -> None:
    provider = play(fail, say("now"))
    failed = talk.turn("hello")
    change_everything()
    assert retry(talk, failed).outcome == "success"
    assert provider.requests[0] == provider.requests[1]
    assert b"Help." in provider.requests[1]
    assert talk.texts()[-1] == "now"
    check_folds(talk.conversation.pk)


def test_without_a_retry_the_change_is_seen(talk: Talk, play: Any) -> None:
    provider = play(fail, say("now"))
    talk.turn("hello")
    change_everything()
    talk.turn("hello")
    assert b"Refuse." in provider.requests[1]


def test_the_same_bytes_reach_the_models_server(wired: Wired) -> None:
    """Not our form of it alone: what the provider's adapter made of it went over the wire twice."""
    failed = wired.turn("hello", fault("401"))
    (first,) = wired.seen
    save_tool(find("tests.look").definition() | {"description": "Something else."}, None)  # type: ignore[union-attr]
    wired.move(actions.retry_run(wired.talk.actor, failed.pk), says("Hello"))
    assert wired.seen[0].body == first.body


def test_a_run_that_failed_in_its_third_round_repeats_no_call(talk: Talk, play: Any) -> None:
    """What was carried out keeps its result and is listed as done; the request holds both results, as it did."""
    provider = play(call("look", "hat"), call("look", "coat"), fail, say("done"))
    failed = talk.turn("look around")
    change_everything()
    again = retry(talk, failed)
    assert again.outcome == "success"
    assert HAPPENED == [("look", "hat"), ("look", "coat")]
    assert provider.requests[2] == provider.requests[3]
    started = [event for event in talk.log() if event["type"] == "RUN_STARTED"][-1]
    assert started["metadata"]["done"] == [one.pk for one in talk.calls()]


def test_a_turn_without_calls_lists_none_as_done(talk: Talk, play: Any) -> None:
    play(call("look", "hat"), say("a hat"), fail, say("done"))
    talk.turn("look")
    retry(talk, talk.turn("and now?"))
    assert [event for event in talk.log() if event["type"] == "RUN_STARTED"][-1]["metadata"]["done"] == []


def test_a_retry_that_fails_too_can_be_retried_the_same_way(talk: Talk, play: Any) -> None:
    provider = play(fail, fail, say("at last"))
    again = retry(talk, talk.turn("hello"))
    assert again.status == "failed"
    assert retry(talk, again).outcome == "success"
    assert len(set(provider.requests)) == 1
    assert len(set(ExactRequest.objects.values_list("sha256", flat=True))) == 1
    check_folds(talk.conversation.pk)


def test_the_gate_judges_what_comes_back_by_todays_rules(talk: Talk, play: Any) -> None:
    """The model was offered a SAFE tool; by now it asks first."""
    play(fail, call("look", "hat"))
    failed = talk.turn("hello")
    save_tool(find("tests.look").definition() | {"risk": "CONFIRM", "read_only": False}, None)  # type: ignore[union-attr]
    assert retry(talk, failed).outcome == "interrupt"
    assert talk.statuses() == ["held"]
    assert ToolCall.objects.get().version_id == offered(["look"])["look"].version
    assert HAPPENED == []


def test_a_tool_that_was_switched_off_is_refused_though_the_model_was_offered_it(
    talk: Talk, play: Any
) -> None:
    play(fail, call("look", "hat"), say("well"))
    failed = talk.turn("hello")
    switch_tool(Tool.objects.get(name="look"), False, None)
    retry(talk, failed)
    assert talk.statuses() == ["refused"]
    assert HAPPENED == []


def test_after_the_first_reply_a_retry_goes_on_with_what_came_of_it(talk: Talk, play: Any) -> None:
    provider = play(fail, call("look", "hat"), say("a hat"))
    retry(talk, talk.turn("hello"))
    assert b'"price": 5' in provider.requests[2].replace(b'\\"', b'"')
    assert talk.texts()[-1] == "a hat"


def test_a_retry_taken_over_by_another_process_makes_the_same_request(talk: Talk, play: Any) -> None:
    """After a restart, too: what it needs is in rows."""
    from tests.conversations.test_runner import let_go

    provider = play(fail, say("now"))
    failed = talk.turn("hello")
    change_everything()
    again = actions.retry_run(talk.actor, failed.pk)
    assert steps.claim(again.pk, "dead")
    let_go(again)
    assert talk.move(again).outcome == "success"
    assert provider.requests[0] == provider.requests[1]


def test_nothing_is_retried_after_a_newer_message(talk: Talk, play: Any) -> None:
    play(fail, say("later"))
    failed = talk.turn("hello")
    talk.turn("something else")
    with pytest.raises(Problem, match="Only the last run"):
        actions.retry_run(talk.actor, failed.pk)


def test_nothing_is_retried_in_a_branch_that_is_not_shown(talk: Talk, play: Any) -> None:
    """And one can go back, and retry there."""
    play(say("one"), say("two"), fail, say("better"))
    talk.turn("first")
    asked = branches.edit_message(
        talk.actor,
        talk.conversation.pk,
        Message.objects.filter(role="user").get().pk,
        branches.Rewording("second"),
    )
    talk.move(Run.objects.get(pk=asked.run))
    first, _second = Message.objects.filter(role="user").order_by("position")
    failed = talk.turn("third")
    head = Message.objects.order_by("-position").first()
    assert head
    branches.switch(talk.actor, talk.conversation.pk, first.pk)
    with pytest.raises(Problem, match="Another version"):
        actions.retry_run(talk.actor, failed.pk)
    branches.switch(talk.actor, talk.conversation.pk, head.pk)
    assert retry(talk, failed).outcome == "success"


def test_a_model_moved_to_another_provider_is_asked_as_it_is_now(talk: Talk, play: Any) -> None:
    """Whoever mends a model's address or provider does so that a retry works."""
    provider = play(fail, say("now"))
    failed = talk.turn("hello")
    from agents.models import LanguageModel

    LanguageModel.objects.filter(slug="demo").update(provider="openai", name="moved")
    assert retry(talk, failed).outcome == "success"
    assert [(model.provider, model.name) for model in provider.models] == [
        ("demo", "demo"),
        ("openai", "moved"),
    ]


def test_a_kept_request_that_was_changed_is_not_sent(talk: Talk, play: Any) -> None:
    provider = play(fail, say("now"))
    failed = talk.turn("hello")
    kept = ExactRequest.objects.get()
    ExactRequest.objects.update(content=kept.content | {"instructions": "Obey."})
    again = actions.retry_run(talk.actor, failed.pk)
    with pytest.raises(exact.Changed):
        talk.move(again)
    assert len(provider.requests) == 1


def test_the_failed_reply_and_the_retrys_are_versions_of_one(talk: Talk, play: Any) -> None:
    play(lambda: [TextDelta("half an"), *fail()], say("a whole answer"))
    failed = talk.turn("hello")
    retry(talk, failed)
    half, whole = Message.objects.filter(role="assistant").order_by("position")
    assert half.parent_id == whole.parent_id
    assert talk.conversation.__class__.objects.get().head_id == whole.pk
