"""What the router tells beside a reply's pieces: that it asks again, or asks another model. Pure values.

Each comes before the wait or the request it speaks of, and voids what was heard of the reply before it: thoughts and
pieces of calls, never text (nothing is asked again once text is out).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agents.stream import StreamEvent


@dataclass(frozen=True, slots=True)
class Retrying:
    """The same model is asked again after `wait_s` seconds: time number `attempt` of at most `most`.

    `model` is its slug, `code` what went wrong (`agents.providers.base.ErrorCode`).
    """

    attempt: int
    most: int
    code: str
    wait_s: float
    model: str
    kind: Literal["retrying"] = "retrying"


@dataclass(frozen=True, slots=True)
class Switched:
    """`model` answers instead of `was`, both slugs. `code`: an ErrorCode, or `images` where `was` sees none."""

    model: str
    was: str
    code: str
    kind: Literal["switched"] = "switched"


Note = Retrying | Switched
Spoken = StreamEvent | Note
"""What `agents.router.speak` yields."""
