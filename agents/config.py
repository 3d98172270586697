"""The `models` and `agents` sections of the configuration file: applied idempotently, written back out as they were.

Applying yields (name, "created" | "changed" | "unchanged") for each entry. All or nothing: `BadDefinition` names
every fault, with paths below the section (`[0].models[1]`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Literal

from django.db.models import F

from agents.catalogue import save_agent, save_model
from agents.definition import AgentForm
from agents.models import Agent, LanguageModel
from platform_site import audit
from platform_site.errors import BadDefinition
from platform_site.models import User
from tools.definition import Problems

Done = list[tuple[str, Literal["created", "changed", "unchanged"]]]
Entry = Mapping[str, Any]


def apply_models(entries: Iterable[Entry], author: User | None) -> Done:
    """Save every model; what is not named stays."""
    known = set(LanguageModel.objects.values_list("slug", flat=True))
    return _apply(entries, known, lambda entry: save_model(entry, author)[1])


def apply_agents(entries: Iterable[Entry], author: User | None) -> Done:
    """Save every agent; a new version only where something changed."""
    known = set(Agent.objects.values_list("slug", flat=True))
    return _apply(entries, known, lambda entry: save_agent(entry, author)[1])


def export_models() -> list[dict[str, Any]]:
    """Every model in the form `apply_models` takes."""
    rows = LanguageModel.objects.select_related("credential").order_by("slug")
    return [_model_entry(model) for model in rows]


def export_agents() -> list[dict[str, Any]]:
    """Every agent in the form `apply_agents` takes."""
    rows = (
        Agent.objects.filter(current__isnull=False).order_by("slug").annotate(said=F("current__definition"))
    )
    return [_agent_entry(said) for said in rows.values_list("said", flat=True)]


def _apply(entries: Iterable[Entry], known: set[str], save: Callable[[Entry], bool]) -> Done:
    """Debates last: their personas may stand anywhere."""
    done: Done = []
    problems: Problems = []
    with audit.recording():
        for index, entry in sorted(enumerate(entries), key=lambda one: one[1].get("kind") == "debate"):
            try:
                changed = save(entry)
            except BadDefinition as bad:
                problems += [_below(f"[{index}]", error) for error in bad.errors]
                continue
            slug = str(entry["slug"])
            done.append((slug, "unchanged" if not changed else "changed" if slug in known else "created"))
        if problems:
            raise BadDefinition(problems)
    return done


def _below(path: str, error: Mapping[str, str]) -> dict[str, str]:
    return {**error, "path": path + error["path"].removeprefix("$")}


def _model_entry(model: LanguageModel) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "slug": model.slug,
        "provider": model.provider,
        "name": model.name,
        "images": model.images,
        "tools": model.tools,
    }
    if model.credential:
        entry["credential"] = model.credential.slug
    if model.input_price or model.output_price:
        entry["price"] = {"input": _number(model.input_price), "output": _number(model.output_price)}
    if model.context:
        entry["context"] = model.context
    if model.settings:
        entry["settings"] = model.settings
    return entry


def _agent_entry(definition: dict[str, Any]) -> dict[str, Any]:
    """Without the keys that only say the default; the required ones always."""
    required = {"tools", *(name for name, field in AgentForm.model_fields.items() if field.is_required())}
    return {key: value for key, value in definition.items() if key in required or value not in ([], "")}


def _number(amount: Decimal) -> int | float:
    return int(amount) if amount == int(amount) else float(amount)
