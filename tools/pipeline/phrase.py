"""Texts that are translated where they are read: a sentence and its values. Pure.

`str` of one is what a model is told: English, or a rule's text as its author wrote it. `tools.words.said` puts it into
the language of the person who reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True, init=False)
class Phrase:
    """A sentence of ours with places: `Phrase(gettext_noop("At least {limit}."), limit=3)`. Values may be texts too."""

    text: str
    values: Mapping[str, Any]

    def __init__(self, text: str, /, **values: Any) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "values", values)

    def __str__(self) -> str:
        return self.text.format(**self.values)


@dataclass(frozen=True, slots=True)
class OwnWords:
    """A text from the configuration, with its author's translations by language code."""

    text: str
    translations: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def for_language(self, language: str) -> str:
        """The translation, or the text as it is."""
        return self.translations.get(language) or self.text


Text: TypeAlias = "str | Phrase | OwnWords | _StrPromise"


def gettext_noop(text: str) -> str:
    """Marks a text for translation (xgettext looks for this name)."""
    return text
