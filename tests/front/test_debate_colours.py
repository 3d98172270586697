"""The colours of those who debate: each of the palette stands out from what is behind it, by day and by night."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from agents.spec import Colour
from tests.front.test_static import STATIC

CSS = (STATIC / "css" / "debate.css").read_text()
BASE = (STATIC / "css" / "base.css").read_text()
HUES = re.findall(r"^\.hue-(\w+) \{(.*)\}", CSS, re.M)
PAIR = r"light-dark\((#\w{6}), (#\w{6})\)"


def light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dim, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dim + 0.05)


def both(name: str, text: str) -> list[str]:
    """A colour by day and by night."""
    found = re.search(rf"--{name}: {PAIR}", text)
    assert found
    return list(found.groups())


def test_the_palette_is_the_one_agents_are_configured_with() -> None:
    assert {name for name, _ in HUES} == set(get_args(Colour))


@pytest.mark.parametrize(("name", "colours"), HUES, ids=[name for name, _ in HUES])
def test_names_and_letters_stand_out(name: str, colours: str) -> None:
    """WCAG AA: 4.5 for a name on its own tint and on the page, and for the letter on the avatar."""
    letters = re.search(rf"\.avatar \{{[^}}]*color: {PAIR}", CSS)
    assert letters
    hue, soft, surface = both("hue", colours), both("hue-soft", colours), both("surface", BASE)
    for at in range(2):
        assert contrast(hue[at], soft[at]) >= 4.5
        assert contrast(hue[at], surface[at]) >= 4.5
        assert contrast(hue[at], letters[at + 1]) >= 4.5


@pytest.mark.parametrize("ink", ["ink", "ink-2", "ink-3", "water"])
def test_words_stand_out_from_every_tint(ink: str) -> None:
    for _, colours in HUES:
        for at in range(2):
            assert contrast(both(ink, BASE)[at], both("hue-soft", colours)[at]) >= 4.5
