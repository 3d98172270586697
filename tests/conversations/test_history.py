"""The transcript a model is given is valid whatever happened in between."""

from __future__ import annotations

from agents.messages import ModelMessage, TextPart, ToolCallPart, ToolResultPart, part_to_json
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
