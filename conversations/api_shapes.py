"""What programs get: one typed shape a resource, and how a row becomes it. The OpenAPI document is made from these."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from agents.messages import shown_parts
from conversations.groups.reading import Standing, standings
from conversations.models import Conversation, Message, Participant, Run
from conversations.uploads import content_url
from conversations.uploads_models import Upload
from platform_site.models import User
from platform_site.wire import Event
from tools import gate
from tools.models import CallAttempt, Confirmation, Correction, ToolCall


class Shape(BaseModel):
    """A JSON object in an answer."""

    model_config = ConfigDict(frozen=True)


S = TypeVar("S", bound=Shape)


class Page(Shape, Generic[S]):
    """One part of a list."""

    results: list[S]
    next: str | None = Field(description="`cursor` of the next part; null at the end.")


class Person(Shape):
    id: str
    name: str

    @classmethod
    def of(cls, user: User | None) -> Self | None:
        return cls(id=user.pk, name=str(user)) if user else None


class PersonHere(Shape):
    """Somebody who takes part in a conversation."""

    id: str
    name: str
    is_owner: bool
    read_seq: int = Field(description="The number of the last event they have seen.")
    joined_at: datetime

    @classmethod
    def of(cls, row: Participant, owner: str) -> Self:
        return cls(
            id=row.user_id, name=str(row.user), is_owner=row.user_id == owner, read_seq=row.read_seq,
            joined_at=row.created_at,
        )  # fmt: skip


class ConversationShape(Shape):
    id: str
    title: str
    agent: str = Field(description="The agent's slug.")
    created_at: datetime
    updated_at: datetime
    seq: int = Field(description="The number of its newest event.")
    head: str | None = Field(description="The last message of the branch that is shown.")
    answers: str = Field(description="Among several people the agent answers `always`, or when `addressed`.")
    people: int = Field(description="How many people take part.")
    is_owner: bool = Field(description="Whether it is one's own.")
    unread: int = Field(description="What others said since one has read.")
    mentioned: bool = Field(description="Somebody mentioned one since.")

    @classmethod
    def of(cls, row: Conversation, mine: Standing) -> Self:
        return cls(
            id=row.pk, title=row.title, agent=row.agent.slug, created_at=row.created_at, updated_at=row.updated_at,
            seq=row.topic.last_seq, head=row.head_id, answers=row.answers, people=mine.people,
            is_owner=mine.is_owner, unread=mine.unread, mentioned=mine.mentioned,
        )  # fmt: skip

    @classmethod
    def of_all(cls, rows: Sequence[Conversation], user: User) -> list[Self]:
        """As they stand for this person."""
        standing = standings(user, [row.pk for row in rows])
        return [cls.of(row, standing[row.pk]) for row in rows]


class MessageShape(Shape):
    id: str
    position: int = Field(description="The number of the event that told it.")
    parent: str | None = Field(
        description="The message before it; null at the beginning, or while it waits for its run."
    )
    role: str = Field(description="`user` or `assistant`.")
    author: Person | None
    run: str | None
    debate: str | None = Field(description="The debate it was said in.")
    speaker: str = Field(description="In a debate: the slug of the persona; empty for the final answer.")
    turn: int = Field(
        description="In a debate: the number of the turn, from 1; 0 for the question and the answer."
    )
    text: str
    parts: list[dict[str, Any]] = Field(description="Text, pictures and tool calls, in order.")
    model: str
    usage: dict[str, int]
    finish: str
    created_at: datetime

    @classmethod
    def of(cls, row: Message) -> Self:
        return cls(
            id=row.pk, position=row.position, parent=row.parent_id, role=row.role, author=Person.of(row.author),
            run=row.run_id, debate=row.debate_id, speaker=row.speaker, turn=row.turn,
            text="".join(part["text"] for part in row.parts if part["kind"] == "text"), parts=shown_parts(row.parts),
            model=row.model, usage=row.usage, finish=row.finish, created_at=row.created_at,
        )  # fmt: skip


class UploadShape(Shape):
    """A picture somebody uploaded."""

    id: str
    name: str = Field(description="What its sender called the file.")
    media_type: str = Field(description="`image/jpeg` or `image/png`: every picture is encoded anew.")
    width: int
    height: int
    bytes: int
    conversation: str | None = Field(description="Where it was sent; null while it was not.")
    url: str = Field(description="The picture itself.")
    created_at: datetime

    @classmethod
    def of(cls, row: Upload, slug: str) -> Self:
        return cls(
            id=row.pk, name=row.name, media_type=row.media_type, width=row.width, height=row.height, bytes=row.bytes,
            conversation=row.conversation_id, url=content_url(row, slug), created_at=row.created_at,
        )  # fmt: skip


class Accepted(Shape):
    """A message that was stored, and the run that will answer it."""

    message: str
    run: str = Field(description="Empty where the agent was not asked.")


class NumberedEvent(Shape):
    seq: int
    event: Event = Field(description="An AG-UI event.")


class EventPage(Shape):
    results: list[NumberedEvent]
    next: int | None = Field(description="`after` of the next part; null when this was the newest.")

    @classmethod
    def of(cls, told: Sequence[tuple[int, Event]], *, more: bool) -> Self:
        results = [NumberedEvent(seq=seq, event=event) for seq, event in told]
        return cls(results=results, next=results[-1].seq if more else None)


class ConversationPage(Page[ConversationShape]):
    """A part of the list of conversations, the latest active first."""


class MessagePage(Page[MessageShape]):
    """A part of a conversation's messages, oldest first."""


