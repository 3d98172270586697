"""What the gate's verbs take and answer. Pure values; what is expected is a value (rule 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol

from platform_site.models import User
from tools.models import AttemptSource, ToolCall
from tools.spec import ToolSpec

PREPARE_WITHIN = timedelta(minutes=30)
"""How long a call may stand at `proposed` while what it would do is found out; a preview takes ten minutes at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A call as it was asked for. `id` becomes the ToolCall's; `truncated`: the asking was cut off.

    `agent` is its slug, for statistics; `source` says whether the model called, wrote the call into its text, or a
    person tries it out.
    """

    id: str
    model_call_id: str
    name: str
    raw: str
    position: int
    topic: str
    run: str
    message: str
    model: str
    truncated: bool = False
    spoke_at: datetime | None = None
    """When the person last wrote: a no of theirs holds until then."""
    agent: str = ""
    source: AttemptSource | None = AttemptSource.MODEL
    """None for a preview: nobody tried anything."""
    unattended: bool = False
    """Nobody is there: no standing yes counts, and what asks for approval is parked."""
    others_spoke: bool = False
    """It answers others' words besides the requester's: no standing yes of theirs counts."""
    outside: tuple[str, ...] = ()
    """Tools whose outside text came in by another way than the topic's calls."""


@dataclass(frozen=True, slots=True)
class Requester:
    """On whose behalf, in which role."""

    user: User
    role: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """This caller, and no other, executes the call now."""

    call: ToolCall
    spec: ToolSpec


@dataclass(frozen=True, slots=True)
class Queued:
    """The call is claimed, and a queue worker carries it out: whoever claimed it goes on."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Lapsed:
    """What was true when the call was cleared or approved is not true any more; the model has been told."""

    reason: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What a preview showed."""

    value: Any


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """What would be done is not what was approved any more; people are asked again."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Somebody else moved the call first, or it may not be claimed at all."""


RefusalCode = Literal[
    "not_found", "forbidden", "conflict", "expired", "digest_mismatch", "bad_request",
    "proof_needed", "proof_wrong", "locked_out", "invalid_arguments", "reason_needed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decided:
    """The answer was taken. `status` is the confirmation's now; `ready`: a run has something to do."""

    status: str
    ready: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer was not taken; nothing but the count of wrong proofs changed."""

    code: RefusalCode
    detail: str
    tries_left: int | None = None
    """After a wrong proof: how many more before the question is locked."""
    errors: Sequence[Mapping[str, Any]] = ()
    """Of arguments that somebody who decides put in the place of others: what is wrong with them."""


class Answering(Protocol):
    """A person's answer as it came in."""

    @property
    def decision(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def proof(self) -> Mapping[str, str] | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def arguments(self) -> Mapping[str, Any] | None: ...
