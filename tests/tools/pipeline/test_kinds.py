"""Errors are counted by kind and field."""

from __future__ import annotations

import pytest

from tools.pipeline.kinds import field_of, kind_of


@pytest.mark.parametrize(
    ("keyword", "kind"),
    [
        ("json", "json"), ("truncated", "truncated"), ("type", "type"), ("required", "missing"),
        ("additionalProperties", "unknown_argument"), ("enum", "enum"), ("maxLength", "limit"), ("pattern", "format"),
        ("rule:title_is_more_than_a_number", "rule"), ("value_error", "handler"), ("unknown_tool", "unknown_tool"),
        ("not_allowed", "not_allowed"), ("somethingNew", "other"),
    ],
)  # fmt: skip
def test_a_keyword_has_a_kind(keyword: str, kind: str) -> None:
    assert kind_of(keyword) == kind


def test_a_field_is_the_same_for_every_item_of_a_list() -> None:
    assert field_of("$.items[3].sizes[12]") == field_of("$.items[0].sizes[1]") == "$.items[].sizes[]"
