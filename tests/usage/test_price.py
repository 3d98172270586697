"""Tokens to money: exact, however small, in whole billionths."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.messages import ImagePart, ModelMessage, Request, TextPart
from agents.spec import ModelSpec, Price
from agents.usage.estimate import LONGEST_ANSWER, at_most
from agents.usage.price import billionths, cost_of, money, written


@pytest.mark.parametrize(
    ("price", "tokens", "cost"),
    [
        (Price(Decimal("2.50"), Decimal("10")), (1_000_000, 0), "2.5"),
        (Price(Decimal("2.50"), Decimal("10")), (1_000, 100), "0.0035"),
        (Price(Decimal("0.15"), Decimal("0.60")), (1, 0), "0.00000015"),
        (Price(Decimal("0.000001"), Decimal(0)), (1_000_000, 0), "0.000001"),
        (Price(), (5_000, 5_000), "0"),
    ],
)
def test_prices_are_per_million_tokens(price: Price, tokens: tuple[int, int], cost: str) -> None:
    assert written(cost_of(price, *tokens)) == cost


@settings(max_examples=30)
@given(st.lists(st.integers(0, 200_000), max_size=20))
def test_what_many_requests_cost_is_what_all_their_tokens_cost(sizes: list[int]) -> None:
    """Three places after the point a million tokens come to whole billionths a token: nothing is lost by adding up."""
    price = Price(Decimal("2.505"), Decimal("10.125"))
    apart = sum(cost_of(price, size, size) for size in sizes)
    assert apart == cost_of(price, sum(sizes), sum(sizes))


@given(st.integers(0, 10**15))
def test_an_amount_is_written_so_that_it_is_read_back(amount: int) -> None:
    assert billionths(Decimal(written(amount))) == amount
    assert money(amount) == Decimal(written(amount))


def request(text: str = "", **more: object) -> Request:
    return Request("", "Help.", (ModelMessage("user", (TextPart(text),)),), **more)  # type: ignore[arg-type]


def model(slug: str, cost: int, **settings: object) -> ModelSpec:
    return ModelSpec(slug, "demo", slug, price=Price(Decimal(cost), Decimal(cost)), settings=settings)


def test_a_request_may_come_to_what_it_says_and_the_longest_answer() -> None:
    tokens, cost = at_most(request("a" * 4_000), [model("small", 1)])
    assert 1_000 + LONGEST_ANSWER < tokens < 1_100 + LONGEST_ANSWER
    assert cost == cost_of(Price(Decimal(1), Decimal(1)), tokens, 0)


def test_the_longest_answer_is_as_the_settings_say_and_the_dearest_model_counts() -> None:
    """Whichever of them ends up answering."""
    tokens, cost = at_most(
        request(), [model("small", 1, max_output_tokens=100), model("large", 20, max_output_tokens=50)]
    )
    assert 100 < tokens < 120
    assert cost == cost_of(Price(Decimal(20), Decimal(20)), tokens - 100 + 50, 0)


def test_a_picture_counts() -> None:
    picture = ModelMessage("user", (ImagePart("upload", "image/png"),))
    more = at_most(Request("", "Help.", (picture,)), [])[0]
    assert more > at_most(request(), [])[0] + 500
