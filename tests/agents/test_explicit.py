"""Spelled-out calls in several replies: how a model that errs again and again is played."""

from __future__ import annotations

from agents.messages import ToolCallPart
from tests.agents.talk import Talk

BAD = 'call get_order_status {"order": 7}'


def replies_to(text: str) -> list[list[str]]:
    """The tools called in each reply that called some."""
    talk = Talk()
    talk.say(text)
    called = ([part.name for part in one.parts if isinstance(part, ToolCallPart)] for one in talk.messages)
    return [names for names in called if names]


def test_what_stands_after_then_is_the_next_reply() -> None:
    told = replies_to(f"{BAD}\nthen\n{BAD}\n然后\ncall clear_cart {{}}")
    assert told == [["get_order_status"], ["get_order_status"], ["clear_cart"]]


def test_calls_without_a_then_are_one_reply() -> None:
    assert replies_to(f"{BAD}\n{BAD}") == [["get_order_status", "get_order_status"]]


def test_a_then_inside_a_value_is_part_of_it() -> None:
    assert replies_to('call search_stores {"keyword": "now, then"}') == [["search_stores"]]
