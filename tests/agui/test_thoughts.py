"""What goes on before the text, over AG-UI: thoughts as its reasoning events, retries as our own."""

from __future__ import annotations

from tests.agui.conftest import Program


def test_thoughts_are_reasoning_events_of_their_own_message(client: Program) -> None:
    answer = client.say("fault think then echo four")
    reasoning = [event for event in answer.events if event["type"].startswith("REASONING_")]
    assert [event["type"].removeprefix("REASONING_") for event in reasoning] == [
        "START",
        "MESSAGE_START",
        "MESSAGE_CONTENT",
        "MESSAGE_END",
        "END",
    ]
    (message,) = {event["messageId"] for event in answer.events if event["type"] == "TEXT_MESSAGE_START"}
    assert {event["messageId"] for event in reasoning} == {f"{message}.thoughts"}
    assert reasoning[1]["role"] == "reasoning"
    assert reasoning[2]["delta"].startswith("First I look")
    assert answer.text == "four"
    assert answer.kinds.index("REASONING_END") < answer.kinds.index("TEXT_MESSAGE_END")


def test_a_retry_is_told_and_the_answer_comes_once(client: Program) -> None:
    answer = client.say("fault 503 twice then echo four")
    told = [event["value"] for event in answer.events if event.get("name") == "run.retrying"]
    assert [(one["attempt"], one["of"], one["code"], one["model"]) for one in told] == [
        (1, 3, "overloaded", "demo"),
        (2, 3, "overloaded", "demo"),
    ]
    assert answer.text == "four"
    assert answer.kinds[-1] == "RUN_FINISHED"


def test_a_failed_run_ends_with_an_error_that_can_be_retried(client: Program) -> None:
    answer = client.say("fault 401")
    assert answer.kinds[-1] == "RUN_ERROR"
    assert (answer.events[-1]["code"], answer.events[-1]["metadata"]["retryable"]) == ("auth", True)