class UploadPage(Page[UploadShape]):
    """A part of the list of pictures, the newest first."""


class RunError(Shape):
    code: str
    message: str


class RunShape(Shape):
    id: str
    conversation: str
    agent: str = Field(description="The agent's slug.")
    requester: Person | None
    cause: str = Field(description="`message`, `decision`, `correction`, `retry` or `regenerate`.")
    status: str = Field(description="`queued`, `running`, `finished` or `failed`.")
    outcome: str = Field(description="Of a finished run: `success`, `interrupt` or `cancelled`.")
    error: RunError | None
    stop_requested: bool
    rounds: int
    options: dict[str, Any]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @classmethod
    def of(cls, row: Run) -> Self:
        error = RunError(code=row.error_code, message=row.error_message) if row.error_code else None
        return cls(
            id=row.pk, conversation=row.conversation_id, agent=row.agent_version.definition["slug"],
            requester=Person.of(row.requester), cause=row.cause, status=row.status, outcome=row.outcome, error=error,
            stop_requested=row.stop_requested, rounds=row.rounds, options=row.options, created_at=row.created_at,
            started_at=row.started_at, finished_at=row.finished_at,
        )  # fmt: skip


class RunStatusShape(Shape):
    status: str = Field(description="As it stands now; `running` while it is being stopped.")


class CallStatusShape(Shape):
    """How a call stands."""

    status: str = Field(description="Now; `working` while it is being cancelled.")


class Head(Shape):
    head: str = Field(description="The last message of the branch that is shown now.")


class RunQueued(Shape):
    run: str


class CallShape(Shape):
    """One tool call, as proposed, checked and settled."""

    id: str
    conversation: str
    run: str
    message: str
    position: int
    name: str
    version: int | None = Field(description="The number of the tool's version it was checked against.")
    requester: Person | None
    model: str
    status: str
    risk: str
    reasons: list[Any]
    raw: str = Field(description="The arguments as the model gave them.")
    arguments: dict[str, Any] | None = Field(description="The arguments as they were checked.")
    flags: list[Any]
    errors: list[Any]
    result: dict[str, Any] | None
    proposed_at: datetime
    claimed_at: datetime | None
    settled_at: datetime | None

    @classmethod
    def of(cls, row: ToolCall) -> Self:
        return cls(
            id=row.pk, conversation=row.topic, run=row.run, message=row.message, position=row.position, name=row.name,
            version=row.version.number if row.version else None, requester=Person.of(row.requester), model=row.model,
            status=row.status, risk=row.risk, reasons=row.why, raw=row.raw, arguments=row.arguments,
            flags=row.flags, errors=row.errors, result=row.result, proposed_at=row.proposed_at,
            claimed_at=row.claimed_at, settled_at=row.settled_at,
        )  # fmt: skip


