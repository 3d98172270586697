"""A call belongs to the person whose message caused it: others see it and whom it waits for (T09, T33, R8)."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.utils import timezone

from conversations import actions
from conversations.access import correction_for
from conversations.actions import Answer
from conversations.groups import people
from conversations.turn import read, told
from platform_site import ledger
from platform_site.access import Actor, actor_for_session
from platform_site.ids import new_id
from platform_site.models import Role, Tenant
from tests.api.made import SEARCH, ask_for_arguments, hold
from tests.groups.conftest import Company, member
from tests.groups.test_inviting import refused
from tools import catalogue, gate
from tools.models import Confirmation, Tool


def decide(us: Company, who: object, question: Confirmation, decision: str = "approve") -> object:
    return actions.decide(who, question.pk, Answer(decision, question.digest))  # type: ignore[arg-type]


@pytest.fixture
def waiting(us: Company) -> Confirmation:
    """Ann asked for an order; it waits for her."""
    us.join(us.ann, us.cora)
    catalogue.save_tool(SEARCH, None)
    return hold(us.talk, us.ann.user)


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_others_in_the_conversation_cannot_decide(us: Company, waiting: Confirmation, decision: str) -> None:
    for other in (us.bob, us.cora):
        verdict = decide(us, other, waiting, decision)
        assert isinstance(verdict, gate.Refused)
        assert verdict.code == "forbidden"
        assert "Ann" in verdict.detail
    assert isinstance(decide(us, us.ann, waiting, decision), gate.Decided)


def test_who_asked_is_told_to_everybody(us: Company, waiting: Confirmation) -> None:
    checked = next(event["value"] for event in us.log() if event.get("name") == "tool_call.checked")
    assert checked["requester"] == {"id": us.ann.user.pk, "name": "Ann"}


def test_a_reviewer_who_takes_part_does_not_decide_the_requesters_half(
    us: Company, waiting: Confirmation, tenant: Tenant
) -> None:
    """T09."""
    rita = member(tenant, "Rita", Role.REVIEWER)
    us.join(rita)
    verdict = decide(us, rita, waiting)
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "forbidden"


def test_a_form_is_filled_in_by_who_asked(us: Company, waiting: Confirmation) -> None:
    form = ask_for_arguments(us.talk, us.ann.user)
    refused(404, correction_for, us.bob, form.pk)
    assert correction_for(us.ann, form.pk)


def test_others_talk_on_and_the_model_is_told_that_it_still_waits(us: Company, waiting: Confirmation) -> None:
    run = us.run(us.say(us.bob, "And hats?"))
    waiting.call.refresh_from_db()
    assert waiting.call.status == "held"
    turn = read(run)
    assert turn and not turn.waiting
    assert "PENDING_CONFIRMATION" in told(waiting.call).content


def test_who_was_asked_carries_it_out_in_a_run_of_their_own(us: Company, waiting: Confirmation) -> None:
    """Bob's queued run does not act on Ann's yes."""
    bobs = us.run(us.say(us.bob, "And hats?"))
    decide(us, us.ann, waiting)
    assert us.talk.runs.filter(cause="decision", requester=us.ann.user, status="queued").count() == 1
    turn = read(bobs)
    assert turn and turn.todo == []
    anns = read(us.talk.runs.get(cause="decision"))
    assert anns and [call.pk for call in anns.todo] == [waiting.call.pk]


def test_who_stops_anothers_run_takes_back_what_that_asked(us: Company, waiting: Confirmation) -> None:
    """Bob owns the conversation, and has a question of his own open."""
    bobs = hold(us.talk, us.bob.user).call
    actions.stop_run(us.bob, waiting.call.run)
    for call in (waiting.call, bobs):
        call.refresh_from_db()
    assert (waiting.call.status, bobs.status) == ("withdrawn", "held")
    assert "stopped" in waiting.call.result["error"]["message"]


def ask_again(us: Company, who: Actor, spoke_at: datetime) -> str:
    """The same order once more, for somebody who wrote last at that time."""
    tool = Tool.objects.get(name="create_order")
    assert tool.current
    spec = catalogue.spec_of(tool.current)
    asked = gate.Asked(
        id=new_id(), model_call_id="m", name=spec.name, raw='{"query": "shoes"}', position=0, topic=us.talk.pk,
        run=new_id(), message=new_id(), model="demo", spoke_at=spoke_at,
    )  # fmt: skip
    with ledger.writing(us.talk.pk) as log:
        return gate.propose(log, asked, {spec.name: spec}, gate.Requester(who.user, Role.MEMBER)).status


def test_somebody_elses_no_is_not_ones_own(us: Company, waiting: Confirmation) -> None:
    """Ann said no since both wrote; Bob may ask for the same, she is not asked again."""
    both_wrote = timezone.now()
    decide(us, us.ann, waiting, "reject")
    assert ask_again(us, us.ann, both_wrote) == "refused"
    assert ask_again(us, us.bob, both_wrote) == "held"


def test_who_left_decides_nothing(us: Company, waiting: Confirmation, tenant: Tenant) -> None:
    people.leave(us.ann, us.talk.pk)
    refused(404, decide, us, us.ann, waiting)
    gone = actor_for_session(us.ann.user, tenant.slug)
    assert gone
    refused(404, decide, us, gone, waiting)
