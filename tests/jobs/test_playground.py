"""A person tries a background tool from the playground: it is queued, its page shows how far it is, Cancel ends it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from conversations import jobs as outcomes
from conversations.models import Run
from platform_site.models import User
from tests.conversations.conftest import Talk
from tests.jobs.conftest import Stage, job_of, work
from tools import gate
from tools.jobs import sweeping
from tools.jobs.beginning import LEASE, begin
from tools.models import Job, ToolCall


@pytest.fixture
def browser(adam: User) -> Client:
    made = Client()
    made.force_login(adam)
    return made


def tried(browser: Client, name: str) -> ToolCall:
    body = {"tool": name, "raw": '{"item": "hat"}', "key": "k"}
    assert browser.post("/t/acme/review/playground/run/", body).status_code == 302
    return ToolCall.objects.get(name=name)


def page_of(call: ToolCall) -> str:
    return f"/t/acme/review/playground/tries/{call.pk}/"


def test_it_is_queued_and_the_page_shows_how_far_it_is(jobs: Talk, stage: Stage, browser: Client) -> None:
    call = tried(browser, "study")
    assert call.status == "claimed"
    Job.objects.filter(pk=call.pk).update(percent=40, words="half way", output="a line")
    shown = browser.get(page_of(call)).content.decode()
    assert '<progress max="100" value="40"' in shown and "half way" in shown and "a line" in shown
    assert "data-watch" in shown and 'value="cancel"' in shown
    assert work(call).status == "succeeded"
    assert outcomes.tell_outcomes() == [] and not Run.objects.exists(), "nobody has to be told"
    assert not Job.objects.filter(is_told=False).exists()
    assert 'value="cancel"' not in browser.get(page_of(call)).content.decode()


def test_cancel_ends_it(jobs: Talk, stage: Stage, browser: Client) -> None:
    call = tried(browser, "build")
    browser.post(page_of(call), {"do": "cancel"})
    assert work(call).status == "failed"
    assert stage.effects == []


def test_what_is_sent_again_after_a_loss_goes_through_the_queue(
    jobs: Talk, stage: Stage, browser: Client, rita: User
) -> None:
    """Nobody carries it out beside the worker that gets it."""
    call = tried(browser, "file_away")
    for _attempt in range(sweeping.MOST_ATTEMPTS):
        assert begin(call.pk, "dead")
        sweeping.look_after(timezone.now() + 2 * LEASE)
    call.refresh_from_db()
    assert call.status == "unknown"
    reviewer = Client()
    reviewer.force_login(rita)
    asked = {"what": "retry", "note": "The shelf is empty."}
    assert reviewer.post(f"/t/acme/review/unknown/{call.pk}/", asked).status_code == 302
    call.refresh_from_db()
    assert (call.status, stage.effects, job_of(call).attempts) == ("claimed", [], 0)
    assert work(call).status == "succeeded"
    assert stage.effects == [("file_away", "hat")]
    assert gate.may_repeat(call) is False