class ConfirmationShape(Shape):
    """A question put to people about one held call: exactly what they are asked to allow."""

    id: str
    status: str = Field(description="`pending`, `approved`, `denied`, `expired` or `withdrawn`.")
    digest: str = Field(description="To be sent back with the decision.")
    by: str = Field(description="`user`, `reviewer` or `user+reviewer`.")
    proof: str = Field(description="`none`, `password`, `code`, or `any` of the two.")
    ceremony: str = Field(description="What the page asks for: `simple`, `password` or `code`.")
    needs_reviewer: bool
    user_approved: bool = Field(description="The requester's half is done.")
    preview: Any
    decide_by: datetime
    execute_by: datetime | None
    created_at: datetime
    decided_at: datetime | None
    call: CallShape

    @classmethod
    def of(cls, row: Confirmation) -> Self:
        asked = gate.confirmation_json(row, row.call)
        return cls(
            id=row.pk, status=row.status, digest=row.digest, by=row.by, proof=row.proof,
            ceremony=asked["ceremony"], needs_reviewer=asked["needsReviewer"], user_approved=row.user_approved,
            preview=row.preview, decide_by=row.decide_by, execute_by=row.execute_by, created_at=row.created_at,
            decided_at=row.decided_at, call=CallShape.of(row.call),
        )  # fmt: skip


class ConfirmationPage(Page[ConfirmationShape]):
    """A part of the list of confirmations, newest first."""


class CorrectionShape(Shape):
    """A call whose arguments the model could not get right, and the form its requester was given."""

    id: str
    status: str = Field(description="`pending`, `submitted`, `cancelled`, `expired` or `withdrawn`.")
    arguments: dict[str, Any] = Field(description="As far as they could be read.")
    errors: list[Any]
    json_schema: dict[str, Any] = Field(
        serialization_alias="schema", description="What the arguments must satisfy."
    )
    templates: dict[str, str]
    answer_by: datetime
    created_at: datetime
    answered_at: datetime | None
    call: CallShape

    @classmethod
    def of(cls, row: Correction) -> Self:
        shown = gate.form_json(row, row.call)
        return cls(
            id=row.pk, status=row.status, arguments=row.given, errors=row.errors, json_schema=shown["schema"],
            templates=shown["templates"], answer_by=row.answer_by, created_at=row.created_at,
            answered_at=row.answered_at, call=CallShape.of(row.call),
        )  # fmt: skip


class CorrectionPage(Page[CorrectionShape]):
    """A part of the list of corrections, newest first."""


class Decided(Shape):
    status: str = Field(
        description="The confirmation's status now; `pending` while others have to agree as well."
    )


class Failure(Shape):
    """An attempt at a tool call whose arguments were rejected."""

    id: str
    call: str = Field(description="The tool call's id; a call may have several attempts.")
    chain: str = Field(description="The id of the first attempt at the same thing.")
    attempt: int = Field(description="1 for the first attempt of its chain.")
    tool: str
    version: int | None
    agent: str | None = Field(description="The agent's slug, if it is known.")
    model: str
    conversation: str
    requester: Person | None
    source: str = Field(description="`model`, `text` (written into its text) or `person`.")
    outcome: str = Field(description="`rejected`, or `unknown_tool`.")
    next_step: str = Field(description="`sent_back`, `asked`, `corrected` or `gave_up`.")
    raw: str
    mended: str = Field(description="The text after repair; empty when it was taken as it came.")
    errors: list[Any]
    flags: list[Any]
    known: bool = Field(description="Somebody marked it as known.")
    created_at: datetime

    @classmethod
    def of(cls, row: CallAttempt) -> Self:
        return cls(
            id=row.pk, call=row.call_id, chain=row.chain, attempt=row.number, tool=row.tool,
            version=row.version.number if row.version else None, agent=row.agent or None, model=row.model,
            conversation=row.topic, requester=Person.of(row.requester), source=row.source, outcome=row.outcome,
            next_step=row.next_step, raw=row.raw, mended=row.mended, errors=row.errors, flags=row.flags,
            known=row.known_at is not None, created_at=row.created_at,
        )  # fmt: skip


class FailurePage(Page[Failure]):
    """A part of the list of rejected calls, newest first."""
