"""Texts of the pure modules in the language that is active now: for the record, the wire and the pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import get_language, gettext

from tools.pipeline.phrase import OwnWords, Phrase, Text
from tools.schema_words import ArgumentError


def said(text: Text) -> str:
    """The text in the active language."""
    match text:
        case Phrase():
            return gettext(text.text).format(**{name: _part(value) for name, value in text.values.items()})
        case OwnWords():
            return text.for_language(get_language() or "")
    return str(text)


def errors_as_json(errors: Sequence[ArgumentError]) -> list[dict[str, Any]]:
    """Errors for the record and the wire, in the active language."""
    return [error.as_json(said) for error in errors]


def _part(value: Any) -> Any:
    return said(value) if isinstance(value, Phrase | OwnWords) else value
