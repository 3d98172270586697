"""What the source refuses, in a form that a model can act on."""

from collections.abc import Sequence
from typing import Any


class Refusal(Exception):
    """A question that is understood, or nearly, and has no answer."""

    def __init__(
        self, status: int, code: str, message: str, suggestions: Sequence[Any] = (), **details: Any
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.suggestions, self.details = list(suggestions), details

    def body(self) -> dict[str, Any]:
        """The answer's JSON."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.suggestions:
            error["suggestions"] = self.suggestions
        if self.details:
            error["details"] = self.details
        return {"error": error}
