"""What differs between Gemini's models, read from their names. Pure.

Gemini 3 validates thought signatures and takes a thinking level; 2.5 takes a budget of tokens; older ones do not
think. An alias without a number (`gemini-flash-latest`) is the newest there is. Other names are none of these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

NEWEST = 99.0
_NUMBER = re.compile(r"(?:^|/)gemini-(\d+(?:\.\d+)?)")
_BUDGETS = {"none": 0, "minimal": 1_024, "low": 1_024, "medium": 8_192, "high": 24_576, "xhigh": 24_576}
"""Tokens of thought, as Google's own OpenAI-compatible endpoint translates the words."""
_LEAST_BUDGET_OF_PRO = 128
"""2.5 Pro cannot be told not to think."""


def generation(name: str) -> float:
    """3.0 for `gemini-3-pro`; 0 for a model that is no Gemini."""
    if found := _NUMBER.search(name):
        return float(found[1])
    return NEWEST if name.removeprefix("models/").startswith("gemini-") else 0.0


def wants_signatures(name: str) -> bool:
    """Whether the model refuses a function call of the turn that goes on without a thought signature."""
    return generation(name) >= 3


def thinking(name: str, effort: str) -> Mapping[str, Any] | None:
    """The `thinkingConfig` for a `reasoning_effort` (`""`: nobody said); None to leave it to the model.

    Thoughts are asked for only where the model surely thinks: to any other that is an error.
    """
    number = generation(name)
    if number >= 3:
        level = _level(name, effort)
        return {"includeThoughts": True} | ({"thinkingLevel": level} if level else {})
    if number < 2.5 or effort not in _BUDGETS:
        return None
    budget = _BUDGETS[effort] or (_LEAST_BUDGET_OF_PRO if "-pro" in name else 0)
    return {"thinkingBudget": budget, "includeThoughts": budget > 0}


def _level(name: str, effort: str) -> str:
    """Pro models know fewer levels: they never think least, and the first of them had no middle."""
    is_pro = "-pro" in name
    if effort in ("none", "minimal"):
        return "low" if is_pro else "minimal"
    if effort == "medium":
        return "high" if is_pro and generation(name) == 3 else "medium"
    return {"low": "low", "high": "high", "xhigh": "high"}.get(effort, "")
