"""How carrying out a call ended: succeeded, failed, or nobody knows (rule 6). Pure values.

Executors make them, `gate.settle` records them. A handler may return `Failed` itself: a failed tool is expected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tools.pipeline.phrase import Text


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The tool answered. `content` is for the model, `display` for people, `ui` directs the client.

    `warnings` stand in `content` already; people read them in their own language.

    `final`: the tool answered the person by itself, the model has nothing to add.
    """

    content: str
    ui: Sequence[Mapping[str, Any]] = ()
    final: bool = False
    display: Any = None
    flags: Sequence[Mapping[str, Any]] = ()
    warnings: Sequence[Text] = ()
    status: Literal["succeeded"] = "succeeded"

    @property
    def is_whole(self) -> bool:
        """Whether a final answer needs no words around it, as quick replies do."""
        return self.final and any(directive["kind"] != "suggestions" for directive in self.ui)


@dataclass(frozen=True, slots=True)
class Failed:
    """The tool did not do it. `message` is for model and person, `details` what else the tool said of it."""

    code: str
    message: Text
    suggestions: Sequence[Any] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    status: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True)
class Unknown:
    """The effect may or may not have happened; a person looks."""

    reason: Text
    status: Literal["unknown"] = "unknown"


Outcome = Succeeded | Failed | Unknown
