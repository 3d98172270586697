"""What every provider is: a `Request` in, `StreamEvent`s out, one error type for what went wrong on the way."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from agents.messages import Request
from agents.spec import ModelSpec
from agents.stream import StreamEvent

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Words: TypeAlias = "str | _StrPromise"
"""For people: put into the reader's language when it is made plain (`str`)."""

ErrorCode = Literal[
    "rate_limited",
    "quota_exhausted",
    "overloaded",
    "timeout",
    "network",
    "auth",
    "blocked",
    "context_too_long",
    "malformed",
    "bad_request",
    "internal",
]
"""Kinds of failure. `context_too_long` and `malformed` (a call the provider could not read) are told as RUN_ERROR's
`bad_request` and `empty_reply`."""


class ProviderError(Exception):
    """A model request failed. `message` is for people; `retry_after` in seconds, as the provider asked.

    `detail` is the provider's own text, for admins: never shown to members, never with a key in it.
    """

    def __init__(
        self, code: ErrorCode, message: Words, *, retry_after: float | None = None, detail: str = ""
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after = retry_after
        self.detail = detail


class Provider(Protocol):
    """One way of talking to models. Closing the iterator (`aclose`) ends the upstream request at once."""

    name: str
    is_demo: bool

    def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        """Ask the model. Raises `ProviderError`; ends with `Finish`. `request.model` is `model.name`."""
        ...
