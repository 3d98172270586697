"""Tokens to money. Pure.

Money is counted in whole billionths of whatever currency the tenant's prices are in: sums of integers are exact in
every database, and the cheapest model's single token still costs something.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from agents.spec import Price

BILLION = 10**9
MILLION = 10**6


def cost_of(price: Price, input_tokens: int, output_tokens: int) -> int:
    """Billionths: prices are per million tokens."""
    exact = (price.input * input_tokens + price.output * output_tokens) * BILLION / MILLION
    return int(exact.to_integral_value(ROUND_HALF_UP))


def money(billionths: int) -> Decimal:
    return Decimal(billionths) / BILLION


def written(billionths: int) -> str:
    """As a decimal number in digits, without zeros at its end."""
    text = f"{money(billionths):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def billionths(amount: Decimal | float | int) -> int:
    """An amount somebody wrote down; what is finer than a billionth is rounded."""
    return int((Decimal(str(amount)) * BILLION).to_integral_value(ROUND_HALF_UP))
