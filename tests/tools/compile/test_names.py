"""Tools' names as providers take them, and back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.compile.tools_of import of, tool
from tools.compile.names import Table, legal

LEGAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,62}")


@pytest.mark.parametrize("name", ["order", "add_chapter", "add-note", "a" * 63, "_x"])
def test_a_legal_name_stays(name: str) -> None:
    assert legal(name) == name


@pytest.mark.parametrize(
    ("name", "told"),
    [("shop.order", "shop_order"), ("7zip", "_7zip"), ("名", "_"), ("", "_"), ("a b", "a_b")],
)
def test_what_is_not_legal_is_replaced(name: str, told: str) -> None:
    assert legal(name) == told


def test_a_long_name_is_shortened_and_stays_its_own() -> None:
    first, second = legal("a" * 80), legal("a" * 81)
    assert len(first) == len(second) == 63 and first != second


def test_names_that_fall_together_are_told_apart_and_found_again() -> None:
    table = Table(
        [tool(of(), name="shop.order"), tool(of(), name="shop_order"), tool(of(), name="shop order")]
    )
    told = {name: table.told(name) for name in ("shop.order", "shop_order", "shop order")}
    assert told["shop_order"] == "shop_order", "a name that is legal keeps it"
    assert len(set(told.values())) == 3
    assert {table.ours(name) for name in told.values()} == set(told)


def test_a_name_nobody_told_stays_as_it_is() -> None:
    """T22: the gate answers that there is no such tool."""
    assert Table([tool(of())]).ours("wipe_disk") == "wipe_disk"


@given(st.lists(st.text(max_size=90), max_size=12, unique=True))
def test_any_names_go_there_and_back(names: list[str]) -> None:
    table = Table([tool(of(), name=name) for name in names])
    assert [table.ours(table.told(name)) for name in names] == names
    assert all(LEGAL.fullmatch(table.told(name)) for name in names)
