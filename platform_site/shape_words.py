"""What pydantic finds wrong with a shape, in the active language; kinds that are not listed here in its own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

_SENTENCES = {
    "missing": _("this is missing"),
    "extra_forbidden": _("there is no such key"),
    "string_type": _("this must be a text"),
    "int_type": _("this must be a whole number"),
    "int_from_float": _("this must be a whole number"),
    "int_parsing": _("this must be a whole number"),
    "float_type": _("this must be a number"),
    "float_parsing": _("this must be a number"),
    "finite_number": _("this must be a number"),
    "bool_type": _("this must be true or false"),
    "dict_type": _("this must be an object"),
    "model_type": _("this must be an object"),
    "model_attributes_type": _("this must be an object"),
    "list_type": _("this must be a list"),
    "string_too_short": _("too short; the least length is %(min_length)s"),
    "string_too_long": _("too long; the greatest length is %(max_length)s"),
    "too_short": _("too few entries; the least is %(min_length)s"),
    "too_long": _("too many entries; the most is %(max_length)s"),
    "greater_than_equal": _("this must be at least %(ge)s"),
    "less_than_equal": _("this must be at most %(le)s"),
    "string_pattern_mismatch": _("this does not fit the pattern %(pattern)s"),
    "literal_error": _("this must be one of %(expected)s"),
    "union_tag_invalid": _("this must be one of %(expected_tags)s"),
}


def words_of(error: Mapping[str, Any]) -> str:
    """The sentence for one of `ValidationError.errors()`."""
    sentence = _SENTENCES.get(error["type"])
    if sentence is None:
        return str(error["msg"]).removeprefix("Value error, ")
    values = {name: str(value).replace(" or ", ", ") for name, value in error.get("ctx", {}).items()}
    return str(sentence) % values
