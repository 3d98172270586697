"""What a call would do is shown before people are asked, is part of what they approve, and is looked at again (M6)."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from platform_site import audit, ledger
from tests.tools.conftest import Answer, Desk
from tools import catalogue, gate
from tools.gate.previewing import NoPreview, Preview, Previewing
from tools.models import CallStatus, Confirmation, ToolCall
from tools.outcome import Failed, Outcome, Succeeded

FIVE, SIX = '{"total": 5}', '{"total": 6}'


@pytest.fixture
def shop(desk: Desk) -> Desk:
    """`order` asks before it acts, and shows what `look` says."""
    desk.tool("look", read_only=True)
    desk.tool("order", "CONFIRM", preview={"tool": "look"})
    return desk


def take(desk: Desk, call: ToolCall, outcome: Outcome) -> Preview | NoPreview:
    """Take the preview of a call, as an engine does: what the tool answers is `outcome`."""
    with audit.recording():
        begun = gate.previews.begin(call, "member")
    if isinstance(begun, NoPreview):
        return begun
    with audit.recording():
        return gate.previews.finish(begun, outcome)


def hold(desk: Desk, call: ToolCall, outcome: Outcome) -> ToolCall:
    taken = take(desk, call, outcome)
    with ledger.writing(desk.topic) as log:
        gate.previews.settle_held(log, taken)
    call.refresh_from_db()
    return call


def approved(desk: Desk) -> ToolCall:
    call = hold(desk, desk.ask("order"), Succeeded(FIVE))
    assert isinstance(desk.decide(call, desk.user, Answer()), gate.Decided)
    return call


def claim(desk: Desk, call: ToolCall, shown: Any) -> Any:
    with ledger.writing(desk.topic) as log:
        return gate.claim(log, call, gate.Shown(shown) if shown is not None else None)


def test_nobody_is_asked_before_it_can_be_shown(shop: Desk) -> None:
    call = shop.ask("order")
    assert call.status == CallStatus.PROPOSED
    assert not Confirmation.objects.exists()
    assert shop.events("tool_call.checked")[-1]["verdict"] == "proposed"


def test_the_preview_stands_in_the_question_and_in_its_digest(shop: Desk) -> None:
    call = shop.ask("order")
    before = call.digest
    hold(shop, call, Succeeded(FIVE))
    question = Confirmation.objects.get()
    assert (call.status, question.preview) == (CallStatus.HELD, {"total": 5})
    assert question.digest == call.digest != before
    checked = shop.events("tool_call.checked")[-1]
    assert (checked["verdict"], checked["confirmation"]["preview"]) == ("held", {"total": 5})


def test_the_preview_gets_the_arguments_it_knows(shop: Desk) -> None:
    begun = gate.previews.begin
    call = shop.ask("order", {"item": "shoes", "count": 2})
    with audit.recording():
        previewing = begun(call, "member")
    assert isinstance(previewing, Previewing)
    assert previewing.claimed.call.arguments == {"item": "shoes", "count": 2}
    assert (previewing.claimed.call.topic, previewing.claimed.call.status) == ("", CallStatus.CLAIMED)


def test_what_cannot_be_shown_is_not_asked_about(shop: Desk) -> None:
    """The backend's own words reach the model: the cart is empty, say."""
    call = hold(shop, shop.ask("order"), Failed("empty_cart", "There is nothing in this cart."))
    assert call.status == CallStatus.REFUSED
    assert shop.told_the_model(call)["error"] == {
        "code": "empty_cart",
        "message": "There is nothing in this cart.",
    }
    assert not Confirmation.objects.exists()


def test_a_preview_that_is_gone_or_acts_shows_nothing(shop: Desk) -> None:
    call = shop.ask("order")
    shop.tool("look", "CONFIRM")
    assert isinstance(take(shop, call, Succeeded(FIVE)), NoPreview)


def test_a_preview_too_long_to_read_shows_nothing(shop: Desk) -> None:
    assert isinstance(take(shop, shop.ask("order"), Succeeded(json.dumps("x" * 40_000))), NoPreview)


def test_the_same_preview_again_lets_an_approved_call_go(shop: Desk) -> None:
    assert isinstance(claim(shop, approved(shop), {"total": 5}), gate.Claimed)


def test_another_price_is_asked_about_again_with_both_shown(shop: Desk) -> None:
    """M6, T01: the yes was said to five; it does not count for six."""
    call = approved(shop)
    assert isinstance(claim(shop, call, {"total": 6}), gate.AskedAgain)
    question = Confirmation.objects.get()
    assert (call.status, question.status) == (CallStatus.HELD, "pending")
    assert (question.preview, question.preview_before) == ({"total": 6}, {"total": 5})
    shown = shop.events("tool_call.checked")[-1]
    assert shown["confirmation"]["previewBefore"] == {"total": 5}
    assert {"name": "preview_changed"} in shown["flags"]
    assert isinstance(claim(shop, call, {"total": 6}), gate.Lost), "the old yes is void"

    assert isinstance(shop.decide(call, shop.user, Answer()), gate.Decided)
    assert isinstance(claim(shop, call, {"total": 6}), gate.Claimed)


def test_an_approved_call_never_runs_unseen(shop: Desk) -> None:
    assert isinstance(claim(shop, approved(shop), None), gate.Lapsed)


def test_a_question_that_an_edit_puts_anew_has_its_own_time(shop: Desk) -> None:
    """Answered in time; that its preview took longer than what was left is nobody's delay."""
    call = hold(shop, shop.ask("order"), Succeeded(FIVE))
    Confirmation.objects.update(decide_by=timezone.now() + timedelta(seconds=20))
    shop.decide(call, shop.user, Answer(arguments={"item": "boots", "count": 2}))
    edited = hold(shop, ToolCall.objects.get(pk=call.pk), Succeeded(SIX))
    gate.expire(timezone.now() + timedelta(seconds=30))
    edited.refresh_from_db()
    assert edited.status == CallStatus.HELD


def test_only_a_reading_tool_may_be_a_preview(desk: Desk) -> None:
    desk.tool("look", "CONFIRM")
    with pytest.raises(catalogue.BadDefinition):
        desk.tool("order", "CONFIRM", preview={"tool": "look"})
    with pytest.raises(catalogue.BadDefinition):
        desk.tool("order", "CONFIRM", preview={"tool": "no_such"})
