"""The chain by itself: whatever is done to it without the key is found, and the first bad position named."""

from __future__ import annotations

import random

import pytest

from platform_site.audit.chain import Witness
from tests.audit.tampering import KEYS, TAMPERINGS, Chain, Tampering, made

LENGTH = 24


def test_a_chain_that_nobody_touched_is_sound() -> None:
    """Also across a change of keys, and compared with heads exported on the way."""
    told = made(LENGTH)
    witnesses = {n: [Witness(n, told.rows[n - 1].hash, "day.jwts:1")] for n in (1, 7, LENGTH)}
    assert told.first_bad(witnesses) is None
    assert Chain([], None).first_bad() is None


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_a_thousand_tamperings_are_found_at_the_right_place(tampering: Tampering) -> None:
    """T63: 200 of each kind."""
    dice = random.Random(tampering.__name__)
    for _ in range(200):
        told = made(LENGTH)
        first = tampering(told, dice)
        assert told.first_bad() == first


def test_an_end_cut_off_with_the_head_set_back_is_found_through_an_exported_head() -> None:
    """T63: an older head row that was right at its time tells nothing; the exported one does."""
    whole, earlier = made(LENGTH), made(LENGTH // 2)
    exported = {LENGTH: [Witness(LENGTH, whole.rows[-1].hash, "day.jwts:9")]}
    assert earlier.first_bad() is None
    assert earlier.first_bad(exported) == LENGTH // 2 + 1
    assert Chain([], None).first_bad(exported) == 1
    assert whole.first_bad(exported) is None


def test_a_chain_written_anew_is_found_through_an_exported_head() -> None:
    """T63: even by somebody who has the key."""
    told = made(LENGTH)
    assert told.first_bad({5: [Witness(5, "0" * 64, "day.jwts:2")]}) == 5


def test_without_its_key_an_entry_is_not_believed() -> None:
    first_with_k2 = LENGTH // 2 + 1
    assert made(LENGTH).first_bad(key_of={"k1": KEYS["k1"]}.get) == first_with_k2


def test_the_head_of_another_tenant_does_not_pass() -> None:
    told = made(LENGTH)
    assert told.head
    told.head = told.head._replace(mac="0" * 64)
    assert told.first_bad() == LENGTH + 1
