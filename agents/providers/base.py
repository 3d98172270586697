"""What every provider is: a `Request` in, `StreamEvent`s out, one error type for what went wrong on the way."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Literal, Protocol

from agents.messages import Request
from agents.stream import StreamEvent

ErrorCode = Literal[
    "rate_limited",
    "quota_exhausted",
    "overloaded",
    "timeout",
    "network",
    "auth",
    "blocked",
    "bad_request",
    "internal",
]


class ProviderError(Exception):
    """A model request failed. `code` is RUN_ERROR's; `message` is for people; `retry_after` in seconds."""

    def __init__(self, code: ErrorCode, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after = retry_after


class Provider(Protocol):
    """One way of talking to models. Closing the iterator (`aclose`) ends the upstream request at once."""

    name: str
    is_demo: bool

    def stream(self, request: Request) -> AsyncGenerator[StreamEvent]:
        """Ask the model. Raises `ProviderError`; ends with `Finish`."""
        ...
