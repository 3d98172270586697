"""Outcomes that nobody knows: a person says how it ended, once, with a note; the model is told; or it is sent again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conversations import actions
from conversations.models import Conversation, Run
from platform_site import ledger
from platform_site.access import Actor, actor_for_session
from platform_site.models import AuditEntry, Role, Tenant, User
from platform_site.tenancy import acting_for
from tests.conftest import person
from tests.conversations.conftest import HAPPENED, Talk, bobs, talk
from tests.review.bench import Bench, bench, switch_off
from tests.review.queued import HOME, Reviewer
from tools import gate
from tools.catalogue import save_tool
from tools.models import CallStatus, ReviewerGroup, ToolCall
from tools.registry import find

__all__ = ["bench", "bobs", "talk"]

S = CallStatus


@pytest.fixture
def lost(talk: Talk) -> ToolCall:
    """A call of Bob's that went out and whose answer never came."""
    handler = find("tests.crash")
    assert handler
    save_tool(handler.definition() | {"idempotent": True}, None)
    talk.turn('call crash {"item": "hat"}')
    (call,) = ToolCall.objects.filter(name="crash")
    assert call.status == S.UNKNOWN
    return call


def settle(at: Reviewer, call: ToolCall, what: str, note: str = "I looked it up.") -> Any:
    return at.browser.post(f"{HOME}unknown/{call.pk}/", {"what": what, "note": note})


def now(call: ToolCall) -> ToolCall:
    return ToolCall.objects.get(pk=call.pk)


def actor(user: User) -> Actor:
    found = actor_for_session(user, "acme")
    assert found
    return found


def test_the_page_says_what_was_sent_when_and_to_what(lost: ToolCall, rita: User) -> None:
    page = Reviewer.of(rita).browser.get(f"{HOME}unknown/").content.decode()
    for told in ("crash", "hat", "Bob", lost.pk, "unknown for", "It was done", "Send it again, same key"):
        assert told in page


@pytest.mark.parametrize(("what", "ends"), [("happened", S.SUCCEEDED), ("did_not", S.FAILED)])
def test_a_person_says_how_it_ended_and_the_model_is_told(
    talk: Talk, lost: ToolCall, rita: User, what: str, ends: str
) -> None:
    assert settle(Reviewer.of(rita), lost, what).status_code == 302
    call = now(lost)
    assert call.status == ends
    assert call.result
    assert {**call.result["resolved"], "at": ""} == {
        "what": what, "by": rita.pk, "name": "Rita", "note": "I looked it up.", "at": "",
    }  # fmt: skip
    assert "I looked it up." in call.result["content"]
    told = [event for event in talk.log() if event["type"] == "TOOL_CALL_RESULT"][-1]
    assert (told["toolCallId"], told["metadata"]["status"]) == (lost.pk, ends)
    run = talk.move()
    assert (run.cause, run.status) == ("decision", "finished")
    assert HAPPENED == []


def test_it_stands_in_the_audit_log_and_on_the_page(lost: ToolCall, rita: User) -> None:
    at = Reviewer.of(rita)
    settle(at, lost, "happened", "The shop <b>says</b> so\u200b.")
    entry = AuditEntry.objects.get(verb="call.looked_into")
    assert (entry.actor, entry.object_id) == (rita.pk, lost.pk)
    page = at.browser.get(f"{HOME}unknown/").content.decode()
    assert "Every outcome is known" in page
    assert "The shop &lt;b&gt;says&lt;/b&gt; so" in page
    assert "ZWSP" in page


