"""Filters of the playground's templates."""

from __future__ import annotations

from django import template

from tools.pipeline.phrase import Text
from tools.review.words import mend_name
from tools.words import said

register = template.Library()


@register.filter
def in_words(text: Text) -> str:
    """A text of the pure modules in the reader's language."""
    return said(text)


@register.filter
def mended(flag: dict[str, str]) -> str:
    """What a flag says was done."""
    return mend_name(flag)
