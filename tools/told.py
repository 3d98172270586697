"""What each provider's models are told of a tool, for its page in the console: in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from platform_site.console.widgets import pretty
from tools.compile import gemini, openai
from tools.compile.values import Compiled
from tools.spec import ToolSpec
from tools.words import said

_FORMS: tuple[tuple[str, Callable[[ToolSpec], Compiled]], ...] = (
    ("OpenAI", openai.compile),
    ("Gemini (JSON Schema)", gemini.compile),
    ("Gemini (OpenAPI)", gemini.compile_openapi),
)


@dataclass(frozen=True, slots=True)
class Told:
    """One provider's form of a tool. `lost`: where in the schema, which keyword, and why it is not told as it is."""

    provider: str
    name: str
    description: str
    parameters: str
    strict: bool
    lost: tuple[tuple[str, str, str], ...]


def told_of(spec: ToolSpec) -> list[Told]:
    """The tool in each form."""
    return [_told(provider, compile_for(spec)) for provider, compile_for in _FORMS]


def _told(provider: str, made: Compiled) -> Told:
    lost = tuple((one.path, one.keyword, said(one.why)) for one in made.lost)
    parameters = "" if made.parameters is None else pretty(made.parameters)
    return Told(provider, made.name, made.description, parameters, made.strict, lost)
