"""T14: each way in meets the same gate, at each of the three levels; and there is no way beside them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from conversations import actions, branches
from conversations.models import Message, Run
from conversations.reminders import claiming, delivering
from conversations.reminders import verbs as reminders
from conversations.reminders.models import Reminder
from conversations.reminders.verbs import Wish
from platform_site import tokens
from platform_site.env import BASE_DIR
from platform_site.models import User
from tests.conversations.conftest import HAPPENED, Talk, bobs, talk
from tests.walk.test_frame_walk import Socket

__all__ = ["bobs", "talk"]
ROOMS = ("platform_site", "tools", "agents", "conversations")
Way = Callable[[Talk, str], None]


def by_socket(talk: Talk, text: str) -> None:
    import asyncio

    _, bearer = tokens.make(talk.actor.user, "a program", ["chat"])
    frame = {"type": "message.send", "id": "1", "conversation": talk.conversation.pk, "text": text}
    assert asyncio.run(Socket("acme", bearer).ask(frame)) == "ack"


def by_api(talk: Talk, text: str) -> None:
    _, bearer = tokens.make(talk.actor.user, "a program", ["chat"])
    answer = Client(headers={"Authorization": f"Bearer {bearer}"}).post(
        f"/api/v1/t/acme/conversations/{talk.conversation.pk}/messages",
        json.dumps({"text": text}),
        content_type="application/json",
    )
    assert answer.status_code == 202, answer.content


def by_retry(talk: Talk, text: str) -> None:
    failed = talk.say(text)
    Run.objects.filter(pk=failed.pk).update(status="failed")
    actions.retry_run(talk.actor, failed.pk)


def last_said(talk: Talk) -> Message:
    return Message.objects.filter(conversation=talk.conversation, role="user").latest("position")


def by_edit(talk: Talk, text: str) -> None:
    talk.turn("echo one")
    said = last_said(talk)
    branches.edit_message(talk.actor, talk.conversation.pk, said.pk, branches.Rewording(text))


def by_regenerate(talk: Talk, text: str) -> None:
    actions.stop_run(talk.actor, talk.say(text).pk)
    said = last_said(talk)
    reply = Message.objects.create(
        conversation=talk.conversation,
        position=10_000 + said.position,
        role="assistant",
        parts=[],
        parent=said,
    )
    branches.regenerate(talk.actor, talk.conversation.pk, reply.pk)


def by_agui(talk: Talk, text: str) -> None:
    _, bearer = tokens.make(talk.actor.user, "a program", ["chat"])
    said = {"id": "1", "role": "user", "content": text}
    answer = Client(headers={"Authorization": f"Bearer {bearer}"}).post(
        "/api/v1/t/acme/agents/helper/ag-ui",
        json.dumps({"threadId": talk.conversation.pk, "runId": "r", "messages": [said]}),
        content_type="application/json",
    )
    assert answer.status_code == 200, answer.content


def by_reminder(talk: Talk, text: str) -> None:
    """It is due, and nobody is there."""
    wish = Wish("daily", "09:00", text, action="run")
    reminder = reminders.set_(talk.actor, talk.conversation.pk, wish)
    Reminder.objects.filter(pk=reminder.pk).update(next_due=timezone.now())
    for one in claiming.claim_due(timezone.now()):
        assert delivering.deliver(one.occurrence)
    reminders.delete(talk.actor, reminder.pk)


WAYS: dict[str, Way] = {
    "websocket": by_socket, "http api": by_api, "AG-UI": by_agui, "retry": by_retry, "edit": by_edit,
    "regenerate": by_regenerate, "reminder": by_reminder,
}  # fmt: skip
LEVELS = {"look": ("success", ["succeeded"]), "buy": ("interrupt", ["held"]), "sell": ("interrupt", ["held"])}


@pytest.mark.parametrize("tool", LEVELS)
@pytest.mark.parametrize("way", WAYS)
def test_each_way_in_meets_the_gate(way: str, tool: str, talk: Talk) -> None:
    outcome, statuses = LEVELS[tool]
    if way == "reminder":
        outcome = "success"  # what waits is parked: nobody is there to be waited for
    WAYS[way](talk, f'call {tool} {{"item": "hat"}}')
    assert talk.move().outcome == outcome
    assert talk.statuses() == statuses
    assert ([("look", "hat")] if tool == "look" else []) == HAPPENED


@pytest.mark.parametrize("tool", LEVELS)
def test_so_does_the_playground(tool: str, talk: Talk, adam: User) -> None:
    """A person asks instead of a model, without a run."""
    browser = Client()
    browser.force_login(adam)
    answer = browser.post(
        "/t/acme/review/playground/run/", {"tool": tool, "raw": '{"item": "hat"}', "key": "k"}
    )
    assert answer.status_code == 302
    assert talk.statuses() == LEVELS[tool][1]
    assert ([("look", "hat")] if tool == "look" else []) == HAPPENED


@cache
def calls() -> frozenset[tuple[str, str]]:
    """(module, called name) of every call in the product's source, the last two parts of the name.

    What is handed to `db` is called in a database thread.
    """
    return frozenset(found())


def found() -> Iterator[tuple[str, str]]:
    for room in ROOMS:
        for path in (BASE_DIR / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    by_a_thread = ast.unparse(node.func) == "db" and node.args
                    called = ast.unparse(node.args[0] if by_a_thread else node.func)
                    yield str(path.relative_to(BASE_DIR)), ".".join(called.split(".")[-2:])


def callers(*names: str) -> set[str]:
    return {module for module, name in calls() if name in names}


def test_there_is_no_other_way_to_an_effect() -> None:
    """Rule 1: one place executes, and what it executes was claimed there; a new place fails here and needs its row."""
    assert callers("executors.execute") == {
        "conversations/engine.py", "tools/review/trying.py", "tools/review/showing.py", "tools/jobs/work.py"
    }  # fmt: skip
    assert callers("work.carry_out", "tasks.work") == set(), "the queue alone calls it, by its path"
    assert callers("queueing.put") == {"tools/gate/claiming.py", "tools/gate/resolving.py"}
    assert callers("executors.consult") == {"tools/packs/market/handlers.py"}
    assert callers("previews.begin") == {"conversations/steps.py", "tools/review/showing.py"}
    assert callers("gate.claim", "gate.claim_cleared") == {"conversations/steps.py", "tools/review/trying.py"}
    assert callers("gate.propose") == {"conversations/steps.py", "tools/review/trying.py"}
    assert callers("trying.ask") == {"tools/review/playground.py"}
    assert callers("trying.answer", "trying.go_on") == {
        "tools/review/playground_tries.py", "conversations/review_question.py"
    }  # fmt: skip
    assert callers("engine.advance") == {"conversations/runner.py"}
    inside = {str(Path("tools/executors") / name) for name in ("__init__.py",)}
    assert callers("http.run", "python.run") == inside


def test_every_way_to_queue_a_run_is_walked() -> None:
    """Runs are made by these verbs; whoever calls them is a way in and stands above."""
    assert callers("actions.queue_run") == {
        "conversations/branches.py", "conversations/saying.py", "conversations/debate/steering.py"
    }  # fmt: skip
    assert callers("saying.say") == {"conversations/branches.py", "conversations/reminders/delivering.py"}
    assert callers("delivering.deliver") == {
        "conversations/reminders/tasks.py", "conversations/reminders/ticker.py"
    }  # fmt: skip
    assert callers("branches.edit_message", "branches.regenerate") == {
        "conversations/api_branches.py", "conversations/consumers.py"
    }  # fmt: skip
    assert callers("actions.run_on") == {"conversations/watch.py", "conversations/jobs.py"}
    assert callers("gate.resolve") == {"conversations/actions.py"}
    assert callers("objects.create") >= {"conversations/actions.py"}
    assert {module for module, name in calls() if name in ("Run.objects.create", "queue_run")} == {
        "conversations/actions.py"
    }
    assert callers("saying.post_message", "actions.retry_run", "actions.decide") <= {
        "conversations/consumers.py",
        "conversations/agui_asking.py",
        "conversations/agui_resume.py",
        "conversations/api_messages.py",
        "conversations/api_runs.py",
        "conversations/api_confirmations.py",
        "conversations/review_question.py",
    }
