"""How often a model may correct itself, and which attempts belong together."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from tools.pipeline.budget import (
    CORRECTIONS_A_TOOL,
    CORRECTIONS_A_TURN,
    Tried,
    continues,
    next_step,
    tries_left,
)

NUMBERS = count()


def bad(
    tool: str = "look", raw: str = "", reply: str = "", after: Tried | None = None, *, ok: bool = False
) -> Tried:
    """An attempt, bad unless said otherwise; `after` is the one it corrects."""
    id_ = f"a{next(NUMBERS)}"
    chain, number = (after.chain, after.number + 1) if after else (id_, 1)
    return Tried(id_, chain, number, tool, raw or id_, reply or id_, ok)


def test_the_first_mistake_goes_back_to_the_model() -> None:
    assert next_step([], bad(), is_known=True) == "send_back"


def test_two_corrections_then_the_person_is_asked() -> None:
    first = bad()
    second = bad(after=first)
    third = bad(after=second)
    assert next_step([first], second, is_known=True) == "send_back"
    assert next_step([first, second], third, is_known=True) == "ask"


def test_the_same_bad_call_twice_is_enough() -> None:
    """T23."""
    first = bad(raw="{}")
    assert next_step([first], bad(raw="{}", after=first), is_known=True) == "ask"


def test_two_equal_bad_calls_of_one_reply_are_one_mistake() -> None:
    first = bad(raw="{}", reply="r1")
    assert next_step([first], bad(raw="{}", reply="r1"), is_known=True) == "send_back"


def test_a_turn_has_only_so_many_mistakes() -> None:
    earlier = [bad(tool=f"tool{number}") for number in range(CORRECTIONS_A_TURN)]
    assert next_step(earlier[:-1], bad(), is_known=True) == "send_back"
    assert next_step(earlier, bad(), is_known=True) == "ask"


def test_nobody_is_asked_about_a_tool_that_does_not_exist() -> None:
    """T22."""
    first = bad(tool="lok", raw="{}")
    assert next_step([], first, is_known=False) == "send_back"
    assert next_step([first], bad(tool="lok", raw="{}", after=first), is_known=False) == "give_up"


def test_a_call_continues_the_oldest_mistake_of_its_tool() -> None:
    one, two = bad(reply="r1"), bad(reply="r1")
    assert continues([one, two], "look", "", "r2") == one
    corrected = bad(after=one, reply="r2", ok=True)
    assert continues([one, two, corrected], "look", "", "r2") == two, (
        "the second call of the reply corrects the second"
    )


def test_of_two_mistakes_the_one_most_like_it_is_continued() -> None:
    hat, coat = bad(raw='{"itm": "hat"}', reply="r1"), bad(raw='{"itm": "coat"}', reply="r1")
    assert continues([hat, coat], "look", '{"item": "coat"}', "r2") == coat


def test_what_a_person_is_asked_about_is_theirs() -> None:
    asked = replace(bad(reply="r1"), asked=True)
    assert continues([asked], "look", "", "r2") is None


def test_calls_of_one_reply_do_not_correct_one_another() -> None:
    assert continues([bad(reply="r1")], "look", "", "r1") is None


def test_a_good_call_leaves_nothing_to_continue() -> None:
    assert continues([bad(ok=True)], "look", "", "r2") is None
    assert continues([bad(tool="other")], "look", "", "r2") is None


@given(st.lists(st.sampled_from(["same", "other"]), max_size=30))
def test_a_model_that_never_learns_is_stopped(raws: list[str]) -> None:
    """T23: whatever it sends, it gets at most its two corrections."""
    earlier: list[Tried] = []
    for nth, raw in enumerate(raws):
        this = bad(
            raw=f"{raw}{nth if raw == 'other' else ''}", after=continues(earlier, "look", raw, f"r{nth}")
        )
        step = next_step(earlier, this, is_known=True)
        assert (tries_left(earlier, this) == 0) <= (step == "ask")
        if step == "ask":
            return
        earlier.append(this)
    assert len(raws) <= CORRECTIONS_A_TOOL
