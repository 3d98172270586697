"""Runs survive their runner: claimed once, taken over when a lease ran out, stopped at any moment, retried."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from agents.models import Agent
from conversations import actions, ending, engine, steps
from conversations.actions import Answer
from conversations.models import Message, Run
from conversations.runner import Runner, keep_leases, void_leases, waiting_runs
from platform_site.access import actor_for_session
from platform_site.audit import coming_from
from platform_site.errors import Problem
from platform_site.models import AuditEntry, User
from tests.conversations.conftest import HAPPENED, Talk, steps_db
from tools.catalogue import save_tool
from tools.models import Confirmation
from tools.registry import find


def let_go(run: Run) -> None:
    """The runner that had it died some time ago."""
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_of_many_runners_one_gets_a_run(talk: Talk) -> None:
    run = talk.say("hello")

    def claim(name: int) -> bool:
        try:
            return steps.claim(run.pk, f"runner {name}") is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        contexts = [copy_context() for _ in range(8)]
        won = list(threads.map(lambda pair: pair[1].run(claim, pair[0]), enumerate(contexts)))
    assert won.count(True) == 1
    assert talk.kinds().count("RUN_STARTED") == 1


def test_a_run_is_found_when_queued_and_when_its_runner_died(talk: Talk) -> None:
    run = talk.say("hello")
    assert waiting_runs(10) == [(run.pk, run.tenant_id)]
    assert steps.claim(run.pk, "first")
    talk.say("and another")
    assert waiting_runs(10) == []
    void_leases()
    assert waiting_runs(10) == [(run.pk, run.tenant_id)]


def test_an_interrupted_answer_begins_again_under_the_same_id(talk: Talk) -> None:
    """T46, T73."""
    run = talk.say("hello")
    assert steps.claim(run.pk, "dead")
    let_go(run)
    assert talk.move(run).outcome == "success"
    kinds = talk.kinds()
    assert kinds.count("TEXT_MESSAGE_START") == 1
    assert kinds.count("message.restarted") == 1
    assert kinds.count("RUN_FINISHED") == 1


def claimed_and_left(talk: Talk, tool: str) -> Run:
    """A run whose runner died after it had claimed a call of `tool`, and before it could tell how that ended."""
    run = talk.say(f'call {tool} {{"item": "hat"}}')
    turn = steps.claim(run.pk, "dead")
    assert turn

    async def answer() -> None:
        await engine.answer(engine.Moving(turn))

    asyncio.run(answer())
    let_go(run)
    return run


def test_a_read_that_nobody_finished_is_done_again(talk: Talk) -> None:
    run = claimed_and_left(talk, "look")
    assert talk.statuses() == ["claimed"]
    assert talk.move(run).outcome == "success"
    assert talk.statuses() == ["succeeded"]
    assert HAPPENED == [("look", "hat")]


def test_a_write_that_nobody_finished_is_unknown_and_never_done_again(talk: Talk) -> None:
    """T74: nobody can know, so a person looks."""
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    run = Run.objects.get(status="queued")
    turn = steps.claim(run.pk, "dead")
    assert turn
    steps.claim_calls(turn)
    let_go(run)
    assert talk.statuses() == ["claimed"]
    talk.move(run)
    assert talk.statuses() == ["unknown"]
    assert HAPPENED == []


def test_an_approval_outlives_the_runner(talk: Talk) -> None:
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    run = Run.objects.get(status="queued")
    assert steps.claim(run.pk, "dead")
    let_go(run)
    assert talk.move(run).outcome == "success"
    assert HAPPENED == [("buy", "hat")]


def status_of(run: Run) -> str:
    run.refresh_from_db()
    return run.status


def stop_when(talk: Talk, text: str, reached: Any) -> Run:
    """Say something and press stop at a moment."""
    run = talk.say(text)

    async def scenario() -> None:
        turn = await steps_db(steps.claim, run.pk, "tests")
        moving = engine.Moving(turn)
        moved = asyncio.create_task(engine.advance(moving))
        while not reached(moving):  # noqa: ASYNC110  # a moment in the middle of somebody else's work has no event
            await asyncio.sleep(0)
        moving.stop("person")
        await moved

    asyncio.run(scenario())
    run.refresh_from_db()
    return run


def test_stop_keeps_what_was_said_so_far(talk: Talk) -> None:
    """D4."""
    run = stop_when(talk, "count to 5000", lambda moving: len(moving.reply.text_so_far()) > 500)
    assert (run.status, run.outcome) == ("finished", "cancelled")
    message = Message.objects.get(role="assistant")
    assert message.finish == "cancelled"
    kept = message.parts[0]["text"]
    assert 500 < len(kept) < 15_000
    assert talk.texts() == [kept]
    assert talk.kinds()[-1] == "RUN_FINISHED"
    assert talk.turn("hello").outcome == "success"


def test_stop_ends_a_read_at_once(talk: Talk) -> None:
    run = stop_when(
        talk, 'call ponder {"item": "hat"}', lambda moving: len(moving._ending) and moving.turn.run.rounds
    )
    assert run.outcome == "cancelled"
    assert talk.statuses() == ["failed"]
    assert talk.turn("hello").outcome == "success"


def test_what_a_reviewer_agreed_to_meanwhile_outlives_a_run_that_fails(talk: Talk, rita: User) -> None:
    """The yes has queued a run of its own; only what the failed run began goes with it."""
    handler = find("tests.wipe")
    assert handler
    save_tool(handler.definition() | {"confirmation": {"by": "reviewer", "proof": "none"}}, None)
    talk.turn('call wipe {"item": "hat"}')
    turn = steps.claim(talk.say("hello").pk, "tests")
    question, reviewer = Confirmation.objects.get(), actor_for_session(rita, talk.actor.tenant.slug)
    assert turn and reviewer
    actions.decide(reviewer, question.pk, Answer("approve", question.digest))
    ending.fail(turn, "overloaded", "The model is down.")
    assert talk.statuses() == ["approved"]
    talk.move()
    assert HAPPENED == [("wipe", "hat")]


def test_stopping_what_waits_in_the_queue(talk: Talk) -> None:
    run = talk.say("hello")
    assert actions.stop_run(talk.actor, run.pk) == "finished"
    assert talk.kinds() == ["message.user", "RUN_STARTED", "RUN_FINISHED"]
    assert waiting_runs(10) == []


def test_stopping_what_waits_for_a_person_withdraws_the_question(talk: Talk) -> None:
    run = talk.turn('call buy {"item": "hat"}')
    actions.stop_run(talk.actor, run.pk)
    assert talk.statuses() == ["withdrawn"]
    assert talk.turn("hello").outcome == "success"
    assert HAPPENED == []


def test_stop_after_a_yes_that_was_not_acted_on_takes_it_back(talk: Talk) -> None:
    """Approve, Stop: it does not happen, and not in the next turn either."""
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    run = Run.objects.get(status="queued")
    actions.stop_run(talk.actor, run.pk)
    assert talk.statuses() == ["withdrawn"]
    assert talk.turn("never mind").outcome == "success"
    assert HAPPENED == []


def test_stop_while_the_yes_is_being_acted_on_takes_it_back_if_it_was_not_sent(talk: Talk) -> None:
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    run = Run.objects.get(status="queued")
    turn = steps.claim(run.pk, "tests")
    assert turn
    moving = engine.Moving(turn, why="person")
    asyncio.run(engine.advance(moving))
    assert talk.statuses() == ["withdrawn"]
    assert talk.turn("never mind").outcome == "success"
    assert HAPPENED == []


def test_a_safe_call_that_was_claimed_and_not_begun_does_not_run_after_a_stop(talk: Talk) -> None:
    run = talk.say('call look {"item": "hat"}')
    turn = steps.claim(run.pk, "tests")
    assert turn
    moving = engine.Moving(turn)
    asyncio.run(engine.answer(moving))
    moving.stop("person")
    asyncio.run(engine.advance(moving))
    assert talk.statuses() == ["failed"]
    assert talk.turn("hello").outcome == "success"
    assert HAPPENED == []


def test_writes_that_wait_for_their_place_are_not_sent_after_a_stop(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "SIDE_BY_SIDE", 1)
    talk.turn("\n".join(f'call buy {{"item": "{number}"}}' for number in range(3)))
    for _ in range(3):
        talk.decide()
    run = Run.objects.get(status="queued")
    turn = steps.claim(run.pk, "tests")
    assert turn
    moving = engine.Moving(turn)
    execute = engine.executors.execute

    async def stop_meanwhile(*args: Any) -> Any:
        moving.stop("person")
        return await execute(*args)

    monkeypatch.setattr(engine.executors, "execute", stop_meanwhile)
    asyncio.run(engine.advance(moving))
    assert HAPPENED == [("buy", "0")]
    assert talk.statuses() == ["succeeded", "failed", "failed"]


def test_a_receipt_is_written_down_when_the_database_comes_back(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T75: what was done is not forgotten because the database was away for a moment."""
    settle, failures = steps.settle, [OperationalError("gone"), OperationalError("gone")]

    def flaky(*args: Any, **kwargs: Any) -> None:
        if failures:
            raise failures.pop()
        settle(*args, **kwargs)

    monkeypatch.setattr(steps, "settle", flaky)
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    assert talk.move().outcome == "success"
    assert HAPPENED == [("buy", "hat")]
    assert talk.statuses() == ["succeeded"]


