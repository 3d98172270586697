"""A debate by the other ways in: HTTP API, AG-UI, websocket frame, export, console."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from django.test import Client

from conversations.models import Message, Run
from platform_site import tokens
from platform_site.models import User
from platform_site.tenancy import acting_for
from tests.agui.conftest import Program, program_of
from tests.debate import folding
from tests.debate.conftest import Debated, by_turn, note, says
from tests.walk.test_frame_walk import Socket

WHOLE = [("cognito", 1), ("muse", 2), ("cognito", 3), ("muse", 4), ("", 0)]


class Api:
    """A program of Bob's."""

    def __init__(self, debate: Debated) -> None:
        _, self.bearer = tokens.make(debate.actor.user, "a program", ["chat", "read"])
        self.here = f"/api/v1/t/acme/conversations/{debate.conversation.pk}"

    def get(self, path: str = "", **query: str) -> Any:
        return Client(headers={"Authorization": f"Bearer {self.bearer}"}).get(f"{self.here}{path}", query)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        client = Client(headers={"Authorization": f"Bearer {self.bearer}"})
        return client.post(f"{self.here}{path}", json.dumps(body), content_type="application/json")


def pausing(debate: Debated) -> None:
    debate.plays(
        [lambda: debate.steer("pause"), *says("First.", note("Tea has **caffeine**.", "fact"))],
    )
    debate.turn("Tea?")


def test_over_http_it_is_asked_steered_and_read(debate: Debated) -> None:
    api = Api(debate)
    sent = api.post("/messages", {"text": "Tea?", "options": {"rounds": 1, "models": {"muse": "demo"}}})
    assert sent.status_code == 202
    debate.plays([lambda: debate.steer("pause"), *says("First.", note("Tea has caffeine."))])
    debate.move()
    shown = api.get("/debate").json()
    assert (shown["status"], shown["settings"]["rounds"]) == ("paused", 1)
    assert shown["notepad"]["entries"][0]["text"] == "Tea has caffeine."
    steered = api.post("/debate", {"do": "resume"}).json()
    assert steered["status"] == "active"
    debate.move(Run.objects.get(pk=steered["run"]))
    assert api.post("/debate", {"do": "pause"}).status_code == 409
    assert api.post("/debate", {"do": "shout"}).status_code == 400
    told = api.get("/messages").json()["results"]
    assert [(one["speaker"], one["turn"]) for one in told if one["role"] == "assistant"] == [
        *WHOLE[:2],
        ("", 0),
    ]


def test_where_nothing_was_debated_there_is_nothing_to_read(debate: Debated) -> None:
    assert Api(debate).get("/debate").status_code == 404


def test_the_export_holds_the_notepad_in_data_and_as_markdown(debate: Debated) -> None:
    debate.plays(says("First.", note("Tea has **caffeine**.")))
    debate.turn("Tea?")
    document = Api(debate).get("/export").json()
    (told,) = document["debates"]
    assert (told["status"], told["notepad"]["version"]) == ("done", 1)
    assert told["notepad"]["changes"][0]["by"] == "cognito"
    assert "[N1] Tea has **caffeine**. (Cognito, [T1])" in told["notepad"]["markdown"]


def test_as_markdown_it_can_be_read_by_people(debate: Debated) -> None:
    debate.plays(says("First.", note("Tea has caffeine.")))
    debate.turn("Tea?")
    answer = Api(debate).get("/export", form="markdown")
    assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer.headers["Content-Disposition"].endswith('.md"')
    text = answer.content.decode()
    for wanted in (
        "## Bob\n\nTea?",
        "## Cognito [T1]\n\nFirst.",
        "## Final answer",
        "## Notepad",
        "### Facts\n- [N1]",
    ):
        assert wanted in text


def test_the_frame_steers_it(debate: Debated) -> None:
    pausing(debate)
    _, bearer = tokens.make(debate.actor.user, "a program", ["chat"])
    frame = {"type": "debate.steer", "id": "1", "conversation": debate.conversation.pk, "do": "resume"}
    assert asyncio.run(Socket("acme", bearer).ask(frame)) == "ack"
    debate.move()
    assert debate.turns() == WHOLE


def test_somebody_else_steers_nothing(debate: Debated, charlie: User, rita: User) -> None:
    """T32: not a colleague who does not take part, not a stranger; a reading token does not, either (T39)."""
    pausing(debate)
    frame = {"type": "debate.steer", "id": "1", "conversation": debate.conversation.pk, "do": "resume"}
    _, reading = tokens.make(debate.actor.user, "a reader", ["read"])
    assert asyncio.run(Socket("acme", reading).ask(frame)) == "forbidden"
    _, colleague = tokens.make(rita, "a program", ["chat"])
    assert asyncio.run(Socket("acme", colleague).ask(frame)) == "not_found"
    assert debate.debate().status == "paused"


def agui(debate: Debated) -> Program:
    return program_of(debate.actor, agent="debate", talk=debate)


def test_over_agui_it_is_one_run_with_its_events(debate: Debated) -> None:
    debate.plays(says("First.", note("Tea has caffeine.")))
    answer = agui(debate).say("Tea?")
    assert answer.kinds[:3] == ["RUN_STARTED", "debate.started", "STATE_DELTA"]
    assert answer.last["outcome"] == {"type": "success"}
    state: dict[str, Any] = {}
    for event in answer.events:
        if event["type"] == "STATE_DELTA":
            folding.patched(state, event["delta"])
    assert state["notepad"]["entries"][0]["text"] == "Tea has caffeine."
    speakers = [
        event["metadata"]["speaker"] for event in answer.events if event["type"] == "TEXT_MESSAGE_START"
    ]
    assert speakers == ["cognito", "muse", "cognito", "muse", ""]


def test_over_agui_what_is_said_into_it_joins_its_run(debate: Debated) -> None:
    """A client that says something more listens to the same run, from its beginning to its end."""
    program = agui(debate)
    run = debate.say("Tea?")
    debate.plays(
        by_turn, lambda request: [lambda: debate.say("Think of the cost.", key="ag-ui:m2"), *by_turn(request)]
    )
    debate.move(run)
    program.thread = debate.conversation.pk
    program.messages = [{"id": "m2", "role": "user", "content": "Think of the cost."}]
    answer = program.run()
    assert answer.last["outcome"] == {"type": "success"}
    assert answer.kinds.count("TEXT_MESSAGE_START") == 5
    assert Message.objects.get(key="ag-ui:m2").run_id == run.pk


def test_two_people_in_one_debate_are_told_apart(debate: Debated, rita: User) -> None:
    from conversations import saying
    from conversations.models import Participant
    from platform_site.access import actor_for_session
    from tests.debate.conftest import text_of

    with acting_for(debate.actor.tenant):
        Participant.objects.create(conversation=debate.conversation, user=rita, is_owner=False)
    other = actor_for_session(rita, "acme")
    assert other
    words = saying.Words("Think of the cost.")
    debate.plays(
        lambda request: [
            lambda: saying.post_message(other, debate.conversation.pk, words), *by_turn(request)
        ]
    )  # fmt: skip
    debate.move(debate.say("@Debate Tea?"))
    assert "Rita steps in and says:\nThink of the cost." in text_of(debate.stage.requests[1])
