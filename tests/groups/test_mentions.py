"""Who `@name` means: names as they are written, in scripts with and without spaces."""

from __future__ import annotations

import pytest

from conversations.groups.mentions import mentioned

NAMES = {"a": "Ann", "l": "Ann Lee", "m": "小明", "o": "O'Neil-Ó", "x": "x_1", "agent": "Mall guide"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@Ann look", {"a"}),
        ("look, @ann.", {"a"}),
        ("@Ann Lee, and @ann", {"l", "a"}),
        ("@Ann Lee alone", {"l"}),
        ("(@ANN)", {"a"}),
        ("@小明你好", {"m"}),
        ("你好@小明", {"m"}),
        ("@O'Neil-Ó!", {"o"}),
        ("@mall guide: shoes", {"agent"}),
        ("@x_1", {"x"}),
    ],
)
def test_a_name_after_an_at_is_meant(text: str, found: set[str]) -> None:
    assert mentioned(text, NAMES).keys() == found


@pytest.mark.parametrize("text", ["Ann", "ann@acme.test", "bob@ann", "@Annabel", "@ Ann", "@", "", "@x_12"])
def test_what_only_looks_like_it_means_nobody(text: str) -> None:
    assert mentioned(text, NAMES) == {}


def test_two_of_one_name_are_both_meant() -> None:
    assert mentioned("@Ann", {"1": "Ann", "2": "ann", "3": ""}) == {"1": "Ann", "2": "ann"}
