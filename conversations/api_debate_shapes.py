"""Debates as the HTTP API shows them: how one stands, what it began with, its notepad in data and as Markdown."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from pydantic import Field

from agents.debate import from_json
from agents.spec import DebateSpec
from conversations.api_shapes import Shape
from conversations.debate import notepad, rows, telling
from conversations.debate.models import Debate


class DebateRules(Shape):
    """Who debates, and by which rules unless a person chooses others."""

    personas: list[str] = Field(description="Slugs of the two agents that debate.")
    mode: str = Field(description="`fixed`: so many rounds; `ai`: until both have nothing to add.")
    rounds: int
    most_rounds: int = Field(description="In `ai` it ends after so many, settled or not.")

    @classmethod
    def of(cls, spec: DebateSpec | None) -> Self | None:
        if spec is None:
            return None
        return cls(
            personas=list(spec.personas), mode=spec.mode, rounds=spec.rounds, most_rounds=spec.most_rounds
        )


class NotepadShape(Shape):
    """What two personas noted together."""

    debate: str
    version: int = Field(description="How often it was changed.")
    entries: list[dict[str, Any]] = Field(
        description="`n`, `kind`, `text`, `by`, `turn`, `struck`, `history`, in the order they were noted."
    )
    changes: list[dict[str, Any]] = Field(
        description="`version`, `entry`, `action`, `kind`, `text`, `by`, `turn`, `at`: every change, the oldest first."
    )
    markdown: str = Field(description="The same for people.")

    @classmethod
    def of(cls, row: Debate) -> Self:
        pad = rows.notepad_of(row.pk)
        names = {one.slug: one.name for one in from_json(row.settings).personas}
        return cls(**notepad.as_state(pad), markdown=notepad.markdown(pad, names))


class DebateShape(Shape):
    """One question debated, with what it began with."""

    id: str
    status: str = Field(description="`active`, `paused`, `done` or `stopped`.")
    steer: str = Field(
        description="What is wished and done between two turns: `pause`, `summarise`, or nothing."
    )
    settings: dict[str, Any] = Field(
        description="What it began with: `personas`, `mode`, `rounds`, `most_rounds`, `budget`."
    )
    notepad: NotepadShape
    created_at: datetime
    ended_at: datetime | None

    @classmethod
    def of(cls, row: Debate) -> Self:
        return cls(
            id=row.pk, status=row.status, steer=row.steer, settings=telling.shown(from_json(row.settings)),
            notepad=NotepadShape.of(row), created_at=row.created_at, ended_at=row.ended_at,
        )  # fmt: skip


class SteeredShape(Shape):
    """How the debate stands now."""

    debate: str
    status: str
    steer: str
    run: str = Field(description="The run that was queued to go on with it; empty when none was.")
