"""The transcript a model is given is valid whatever happened in between."""

from __future__ import annotations

from agents.messages import (
    ModelMessage,
    Native,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    native_to_json,
    part_to_json,
    shown_parts,
)
from conversations.history import NOT_RUN, history

ASK = ("user", [part_to_json(TextPart("Shoes?"))])
CALLS = [ToolCallPart("c1", "search", "{}"), ToolCallPart("c2", "stores", "{}")]
LOOK = ("assistant", [part_to_json(TextPart("Let me look.")), *map(part_to_json, CALLS)])


def test_each_call_is_answered_in_order() -> None:
    found = ToolResultPart("c1", "search", "3 shoes", "succeeded")
    stores = ToolResultPart("c2", "stores", "none", "failed")
    told = history([ASK, LOOK], {"c2": stores, "c1": found})
    assert told == [
        ModelMessage("user", (TextPart("Shoes?"),)),
        ModelMessage("assistant", (TextPart("Let me look."), *CALLS)),
        ModelMessage("tool", (found, stores)),
    ]


def test_a_call_nobody_answered_is_answered_all_the_same() -> None:
    told = history([ASK, LOOK], {})
    assert told[-1] == ModelMessage(
        "tool",
        (
            ToolResultPart("c1", "search", NOT_RUN, "withdrawn"),
            ToolResultPart("c2", "stores", NOT_RUN, "withdrawn"),
        ),
    )


def test_a_reply_that_was_withdrawn_leaves_no_trace() -> None:
    assert history([ASK, ("assistant", [])], {}) == [ModelMessage("user", (TextPart("Shoes?"),))]


def test_what_the_provider_gave_goes_back_beside_the_neutral_parts_and_is_no_part() -> None:
    native = Native("gemini", "flash", {"role": "model", "parts": [{"thoughtSignature": "c2ln"}]})
    stored = [part_to_json(ThinkingPart("Hm.")), part_to_json(TextPart("Four.")), native_to_json(native)]
    (told,) = history([("assistant", stored)], {})
    assert told == ModelMessage("assistant", (ThinkingPart("Hm."), TextPart("Four.")), native)
    assert shown_parts(stored) == stored[:2]


def test_thoughts_alone_are_no_message() -> None:
    assert history([ASK, ("assistant", [part_to_json(ThinkingPart("Hm."))])], {}) == [
        ModelMessage("user", (TextPart("Shoes?"),))
    ]
