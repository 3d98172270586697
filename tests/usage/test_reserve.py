"""Reserve before, settle after (T68): a limit holds whoever asks at the same time, and whoever dies on the way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction

from agents.usage import booking, limits, periods, saving
from agents.usage.booking import Asked, Booked, Reservation
from agents.usage.limits import Limit, Reached
from agents.usage.models import UsageEntry, UsageLimit
from platform_site.ids import new_id
from platform_site.models import Tenant
from tests.usage.made import ABOUT, now_of, set_limit

NOW = datetime.now(UTC)
UTC_ZONE = periods.zone("UTC")
NEXT_MONTH = periods.next_month(NOW, UTC_ZONE)
pytestmark = pytest.mark.usefixtures("inside")


def ask(tokens: int = 0, cost: int = 0, *, now: datetime = NOW, id_: str = "") -> Reservation | Reached:
    """Reserve as the tenant's limits stand."""
    asked = Asked(id_ or new_id(), ABOUT, "run", tokens, cost)
    with transaction.atomic():
        return booking.reserve(asked, limits.read(), now, UTC_ZONE)


def settle(reserved: Reservation | Reached, tokens: int, *, now: datetime = NOW, cost: int = 0) -> None:
    assert isinstance(reserved, Reservation)
    booked = Booked(reserved.id, ABOUT, "run", input_tokens=tokens, cost=cost)
    with transaction.atomic():
        booking.settle(booked, reserved, limits.read(), now, UTC_ZONE)


def stands(limit: Limit) -> tuple[int, int]:
    row = now_of(limit)
    return row.used, row.reserved


def test_what_fits_is_reserved_and_what_does_not_is_refused() -> None:
    limit = set_limit("monthly_tokens", 1_000)
    assert isinstance(ask(600), Reservation)
    assert isinstance(ask(400), Reservation)
    refused = ask(1)
    assert isinstance(refused, Reached)
    assert (refused.limit.id, refused.frees_at) == (limit.id, NEXT_MONTH)
    assert stands(limit) == (0, 1_000)


def test_settling_gives_back_what_was_not_needed() -> None:
    limit = set_limit("monthly_tokens", 1_000)
    settle(ask(600), 50)
    assert stands(limit) == (50, 0)
    assert isinstance(ask(950), Reservation)


def test_money_counts_to_the_billionth() -> None:
    limit = set_limit("monthly_cost", 0.3)
    for _ in range(3):
        settle(ask(cost=100_000_000), 0, cost=100_000_000)
    assert stands(limit) == (300_000_000, 0)
    assert isinstance(ask(cost=1), Reached)


@pytest.mark.parametrize(("of", "name", "held"), [("agent", "helper", True), ("agent", "other", False)])
def test_a_limit_counts_whom_it_is_about(of: str, name: str, held: bool) -> None:
    row = UsageLimit.objects.create(kind="monthly_tokens", of=of, name=name, amount=10)
    assert isinstance(ask(11), Reached) == held
    assert stands(limits.value_of(row)) == (0, 0)


def test_of_several_limits_all_or_none_are_taken() -> None:
    wide, narrow = set_limit("monthly_tokens", 1_000), set_limit("monthly_cost", 1)
    set_limit("requests_per_minute", 5)
    assert isinstance(ask(600, 2 * 10**9), Reached)
    assert stands(wide) == stands(narrow) == (0, 0)
    assert UsageLimit.objects.get(kind="requests_per_minute").used == 0
    assert not UsageEntry.objects.exists()


def test_a_new_month_begins_at_nothing() -> None:
    limit = set_limit("monthly_tokens", 1_000)
    settle(ask(900), 900)
    assert isinstance(ask(900), Reached)
    assert isinstance(ask(900, now=NEXT_MONTH), Reservation)
    assert stands(limit) == (0, 900)


def test_what_is_settled_after_the_turn_of_the_month_counts_in_the_new_one() -> None:
    limit = set_limit("monthly_tokens", 1_000)
    settle(ask(900), 300, now=NEXT_MONTH)
    assert stands(limit) == (300, 0)
    assert now_of(limit).period == periods.month(NEXT_MONTH, UTC_ZONE)
    assert UsageEntry.objects.get().day == NEXT_MONTH.date()


def test_a_process_with_a_slow_clock_does_not_bring_last_month_back() -> None:
    limit = set_limit("monthly_tokens", 1_000)
    settle(ask(900, now=NEXT_MONTH), 900, now=NEXT_MONTH)
    assert isinstance(ask(900, now=NEXT_MONTH - timedelta(seconds=1)), Reached)
    assert stands(limit) == (900, 0)


def test_a_minute_takes_so_many_requests_and_the_next_one_as_many() -> None:
    set_limit("requests_per_minute", 2)
    minute = NOW.replace(second=30)
    assert isinstance(ask(now=minute), Reservation)
    assert isinstance(ask(now=minute), Reservation)
    refused = ask(now=minute)
    assert isinstance(refused, Reached)
    assert refused.frees_at == periods.next_minute(minute)
    assert isinstance(ask(now=refused.frees_at), Reservation)


def test_what_a_dead_process_reserved_lapses() -> None:
    limit = set_limit("monthly_tokens", 1_000)
    assert isinstance(ask(900, now=NOW - booking.LAPSE + timedelta(seconds=1)), Reservation)
    assert isinstance(ask(900), Reached)
    assert isinstance(ask(900, now=NOW + timedelta(seconds=2)), Reservation)
    assert stands(limit) == (0, 900)


def test_a_reservation_that_lapsed_is_booked_all_the_same_and_given_back_once() -> None:
    limit = set_limit("monthly_tokens", 1_000)
    slow = ask(400)
    booking.release_lapsed(NOW + booking.LAPSE + timedelta(seconds=1))
    assert stands(limit) == (0, 0)
    settle(slow, 300)
    assert stands(limit) == (300, 0)
    assert UsageEntry.objects.get().input_tokens == 300


def test_who_takes_a_run_over_takes_its_reservation_over() -> None:
    limit = set_limit("monthly_tokens", 1_000)
    ask(400, id_="reply")
    taken = booking.reservation("reply", NOW)
    assert isinstance(taken, Reservation)
    assert stands(limit) == (0, 400)
    settle(taken, 10)
    assert stands(limit) == (10, 0)
    assert booking.reservation("reply", NOW) is None


def test_a_limit_that_was_lifted_meanwhile_stops_nobody() -> None:
    set_limit("monthly_tokens", 1)
    known = limits.read()
    saving.delete(UsageLimit.objects.get(), None)
    assert isinstance(booking.reserve(Asked("a", ABOUT, "run", 5), known, NOW, UTC_ZONE), Reservation)


def test_a_new_limit_knows_what_this_month_has_come_to(tenant: Tenant) -> None:
    settle(ask(10), 700)
    assert now_of(set_limit("monthly_tokens", 1_000)).used == 700
    assert isinstance(ask(301), Reached)
    assert isinstance(ask(300), Reservation)


@pytest.mark.django_db(transaction=True)
def test_of_fifty_who_want_the_room_for_ten_ten_get_it(transactional_db: None, inside: Tenant) -> None:
    """T68."""
    limit = set_limit("monthly_tokens", 1_000)

    def race(_nth: int) -> bool:
        try:
            return isinstance(ask(100), Reservation)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as threads:
        contexts = [copy_context() for _ in range(50)]
        won = list(threads.map(lambda nth: contexts[nth].run(race, nth), range(50)))
    assert won.count(True) == 10
    assert stands(limit) == (0, 1_000)
    assert UsageEntry.objects.filter(is_reserved=True).count() == 10
