"""A background call from the gate to the run that tells its outcome."""

from __future__ import annotations

import json

import pytest

from conversations import actions, turn
from conversations import jobs as outcomes
from conversations.models import Run
from platform_site import bell
from tests.conversations.conftest import Talk
from tests.jobs.conftest import Stage, activities, ask, job_of, queued, work
from tools.models import Job, ToolCall


def test_the_model_gets_a_ticket_and_the_chat_goes_on(jobs: Talk, stage: Stage) -> None:
    call = ask(jobs, "build")
    assert (call.status, job_of(call).attempts, stage.effects) == ("claimed", 0, [])
    assert jobs.texts()[-1] == "`build` is at work in the background. I will tell you what comes of it."
    assert "TOOL_CALL_RESULT" not in jobs.kinds()
    assert activities(jobs, call) == [
        {"status": "queued", "percent": None, "words": "", "output": "", "said": []}
    ]
    assert jobs.turn("hello").outcome == "success"


def test_only_ids_wait_in_the_queue(jobs: Talk) -> None:
    """T59."""
    call = ask(jobs, "build", "a secret plan")
    (task,) = queued()
    assert (task["func"], task["args"], task["kwargs"]) == (
        "tools.jobs.tasks.work",
        (call.tenant_id, call.pk),
        {},
    )
    assert "secret plan" not in repr(task)


@pytest.mark.parametrize("name", ["study", "muse", "build"])
def test_a_worker_carries_it_out_and_tells_how_far_it_is(name: str, jobs: Talk, stage: Stage) -> None:
    stage.on_the_way = lambda context: (
        context.report(percent=50.7, words="half"), context.say("one"), context.say("two"),
    )  # fmt: skip
    call = work(ask(jobs, name))
    assert call.status == "succeeded"
    told = activities(jobs, call)
    assert [one["status"] for one in told] == ["queued", "working", "succeeded"]
    assert told[-1] == {
        "status": "succeeded",
        "percent": 50,
        "words": "half",
        "output": "one\ntwo",
        "said": [],
    }
    job = job_of(call)
    assert (job.percent, job.words, job.output) == (50, "half", "one\ntwo"), "the log folds to the row"
    assert jobs.kinds()[-1] == "TOOL_CALL_RESULT"


def test_its_outcome_is_told_once_by_a_notice_and_a_run(jobs: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bell.Notice] = []
    monkeypatch.setattr(bell, "notify", heard.append)
    call = work(ask(jobs, "study"))
    assert [outcomes.tell_outcomes(), outcomes.tell_outcomes()] == [[call.pk], []]
    assert [run.cause for run in Run.objects.filter(status="queued")] == ["job"]
    assert [(one.kind, one.user, one.data["call"]) for one in heard if one.kind == "job"] == [
        ("job", jobs.actor.user.pk, call.pk)
    ]
    assert jobs.move().outcome == "success"
    assert jobs.texts()[-1] == '`study` answered: {"done": "hat"}'
    assert ToolCall.objects.count() == 1, "nothing is called again"


def test_a_run_that_was_there_before_the_end_is_told_that_it_works(jobs: Talk) -> None:
    """The outcome comes as news to the run that is made for it, and to no other."""
    call = ask(jobs, "study")
    run = jobs.say("echo later")
    Run.objects.filter(pk=run.pk).update(started_at=call.claimed_at)
    work(call)

    def told(began: object) -> tuple[str, str]:
        messages = turn.read_history(jobs.conversation.pk, _head(jobs), [_read(call)], began)  # type: ignore[arg-type]
        result = next(part for message in messages if message.role == "tool" for part in message.parts)
        return result.status, messages[-1].parts[0].text[:6]  # type: ignore[union-attr]

    assert told(call.claimed_at)[0] == "working"
    assert told(None) == ("succeeded", "[Note ")


def _read(call: ToolCall) -> ToolCall:
    return ToolCall.objects.select_related("version").get(pk=call.pk)


def _head(talk: Talk) -> str | None:
    talk.conversation.refresh_from_db()
    return talk.conversation.head_id


def test_what_must_be_agreed_to_is_queued_after_the_yes(jobs: Talk, stage: Stage) -> None:
    call = ask(jobs, "demolish")
    assert (call.status, Job.objects.count(), queued()) == ("held", 0, [])
    jobs.decide()
    assert jobs.move().outcome == "success"
    assert work(call).status == "succeeded"
    assert stage.effects == [("demolish", "hat")]


def test_what_the_model_hears_at_once_is_a_ticket(jobs: Talk) -> None:
    call = _read(ask(jobs, "study"))
    answer = json.loads(turn.told(call).content)
    assert (answer["status"], answer["ticket"]) == ("WORKING", call.pk)
    assert "message" in answer


def test_when_the_conversation_is_gone_nobody_is_told(jobs: Talk, stage: Stage) -> None:
    """It is cancelled with the conversation; what had begun is still recorded."""
    begun, waiting = ask(jobs, "build"), ask(jobs, "build")
    stage.on_the_way = lambda context: actions.delete(jobs.actor, jobs.conversation.pk)
    assert work(begun).status == "succeeded"
    waiting.refresh_from_db()
    assert (waiting.status, stage.effects) == ("failed", [("build", "hat")])
    assert outcomes.tell_outcomes() == []
    assert not Job.objects.filter(is_told=False).exists()
