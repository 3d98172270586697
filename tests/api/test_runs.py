"""Runs over HTTP."""

from __future__ import annotations

import pytest

from conversations.models import Conversation
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.conftest import As, same_as_absent
from tests.api.made import make_run


def test_a_failed_run_says_why(program: As, bob: User, tenant: Tenant, talk: Conversation) -> None:
    with acting_for(tenant):
        run = make_run(talk, bob, status="failed", error_code="overloaded", error_message="Try later.")
    told = program(bob).get(f"runs/{run.pk}").json()
    assert told["error"] == {"code": "overloaded", "message": "Try later."}
    assert told["requester"] == {"id": bob.pk, "name": "Bob"}


def test_a_queued_run_is_stopped_at_once(program: As, bob: User, tenant: Tenant, talk: Conversation) -> None:
    with acting_for(tenant):
        run = make_run(talk, bob)
    assert program(bob).post(f"runs/{run.pk}/stop").json() == {"status": "finished"}
    assert program(bob).get(f"runs/{run.pk}").json()["outcome"] == "cancelled"


def test_a_running_run_is_asked_to_stop(program: As, bob: User, tenant: Tenant, talk: Conversation) -> None:
    with acting_for(tenant):
        run = make_run(talk, bob, status="running")
    assert program(bob).post(f"runs/{run.pk}/stop").json() == {"status": "running"}
    assert program(bob).get(f"runs/{run.pk}").json()["stop_requested"] is True


def test_a_failed_run_is_asked_again(program: As, bob: User, tenant: Tenant, talk: Conversation) -> None:
    with acting_for(tenant):
        run = make_run(talk, bob, status="failed")
    answer = program(bob).post(f"runs/{run.pk}/retry")
    assert answer.status_code == 202
    assert program(bob).get(f"runs/{answer.json()['run']}").json()["cause"] == "retry"


def test_a_run_that_did_not_fail_is_not_asked_again(
    program: As, bob: User, tenant: Tenant, talk: Conversation
) -> None:
    with acting_for(tenant):
        run = make_run(talk, bob, status="finished")
    answer = program(bob).post(f"runs/{run.pk}/retry")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


def test_a_body_has_no_place_here(program: As, bob: User, tenant: Tenant, talk: Conversation) -> None:
    with acting_for(tenant):
        run = make_run(talk, bob)
    assert program(bob).post(f"runs/{run.pk}/stop", {"force": True}).status_code == 400
    assert program(bob).get(f"runs/{run.pk}").json()["status"] == "queued"


@pytest.mark.parametrize(("method", "path"), [("get", ""), ("post", "/stop"), ("post", "/retry")])
def test_a_colleagues_run_is_as_if_it_were_not_there(
    program: As, alice: User, bob: User, tenant: Tenant, talk: Conversation, method: str, path: str
) -> None:
    """T33."""
    with acting_for(tenant):
        run = make_run(talk, bob)
    same_as_absent(program(alice), method, "runs/{id}" + path, run.pk)
