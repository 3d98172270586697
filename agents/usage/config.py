"""The `limits` section of the configuration file: applied idempotently, written back out as it was.

An entry whose `amount` is null lifts the limit. All or nothing: `BadDefinition` names every fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from agents.models import LanguageModel
from agents.usage import limits, saving
from agents.usage.models import LimitKind, LimitOf, UsageLimit
from platform_site import audit
from platform_site.errors import BadDefinition
from platform_site.models import User
from platform_site.shape_words import words_of
from tools.schema_words import path_of

SUBJECTS = (LimitOf.AGENT, LimitOf.MODEL, LimitOf.USER)
Entry = Mapping[str, Any]


class LimitForm(BaseModel):
    """One entry; at most one of `agent`, `model` and `user` narrows it."""

    model_config = ConfigDict(extra="forbid")

    kind: LimitKind
    amount: Decimal | None
    agent: str | None = None
    model: str | None = None
    user: str | None = None

    @model_validator(mode="after")
    def _one_subject(self) -> LimitForm:
        if sum(getattr(self, name) is not None for name in SUBJECTS) > 1:
            raise ValueError(_("name an agent, a model or a user, not several of them"))
        return self

    def wanted(self) -> saving.Wanted:
        of = next((one for one in SUBJECTS if getattr(self, one) is not None), LimitOf.TENANT)
        name = (getattr(self, of, None) or "").strip()
        called = name.lower() if of == LimitOf.USER else name
        return saving.Wanted(self.kind, self.amount or Decimal(0), of, called)


def apply_limits(entries: Iterable[Entry], author: User | None) -> list[tuple[str, str]]:
    """Set every limit; what is not named stays."""
    done, problems = list[tuple[str, str]](), list[Mapping[str, str]]()
    with audit.recording():
        for number, entry in enumerate(entries):
            try:
                done.append(_apply(entry, author))
            except BadDefinition as bad:
                path = f"$.limits[{number}]"
                problems += [{**one, "path": path + one["path"].removeprefix("$")} for one in bad.errors]
        if problems:
            raise BadDefinition(problems)
    return done


def _apply(entry: Entry, author: User | None) -> tuple[str, str]:
    try:
        asked = LimitForm.model_validate(entry)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise BadDefinition(
            [{"path": path_of(one["loc"]), "message": words_of(one)} for one in faults]
        ) from None
    wanted = asked.wanted()
    called = " ".join([wanted.kind.value, *([wanted.of.value, wanted.name] if wanted.name else [])])
    if asked.amount is not None:
        return called, saving.save(wanted, author)[1]
    return called, _lift(wanted, author)


def _lift(wanted: saving.Wanted, author: User | None) -> str:
    rows = list(UsageLimit.objects.filter(kind=wanted.kind, of=wanted.of))
    called = limits.names_of(rows)
    for row in rows:
        if called[row.pk] == wanted.name:
            saving.delete(row, author)
            return "changed"
    return "unchanged"


def export_limits() -> list[dict[str, Any]]:
    """Every limit in the form `apply_limits` takes; one of a model or a person that is gone is left out."""
    rows = list(UsageLimit.objects.order_by("kind", "of", "name"))
    called = limits.names_of(rows)
    models = set(LanguageModel.objects.values_list("slug", flat=True))
    gone = {row.pk for row in rows if row.of == LimitOf.USER and called[row.pk] == row.name}
    gone |= {row.pk for row in rows if row.of == LimitOf.MODEL and row.name not in models}
    return [_entry(row, called[row.pk]) for row in rows if row.pk not in gone]


def _entry(row: UsageLimit, called: str) -> dict[str, Any]:
    amount = saving.written_amount(row.kind, row.amount)
    entry: dict[str, Any] = {
        "kind": row.kind,
        "amount": int(amount) if amount == int(amount) else float(amount),
    }
    return entry if row.of == LimitOf.TENANT else entry | {row.of: called}
