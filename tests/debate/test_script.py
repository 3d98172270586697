"""The script alone: whatever the personas do, a debate takes turns, ends, and is summed up once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import settings as trying
from hypothesis import strategies as st

from agents.debate import (
    Done,
    Mode,
    Pause,
    Said,
    Settings,
    Speak,
    Summarise,
    Voice,
    Wish,
    from_json,
    next_step,
    to_json,
)

ANN, BEN, HOST = Voice("ann", "Ann"), Voice("ben", "Ben"), Voice("host", "Host")


def settings(mode: Mode = "fixed", rounds: int = 3, most: int = 8) -> Settings:
    return Settings((ANN, BEN), HOST, mode, rounds, most)


def played(
    given_: Settings, settles: Callable[[int], bool], wish: Callable[[int], Wish] = lambda turn: ""
) -> list[str]:
    """The speakers of a whole debate; the summary as `host`."""
    said: list[Said] = []
    spoken: list[str] = []
    while len(spoken) < 200:
        match next_step(given_, said, wish(len(said))):
            case Speak(persona, turn, round_):
                assert turn == len(said) + 1 and round_ == (turn + 1) // 2
                spoken.append(persona.slug)
                said.append(Said(turn, settles=settles(turn)))
            case Summarise():
                spoken.append("host")
                said.append(Said(0))
            case Pause():
                spoken.append("pause")
                return spoken
            case Done():
                return spoken
    raise AssertionError("it never ends")


@trying(deadline=None, max_examples=30)
@given(st.integers(1, 20))
def test_fixed_rounds_are_all_spoken_and_no_more(rounds: int) -> None:
    assert played(settings(rounds=rounds), lambda turn: True) == ["ann", "ben"] * rounds + ["host"]


@trying(deadline=None, max_examples=30)
@given(st.integers(1, 20))
def test_personas_who_never_settle_are_bounded(most: int) -> None:
    assert played(settings("ai", most=most), lambda turn: False) == ["ann", "ben"] * most + ["host"]


@trying(deadline=None, max_examples=30)
@given(st.integers(1, 20))
def test_personas_who_settle_at_once_speak_once_each(most: int) -> None:
    assert played(settings("ai", most=most), lambda turn: True) == ["ann", "ben", "host"]


@trying(deadline=None, max_examples=30)
@given(st.integers(1, 20), st.booleans())
def test_one_who_settles_speaks_again_while_the_other_goes_on(most: int, first: bool) -> None:
    def settles(turn: int) -> bool:
        return (turn % 2 == 1) == first

    assert played(settings("ai", most=most), settles) == ["ann", "ben"] * most + ["host"]


def test_it_ends_when_both_settle_in_a_row_whoever_was_first() -> None:
    spoken = played(settings("ai"), lambda turn: turn in (2, 3))
    assert spoken == ["ann", "ben", "ann", "host"]


@trying(deadline=None, max_examples=30)
@given(st.sets(st.integers(1, 40)), st.integers(1, 20), st.sampled_from(["fixed", "ai"]))
def test_whatever_they_do_they_take_turns_and_one_summary_ends_it(
    settled: set[int], rounds: int, mode: Mode
) -> None:
    spoken = played(settings(mode, rounds, rounds), settled.__contains__)
    assert spoken[-1] == "host" and spoken.count("host") == 1
    assert spoken[:-1] == ["ann" if nth % 2 == 0 else "ben" for nth in range(len(spoken) - 1)]
    assert len(spoken) <= 2 * rounds + 1


@trying(deadline=None, max_examples=30)
@given(st.integers(0, 6))
def test_summarise_now_follows_on_any_turn(after: int) -> None:
    spoken = played(settings(), lambda turn: False, lambda said: "summarise" if said >= after else "")
    assert spoken == [*["ann", "ben", "ann", "ben", "ann", "ben"][:after], "host"]


@trying(deadline=None, max_examples=30)
@given(st.integers(0, 6))
def test_a_pause_comes_between_turns_also_before_the_summary(after: int) -> None:
    spoken = played(settings(), lambda turn: False, lambda said: "pause" if said == after else "")
    assert spoken == [*["ann", "ben", "ann", "ben", "ann", "ben"][:after], "pause"]


@pytest.mark.parametrize("wish", ["", "pause"])
def test_a_turn_that_is_not_whole_goes_on_first(wish: Wish) -> None:
    step = next_step(settings(), [Said(1), Said(2, is_whole=False)], wish)
    assert step == Speak(BEN, 2, 1)


def test_summarise_now_does_not_wait_for_a_turn_that_was_broken_off() -> None:
    assert next_step(settings(), [Said(1), Said(2, is_whole=False)], "summarise") == Summarise()


def test_a_summary_that_was_broken_off_is_written_again_whatever_is_wished() -> None:
    for wish in ("", "pause", "summarise"):
        assert next_step(settings(), [Said(1), Said(0, is_whole=False)], wish) == Summarise()  # type: ignore[arg-type]


def test_what_was_summed_up_is_over() -> None:
    assert next_step(settings(), [Said(1), Said(0)]) == Done()


def test_settings_are_stored_whole() -> None:
    voice = Voice("ann", "Ann", "v1", ({"slug": "demo", "settings": {"temperature": 0.5}},), "🦉", "teal")
    before = Settings((voice, BEN), HOST, "ai", 4, 5, "premium")
    assert from_json(to_json(before)) == before
