"""What the backend refuses, in a form that a model can act on.

A `Refusal` is raised where the reason is known and turned into an answer in `calls` (nothing was written) or
in `effects` (the refusal is the stored answer of that key).
"""

from collections.abc import Sequence
from typing import Any


class Refusal(Exception):
    """A request that is understood, or nearly, and not carried out."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        suggestions: Sequence[Any] = (),
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.suggestions = list(suggestions)
        self.details = details

    def body(self) -> dict[str, Any]:
        """The answer's JSON."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.suggestions:
            error["suggestions"] = self.suggestions
        if self.details is not None:
            error["details"] = self.details
        return {"error": error}


def bad_request(field: str | None, message: str) -> Refusal:
    """A field is missing, unknown or has a wrong value; `field` names it."""
    return Refusal(400, "bad_request", message, details={"field": field} if field else None)


def unauthorized(message: str) -> Refusal:
    return Refusal(401, "unauthorized", message)


def forbidden(message: str) -> Refusal:
    return Refusal(403, "forbidden", message)
