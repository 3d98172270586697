"""Reminders over HTTP: what programs set, see and change, and the answers for what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from conversations.models import Conversation
from platform_site.models import User
from tests.api.conftest import As, same_as_absent

DAILY: dict[str, Any] = {"type": "daily", "time": "09:00", "content": "Stretch", "zone": "Europe/Berlin"}


@pytest.fixture
def made(program: As, bob: User, talk: Conversation) -> dict[str, Any]:
    answer = program(bob).post("reminders", DAILY | {"conversation": talk.pk})
    assert answer.status_code == 201, answer.content
    told: dict[str, Any] = answer.json()
    return told


def test_one_is_set_and_says_when_it_comes(made: dict[str, Any], talk: Conversation) -> None:
    assert {name: made[name] for name in DAILY} == DAILY
    assert (made["conversation"], made["owner"]["name"], made["status"]) == (talk.pk, "Bob", "active")
    assert (made["next"], len(made["coming"])) == (made["coming"][0], 5)
    assert made["may"] == ["change", "delete", "pause"]


def test_the_same_key_sets_one(program: As, bob: User, talk: Conversation) -> None:
    body = DAILY | {"conversation": talk.pk}
    first, again = (program(bob).post("reminders", body, Idempotency_Key="k1").json()["id"] for _ in range(2))
    assert first == again
    assert len(program(bob).get("reminders").json()["results"]) == 1


def test_a_list_comes_in_parts(program: As, bob: User, talk: Conversation) -> None:
    for number in range(3):
        program(bob).post("reminders", DAILY | {"conversation": talk.pk, "content": f"{number}"})
    first = program(bob).get("reminders", limit="2").json()
    rest = program(bob).get("reminders", limit="2", cursor=first["next"]).json()
    assert [row["content"] for row in first["results"] + rest["results"]] == ["2", "1", "0"]
    assert rest["next"] is None


def test_what_is_left_out_of_a_change_stays(program: As, bob: User, made: dict[str, Any]) -> None:
    path = f"reminders/{made['id']}"
    weekly = program(bob).patch(path, {"type": "weekly", "weekday": 0}).json()
    assert (weekly["type"], weekly["weekday"], weekly["time"], weekly["content"]) == (
        "weekly",
        0,
        "09:00",
        "Stretch",
    )
    daily = program(bob).patch(path, {"type": "daily"}).json()
    assert (daily["type"], daily["weekday"]) == ("daily", None)


def test_it_is_paused_resumed_and_deleted(program: As, bob: User, made: dict[str, Any]) -> None:
    path = f"reminders/{made['id']}"
    assert program(bob).post(f"{path}/pause").json()["status"] == "paused"
    assert program(bob).get("reminders", status="paused").json()["results"][0]["id"] == made["id"]
    assert program(bob).post(f"{path}/resume").json()["status"] == "active"
    assert program(bob).get(path).json()["recent"] == []
    assert program(bob).delete(path).status_code == 204
    assert program(bob).get(path).status_code == 404


def test_what_is_wrong_is_named(program: As, bob: User, talk: Conversation) -> None:
    answer = program(bob).post("reminders", DAILY | {"conversation": talk.pk, "time": "9am"})
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {
            "path": "$.time",
            "message": "time must be hours and minutes, as in 09:30, for a reminder that comes again and again.",
        }
    ]


def test_for_others_it_is_not_there(program: As, rita: User, charlie: User, made: dict[str, Any]) -> None:
    for who in (rita,):
        same_as_absent(program(who), "get", "reminders/{id}", made["id"])
        same_as_absent(program(who), "post", "reminders/{id}/pause", made["id"])
    assert program(rita).get("reminders").json()["results"] == []
