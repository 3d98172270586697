"""A status moves by one conditional update, along arrows that stand in a table."""

from __future__ import annotations

import pytest

from platform_site import lifecycle
from platform_site.models import Tenant
from platform_site.tenancy import NoTenant, acting_for
from tests.platform_site.test_ledger import side_by_side
from tools.models import CALL_ARROWS, CallStatus, ToolCall


def call() -> ToolCall:
    return ToolCall.objects.create(topic="t", run="r", name="n", raw="", status=CallStatus.HELD)


@pytest.mark.django_db
def test_a_move_changes_the_row_and_its_values(inside: Tenant) -> None:
    held = call()
    assert lifecycle.move(held, "held", "approved", CALL_ARROWS, model="m")
    assert (held.status, held.model) == ("approved", "m")
    held.refresh_from_db()
    assert (held.status, held.model) == ("approved", "m")


@pytest.mark.django_db
def test_a_second_move_from_the_same_place_is_lost_and_changes_nothing(inside: Tenant) -> None:
    held = call()
    late = ToolCall.objects.get(pk=held.pk)
    assert lifecycle.move(held, "held", "approved", CALL_ARROWS)
    assert not lifecycle.move(late, "held", "denied", CALL_ARROWS)
    assert late.status == "held"
    assert ToolCall.objects.get().status == "approved"


@pytest.mark.django_db
def test_a_move_that_is_not_in_the_table_is_a_bug(inside: Tenant) -> None:
    with pytest.raises(lifecycle.NoSuchArrow):
        lifecycle.move(call(), "held", "succeeded", CALL_ARROWS)
    with pytest.raises(lifecycle.NoSuchArrow):
        lifecycle.check(CALL_ARROWS, "succeeded", "held")


@pytest.mark.django_db
def test_a_row_of_another_tenant_does_not_move(tenant: Tenant, other_tenant: Tenant) -> None:
    """T32"""
    with acting_for(tenant):
        held = call()
    with acting_for(other_tenant):
        assert not lifecycle.move(held, "held", "approved", CALL_ARROWS)
    with pytest.raises(NoTenant):
        lifecycle.move(held, "held", "approved", CALL_ARROWS)


@pytest.mark.django_db(transaction=True)
def test_of_many_who_move_at_once_one_wins(tenant: Tenant) -> None:
    """T08: the database decides, not what somebody read before."""
    with acting_for(tenant):
        held = call()
    won: list[str] = []

    def decide(to: str) -> None:
        with acting_for(tenant):
            mine = ToolCall.objects.get(pk=held.pk)
            if lifecycle.move(mine, "held", to, CALL_ARROWS):
                won.append(to)

    side_by_side(*[lambda to=to: decide(to) for to in ("approved", "denied") * 4])
    assert len(won) == 1
    with acting_for(tenant):
        assert ToolCall.objects.get().status == won[0]