def test_what_is_sent_again_runs_once_more_under_the_same_key(
    talk: Talk, lost: ToolCall, rita: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run takes it up, as it takes up what a crash left behind."""
    from conversations import engine
    from tools.outcome import Succeeded

    keys: list[str] = []

    async def execute(spec: Any, call: ToolCall, context: Any) -> Succeeded:
        keys.append(call.pk)
        return Succeeded('{"ok": true}')

    assert settle(Reviewer.of(rita), lost, "retry").status_code == 302
    call = now(lost)
    assert (call.status, gate.may_repeat(call), call.settled_at) == (S.CLAIMED, True, None)
    monkeypatch.setattr(engine.executors, "execute", execute)
    talk.move()
    assert (keys, now(lost).status) == ([lost.pk], S.SUCCEEDED)


def test_what_could_happen_twice_is_not_sent_again(lost: ToolCall, rita: User) -> None:
    handler = find("tests.crash")
    assert handler
    save_tool(handler.definition(), None)
    ToolCall.objects.filter(pk=lost.pk).update(version=now_version("crash"))
    answer = settle(Reviewer.of(rita), lost, "retry")
    assert answer.status_code == 400
    assert "cannot be sent again" in answer.content.decode()
    assert now(lost).status == S.UNKNOWN
    assert settle(Reviewer.of(rita), lost, "did_not").status_code == 302


def now_version(name: str) -> Any:
    from tools.models import Tool

    return Tool.objects.get(name=name).current


@pytest.mark.parametrize("changed", ["tool", "person"])
def test_what_no_longer_stands_is_not_sent_again(lost: ToolCall, rita: User, bob: User, changed: str) -> None:
    """T10: switched off, or for somebody who may not any more."""
    if changed == "tool":
        switch_off("crash")
    else:
        bob.is_active = False
        bob.save()
    assert settle(Reviewer.of(rita), lost, "retry").status_code == 409
    assert now(lost).status == S.UNKNOWN


def test_it_needs_a_note(lost: ToolCall, rita: User) -> None:
    answer = settle(Reviewer.of(rita), lost, "happened", "   ")
    assert answer.status_code == 400
    assert "Say how you know" in answer.content.decode()
    assert now(lost).status == S.UNKNOWN


def test_the_first_word_counts(lost: ToolCall, rita: User, adam: User) -> None:
    assert settle(Reviewer.of(rita), lost, "happened").status_code == 302
    answer = settle(Reviewer.of(adam), lost, "did_not")
    assert answer.status_code == 409
    assert "Somebody has settled this already." in answer.content.decode()
    assert now(lost).status == S.SUCCEEDED
    assert AuditEntry.objects.filter(verb="call.looked_into").count() == 1


@pytest.mark.parametrize(("risk", "code"), [("CRITICAL", 403), ("CONFIRM", 302)])
def test_nobody_settles_their_own_critical_call(
    lost: ToolCall, adam: User, rita: User, risk: str, code: int
) -> None:
    """T09: whatever the role; what is less than critical one may."""
    ToolCall.objects.filter(pk=lost.pk).update(requester=adam, risk=risk)
    page = Reviewer.of(adam).browser.get(f"{HOME}unknown/").content.decode()
    assert ("somebody else has to look" in page) == (risk == "CRITICAL")
    assert settle(Reviewer.of(adam), lost, "happened").status_code == code
    if risk == "CRITICAL":
        assert now(lost).status == S.UNKNOWN
        assert settle(Reviewer.of(rita), lost, "happened").status_code == 302


def test_a_groups_calls_are_settled_by_its_members(lost: ToolCall, rita: User, adam: User) -> None:
    ReviewerGroup.objects.create(slug="g", name="G", members=[adam.pk], tools=["crash"])
    assert settle(Reviewer.of(rita), lost, "happened").status_code == 403
    assert settle(Reviewer.of(adam), lost, "happened").status_code == 302


def test_members_settle_nothing(lost: ToolCall, bob: User) -> None:
    """T65: not by the page, and not by the verb."""
    assert settle(Reviewer.of(bob), lost, "happened").status_code == 403
    verdict = actions.resolve(actor(bob), now(lost), "happened", "Really.")
    assert isinstance(verdict, gate.Refused)
    assert now(lost).status == S.UNKNOWN


def test_another_tenants_call_is_not_there(lost: ToolCall, other_tenant: Tenant) -> None:
    """T32."""
    rob = person(other_tenant, "Rob", Role.REVIEWER)
    browser = Reviewer.of(rob).browser
    assert browser.get("/t/globex/review/unknown/").content.decode().count(lost.pk) == 0
    body = {"what": "happened", "note": "x"}
    assert browser.post(f"/t/globex/review/unknown/{lost.pk}/", body).status_code == 404
    assert browser.post(f"{HOME}unknown/{lost.pk}/", body).status_code == 404
    assert now(lost).status == S.UNKNOWN


def test_a_call_outlives_its_conversation(lost: ToolCall, rita: User, inside: Tenant) -> None:
    """What is known of it is written down; nobody is there to send it again."""
    from platform_site.models import Topic

    Conversation.objects.filter(pk=lost.topic).delete()
    Topic.objects.filter(pk=lost.topic).delete()
    at = Reviewer.of(rita)
    assert settle(at, lost, "retry").status_code == 409
    assert settle(at, lost, "happened").status_code == 302
    assert now(lost).status == S.SUCCEEDED


def test_a_try_from_the_playground_is_sent_again_at_once(bench: Bench, rita: User) -> None:
    handler = find("tests.look")
    assert handler
    call = bench.run("look")
    ToolCall.objects.filter(pk=call.pk).update(status=S.UNKNOWN)
    assert settle(Reviewer.of(rita), call, "retry").status_code == 302
    assert now(call).status == S.SUCCEEDED
    assert HAPPENED == [("look", "hat")] * 2


def test_what_is_sent_again_and_lost_again_is_unknown_again(
    lost: ToolCall, rita: User, inside: Tenant
) -> None:
    settle(Reviewer.of(rita), lost, "retry")
    Run.objects.all().delete()
    gate.expire(timezone.now() + timedelta(hours=1))
    assert now(lost).status == S.UNKNOWN
    with ledger.writing(lost.topic) as log, acting_for(inside):
        assert gate.resolve(log, lost, actor(rita), "did_not", "Looked.") == gate.Resolved(S.FAILED)
