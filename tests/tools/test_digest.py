"""Canonical JSON: one text for one value, before it is stored and after it was read back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.canonical import canonical, digest
from tools.models import ToolCall

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1.0, "a": [1, -0.0, 0.1]}, '{"a":[1,0,0.1],"b":1}'),
        ({"\ue000": 1, "😀": 2}, '{"😀":2,"\ue000":1}'),
        ([1e22, 10**22], "[1e+22,1e+22]"),
        (2**63 - 1, "9223372036854775807"),
        ('"\n\u2028é', '"\\"\\n\u2028é"'),
        ([True, None], "[true,null]"),
    ],
)
def test_the_text_of_a_value(value: Any, text: str) -> None:
    assert canonical(value) == text


@given(JSON)
@settings(max_examples=60, deadline=None)
def test_it_reads_back_as_the_same_value_with_the_same_text(value: Any) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_json_has_no_digest(value: float) -> None:
    with pytest.raises(ValueError):
        digest(value)


def test_true_is_not_one() -> None:
    assert digest({"a": True}) != digest({"a": 1}) != digest({"a": "1"})


def test_the_database_does_not_change_a_digest(inside: object) -> None:
    """PostgreSQL's jsonb turns 1e22 and 1e300 into whole numbers, and -0.0 into 0."""
    value = {
        "a": [1e22, 1e300, 1.5, 1.0, -0.0, 0.1, 2**63 - 1, 1e-7, 123456789012345680.0],
        "b": {"z": "é", "A": ""},
    }
    call = ToolCall.objects.create(topic="t", run="r", name="n", raw="", arguments=value)
    assert digest(ToolCall.objects.get(pk=call.pk).arguments) == digest(value)
