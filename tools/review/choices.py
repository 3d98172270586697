"""What the filters of inbox and insights offer: names that stand in the records."""

from __future__ import annotations

from tools.models import CallAttempt, Fault

MOST = 200
"""Models make up names of tools; a list of thousands would help nobody."""


def names() -> dict[str, list[str]]:
    """Tools, models and agents that attempts were made with."""
    rows = CallAttempt.objects.order_by().values_list("tool", "model", "agent").distinct()
    found: dict[str, set[str]] = {"tool": set(), "model": set(), "agent": set()}
    for row in rows[: MOST * 5]:
        for name, value in zip(found, row, strict=True):
            found[name].add(value)
    return {name: sorted(values - {""})[:MOST] for name, values in found.items()}


def fields() -> list[str]:
    """Places that were ever wrong."""
    return sorted(Fault.objects.order_by().values_list("field", flat=True).distinct()[:MOST])
