"""A turn stays cheap: three short transactions, and few statements in each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.stream import Finish, TextDelta, fold
from conversations import saying, steps
from conversations.saying import Words
from tests.conversations.conftest import Talk

BOUNDS = ("BEGIN", "COMMIT")


@contextmanager
def counted(into: dict[str, tuple[int, int]], step: str) -> Iterator[None]:
    """Note (transactions, statements) of one step of a turn."""
    with CaptureQueriesContext(connection) as captured:
        yield
    said = [query["sql"].strip() for query in captured.captured_queries]
    statements = [sql for sql in said if not sql.startswith(BOUNDS)]
    into[step] = sum(sql.startswith("COMMIT") for sql in said), len(statements)


def plain_turn(talk: Talk) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    with counted(counts, "post"):
        posted = saying.post_message(talk.actor, talk.conversation.pk, Words("hello"))
    with counted(counts, "claim"):
        turn = steps.claim(posted.run, "tests")
    assert turn
    reply = fold([TextDelta("hi"), Finish("stop", "demo", 100, 20)])
    with counted(counts, "save"):
        steps.save_reply(turn, reply, demo=True)
    assert turn.run.outcome == "success"
    return counts


def test_a_plain_turn_is_three_transactions_of_few_statements(talk: Talk) -> None:
    talk.turn("the first one gives the conversation its title")
    assert plain_turn(talk) == {"post": (1, 8), "claim": (1, 11), "save": (1, 8)}


def test_it_costs_the_same_however_long_the_conversation_is(talk: Talk) -> None:
    talk.turn("hello")
    short = plain_turn(talk)
    for _ in range(5):
        talk.turn("hello")
    assert plain_turn(talk) == short
