"""What compiling a tool for a provider comes to. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tools.pipeline.phrase import Phrase, gettext_noop

Node: TypeAlias = Mapping[str, Any]

TOLD = Phrase(gettext_noop("Told in the description only."))
UNTOLD = Phrase(gettext_noop("Models are not told; the check of the arguments knows it."))
LOOSER = Phrase(gettext_noop("Told as anyOf: more than one form may fit."))
MERGED = Phrase(gettext_noop("Several parts speak of this; only the first is told."))
CLOSED = Phrase(gettext_noop("The schema leaves other names open; models can give only the ones it names."))
CUT = Phrase(gettext_noop("The schema refers to itself; from here on only the type is told."))
BESIDE_REFERENCE = Phrase(gettext_noop("Nothing can be told beside a reference that leads back to itself."))
ODD_NAME = Phrase(gettext_noop("Documented are names of letters, digits and underscores, at most 64."))
ANYTHING = Phrase(gettext_noop("Not strict: any value may stand here."))
OPEN = Phrase(gettext_noop("Not strict: entries with names of the model’s choice may stand here."))
TOO_BIG = Phrase(gettext_noop("Not strict: the schema is larger than strict mode allows."))


@dataclass(frozen=True, slots=True)
class Lost:
    """Something of the schema that a provider's form cannot say. `path` is where in the schema: `$.properties.size`."""

    path: str
    keyword: str
    why: Phrase


@dataclass(frozen=True, slots=True)
class Compiled:
    """A tool as one provider is told of it. `parameters` is None where no arguments are told as nothing at all."""

    name: str
    description: str
    parameters: dict[str, Any] | None
    strict: bool
    lost: tuple[Lost, ...]
