"""How a tool and its versions look to programs. How it works is for those who may configure it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from pydantic import Field

from conversations.api_shapes import Page, Person, Shape
from tools import catalogue
from tools.models import Tool, ToolVersion


class ToolShape(Shape):
    id: str
    name: str
    description: str
    domain: str
    risk: str = Field(description="`SAFE`, `CONFIRM` or `CRITICAL`.")
    read_only: bool
    enabled: bool
    version: int = Field(description="The number of its current version.")
    labels: dict[str, dict[str, str]] = Field(description="Texts for people, by language.")
    executor: dict[str, Any] | None = Field(description="For who may configure; else null.")
    parameters: dict[str, Any] | None = Field(
        alias="schema", description="The arguments' JSON Schema, for who may configure; else null."
    )

    @classmethod
    def of(cls, row: Tool, *, full: bool) -> Self:
        assert row.current is not None
        spec = catalogue.spec_of(row.current)
        return cls(
            id=row.pk, name=row.name, description=spec.description, domain=row.domain, risk=spec.risk,
            read_only=spec.read_only, enabled=row.is_enabled, version=row.current.number,
            labels={language: dict(texts) for language, texts in spec.labels.items()},
            executor=row.current.definition["executor"] if full else None,
            schema=row.current.definition["schema"] if full else None,
        )  # fmt: skip


class ToolPage(Page[ToolShape]):
    """A part of the list of tools, by name."""


class VersionShape(Shape):
    id: str
    number: int
    risk: str
    sha256: str
    author: Person | None
    created_at: datetime
    definition: dict[str, Any] | None = Field(description="For who may configure; else null.")

    @classmethod
    def of(cls, row: ToolVersion, *, full: bool) -> Self:
        return cls(
            id=row.pk, number=row.number, risk=row.risk, sha256=row.sha256, author=Person.of(row.author),
            created_at=row.created_at, definition=row.definition if full else None,
        )  # fmt: skip


class VersionPage(Page[VersionShape]):
    """A part of the list of a tool's versions, newest first."""
