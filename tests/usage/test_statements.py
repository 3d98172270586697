"""A turn stays cheap: what usage costs it in statements, with limits and without."""

from __future__ import annotations

from collections import Counter

from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.stream import Finish, TextDelta, fold
from conversations import steps
from tests.conversations.conftest import Talk
from tests.usage.made import set_limit


def statements(talk: Talk) -> tuple[Counter[str], Counter[str]]:
    """What claiming and saving a plain turn say to the tables of usage, by verb."""
    run = talk.say("hello")
    with CaptureQueriesContext(connection) as claiming:
        turn = steps.claim(run.pk, "tests")
    assert turn
    reply = fold([TextDelta("hi"), Finish("stop", "demo", 100, 20)])
    with CaptureQueriesContext(connection) as saving:
        steps.save_reply(turn, reply, demo=True)
    return _of_usage(claiming), _of_usage(saving)


def _of_usage(captured: CaptureQueriesContext) -> Counter[str]:
    said = [query["sql"] for query in captured.captured_queries]
    return Counter(sql.split()[0] for sql in said if "agents_usage" in sql and "conversations_run" not in sql)


def test_without_limits_a_turn_pays_one_insert(talk: Talk) -> None:
    assert statements(talk) == (Counter(), Counter(INSERT=1))


def test_with_a_limit_a_turn_pays_five_short_statements(talk: Talk) -> None:
    """Read the limits, take room, note it; then book it and give back the rest."""
    set_limit("monthly_tokens", 1_000_000)
    assert statements(talk) == (Counter(SELECT=1, UPDATE=1, INSERT=1), Counter(UPDATE=2))


def test_a_limit_of_turns_at_the_same_time_is_looked_at_when_a_run_is_claimed(talk: Talk) -> None:
    set_limit("concurrent_runs", 5)
    assert statements(talk) == (Counter(SELECT=2), Counter(INSERT=1))