def test_an_agent_that_was_switched_off_answers_no_more(talk: Talk) -> None:
    waiting = talk.say("hello")
    Agent.objects.update(is_enabled=False)
    assert talk.move(waiting).error_code == "auth"
    with pytest.raises(Problem) as refused:
        talk.say("hello?")
    assert refused.value.code == "conflict"


def test_messages_are_answered_in_the_order_they_came(talk: Talk) -> None:
    first, second = talk.say("echo one"), talk.say("echo two")
    assert steps.claim(second.pk, "tests") is None
    assert waiting_runs(10) == [(first.pk, first.tenant_id)]


def test_a_run_that_cannot_be_begun_fails(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    run = talk.say("hello")
    monkeypatch.setattr("agents.catalogue.spec_of", lambda _: 1 / 0)

    async def scenario() -> None:
        runner = Runner()
        runner._begin(run.pk, run.tenant_id)
        await asyncio.gather(*runner._tasks)

    asyncio.run(scenario())
    run.refresh_from_db()
    assert (run.status, run.error_code) == ("failed", "internal")


def test_who_wakes_a_runner_is_not_taken_for_who_acts(talk: Talk) -> None:
    """T65: the task that moves a run may begin in anybody's websocket."""
    run = talk.say('call look {"item": "hat"}')
    with coming_from("websocket", "192.0.2.7", "another person's"):
        asyncio.run(Runner()._move(run.pk, str(run.tenant_id)))
    acts = AuditEntry.objects.filter(verb__startswith="call.")
    assert set(acts.values_list("way", "ip", "request")) == {("system", "", "")}


def test_a_reply_with_too_many_calls_is_refused_whole(talk: Talk) -> None:
    """T68."""
    run = talk.turn("\n".join(f'call look {{"item": "{number}"}}' for number in range(40)))
    assert (run.status, run.error_code) == ("failed", "bad_request")
    assert HAPPENED == []


def test_only_the_last_failed_run_is_retried(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """D6."""
    done = talk.turn("hello")
    with pytest.raises(Problem) as refused:
        actions.retry_run(talk.actor, done.pk)
    assert refused.value.code == "conflict"
    run = talk.say("hello again")
    with monkeypatch.context() as broken:
        broken.setattr("agents.providers.get", lambda _: Down())
        failed = talk.move(run)
    assert (failed.status, failed.error_code) == ("failed", "network")
    again = actions.retry_run(talk.actor, failed.pk)
    assert talk.move(again).outcome == "success"


class Down:
    """A provider that cannot be reached."""

    name, is_demo = "demo", True

    async def stream(self, request: Any, model: Any) -> Any:
        from agents.providers.base import ProviderError

        raise ProviderError("network", "The model could not be reached.")
        yield


def test_a_runner_moves_runs_by_itself_and_drains(talk: Talk) -> None:
    run = talk.say("hello")

    async def scenario() -> None:
        runner = Runner(exclusive=True)
        serving = asyncio.create_task(runner.serve())
        async with asyncio.timeout(10):
            while await steps_db(status_of, run) != "finished":  # noqa: ASYNC110  # as an outsider would look
                await asyncio.sleep(0.01)
        await runner.drain(5)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        from conversations import hall

        await hall.close_doors()

    asyncio.run(scenario())
    run.refresh_from_db()
    assert run.outcome == "success"


def test_a_runner_that_was_taken_for_dead_does_not_speak_for_the_run(talk: Talk) -> None:
    """Two runners with one run: the one that lost its lease writes nothing more of it."""
    run = talk.say("hello")
    slow = steps.claim(run.pk, "slow")
    assert slow
    let_go(run)
    assert talk.move(run).outcome == "success"
    before = talk.kinds()
    asyncio.run(engine.advance(engine.Moving(slow)))
    assert talk.kinds() == before
    assert Message.objects.filter(role="assistant").count() == 1


def test_a_lost_lease_is_noticed_by_the_heartbeat(talk: Talk) -> None:
    run = talk.say("hello")
    assert steps.claim(run.pk, "first")
    assert keep_leases("first", [run.pk]) == {run.pk: False}
    Run.objects.filter(pk=run.pk).update(stop_requested=True)
    assert keep_leases("first", [run.pk]) == {run.pk: True}
    let_go(run)
    assert steps.claim(run.pk, "second")
    assert keep_leases("first", [run.pk]) == {}


def test_a_run_of_somebody_who_was_removed_does_not_start(talk: Talk) -> None:
    """T10."""
    from platform_site.models import Membership

    run = talk.say('call look {"item": "hat"}')
    Membership.objects.filter(user=talk.actor.user).update(is_active=False)
    failed = talk.move(run)
    assert (failed.status, failed.error_code) == ("failed", "auth")
    assert HAPPENED == []
