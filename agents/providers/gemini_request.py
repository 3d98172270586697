"""The body of a `streamGenerateContent` request, in the casing of Google's REST reference. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.messages import Request
from agents.providers import gemini_models
from agents.providers.gemini_history import Teller
from agents.spec import ModelSpec
from tools.compile import gemini as compiler
from tools.compile.names import Table
from tools.kept import Kept
from tools.spec import ToolSpec

_SETTINGS = {
    "temperature": "temperature", "top_p": "topP", "max_output_tokens": "maxOutputTokens", "seed": "seed",
}  # fmt: skip
_kept: Kept[dict[str, Any]] = Kept(2_000)


def body(request: Request, model: ModelSpec, table: Table, key: str) -> dict[str, Any]:
    """Everything the model is asked. `key`: see `Teller`."""
    teller = Teller(request.model, key, table, sees=model.images, images=request.images)
    made: dict[str, Any] = {"contents": teller.contents(request.messages)}
    if request.instructions:
        made["systemInstruction"] = {"parts": [{"text": request.instructions}]}
    if request.tools:
        made["tools"] = [{"functionDeclarations": declarations(request.tools, table)}]
    if config := generation_config(request.model, {**model.settings, **request.settings}):
        made["generationConfig"] = config
    return made


def declarations(specs: Sequence[ToolSpec], table: Table) -> list[dict[str, Any]]:
    """The tools, under the names of `table`."""
    return [{**_declaration(spec), "name": table.told(spec.name)} for spec in specs]


def generation_config(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings in Gemini's words; the ones it does not have are left out."""
    made = {theirs: settings[ours] for ours, theirs in _SETTINGS.items() if settings.get(ours) is not None}
    if thinking := gemini_models.thinking(name, str(settings.get("reasoning_effort") or "")):
        made["thinkingConfig"] = thinking
    return made


def _declaration(spec: ToolSpec) -> dict[str, Any]:
    """The declaration of a tool version, made once."""
    return _kept.get_or_make(spec.version, lambda: _made(spec)) if spec.version else _made(spec)


def _made(spec: ToolSpec) -> dict[str, Any]:
    compiled = compiler.compile(spec)
    return {"description": compiled.description, "parametersJsonSchema": compiled.parameters}
