"""How the usage page writes amounts."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

from agents.usage.price import BILLION, money

register = template.Library()
PLACES = 4
"""After the point, of what is less than one."""


@register.filter
def as_money(billionths: int) -> str:
    """Two places after the point, of small amounts as many as say something."""
    amount = money(billionths)
    if not billionths or abs(billionths) >= BILLION:
        return str(number_format(amount, 2, force_grouping=True))
    if abs(billionths) < BILLION / 10**PLACES:
        return (
            "<" + str(number_format("0.0001", PLACES))
            if billionths > 0
            else str(number_format(amount, PLACES))
        )
    return str(number_format(amount, PLACES))


@register.filter
def measured(value: int, measure: str) -> str:
    """A sum in the unit of the measure."""
    return as_money(value) if measure == "cost" else str(number_format(value, force_grouping=True))


@register.filter
def in_measure(sums: object, measure: str) -> str:
    """What sums come to, in the measure that is shown."""
    return measured(getattr(sums, measure), measure)
