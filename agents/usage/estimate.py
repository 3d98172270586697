"""The most a request may come to, before it is sent: what the model reads, and the longest answer. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from agents import tokens
from agents.messages import Request
from agents.spec import ModelSpec
from agents.usage.price import cost_of

LONGEST_ANSWER = 4_096
"""Tokens, where a model's settings do not say how long an answer may become."""


def at_most(request: Request, models: Sequence[ModelSpec]) -> tuple[int, int]:
    """(tokens, billionths) of the model that would come dearest: any of them may end up answering."""
    read = tokens.of_request(request)
    written = [(model, int(model.settings.get("max_output_tokens") or LONGEST_ANSWER)) for model in models]
    most = max((answer for _model, answer in written), default=0)
    cost = max((cost_of(model.price, read, answer) for model, answer in written), default=0)
    return read + most, cost
