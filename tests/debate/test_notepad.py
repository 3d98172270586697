"""The notepad: noted by personas alone, versioned, never by halves; the same in rows, log, prompts and export (D2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.debate import notepad
from conversations.debate.handlers import Note, Nothing, notepad_update, nothing_to_add
from conversations.debate.notepad import Change, Notepad, after, fold
from tests.conversations.conftest import Talk
from tests.debate import folding
from tests.debate.conftest import Debated, note, place, says, text_of
from tools.catalogue import save_tool
from tools.models import ToolCall
from tools.outcome import Failed
from tools.registry import ToolContext, find

KINDS = ("fact", "assumption", "question", "todo")


@st.composite
def changes(draw: Any) -> list[Change]:
    """A history that could have happened."""
    made: list[Change] = []
    entries = 0
    for version in range(1, draw(st.integers(1, 12)) + 1):
        action = draw(st.sampled_from(["add", "change", "strike"])) if entries else "add"
        entries += action == "add"
        entry = entries if action == "add" else draw(st.integers(1, entries))
        made.append(
            Change(
                version,
                entry,
                action,
                draw(st.sampled_from(KINDS)),
                draw(st.text(max_size=9)),
                "muse",
                version,
            )
        )
    return made


@settings(deadline=None, max_examples=30)
@given(changes())
def test_patch_after_patch_makes_what_the_changes_make(made: list[Change]) -> None:
    state: dict[str, Any] = {"suggestions": ["a"]}
    folding.patched(state, notepad.whole_patch(Notepad("d")))
    pad = Notepad("d")
    for change in made:
        folding.patched(state, notepad.patch(pad, change))
        pad = after(pad, change)
    assert state == {"suggestions": ["a"], "notepad": notepad.as_state(fold("d", made))}


@settings(deadline=None, max_examples=30)
@given(changes())
def test_an_entry_keeps_all_its_earlier_texts(made: list[Change]) -> None:
    pad = fold("d", made)
    assert sum(1 + len(entry.history) for entry in pad.entries) == len(made)


def test_as_markdown_it_says_what_who_and_in_which_turn() -> None:
    made = [
        Change(1, 1, "add", "fact", "Tea has **caffeine**.", "cognito", 1),
        Change(2, 2, "add", "todo", "Ask\nfor prices.", "muse", 2),
        Change(3, 1, "strike", "fact", "Tea has **caffeine**.", "muse", 4),
    ]
    assert notepad.markdown(fold("d", made), {"cognito": "Cognito"}) == (
        "### Facts\n- [N1] ~~Tea has **caffeine**.~~ (Cognito, [T1])\n\n### To do\n- [N2] Ask for prices. (muse, [T2])"
    )


def change(entry: int, **more: Any) -> tuple[str, dict[str, Any]]:
    return "notepad_update", {"entry": entry, **more}


def test_what_is_noted_stands_in_every_later_prompt(debate: Debated) -> None:
    debate.plays(says("First.", note("Tea has caffeine.")))
    debate.turn("Tea?")
    first, *later = map(text_of, debate.stage.requests)
    assert "(The notepad is empty.)" in first
    assert len(later) == 4
    assert all("- [N1] Tea has caffeine. (Cognito, [T1])" in told for told in later)
    folding.check(debate.conversation.pk)


def test_the_other_persona_changes_and_strikes_it_and_its_history_stays(debate: Debated) -> None:
    debate.plays(
        says("One.", note("Tea has caffeine.")),
        says("Two.", change(1, action="change", text="Black tea has caffeine.")),
        says("Three.", change(1, action="change", kind="assumption")),
        says("Four.", change(1, action="strike")),
    )
    debate.turn("Tea?")
    (entry,) = debate.pad().entries
    assert (entry.text, entry.kind, entry.struck) == ("Black tea has caffeine.", "assumption", True)
    assert [(one["by"], one["turn"]) for one in entry.history] == [("muse", 2), ("cognito", 3), ("muse", 4)]
    assert [one.by for one in debate.pad().changes] == ["cognito", "muse", "cognito", "muse"]
    folding.check(debate.conversation.pk)


WRONG = {
    "unknown_entry": change(7, action="strike"),
    "struck_entry": change(1, action="change", text="Again."),
    "nothing_said": ("notepad_update", {"action": "add", "kind": "fact"}),
    "entry_given": ("notepad_update", {"action": "add", "kind": "fact", "text": "x", "entry": 1}),
}


@pytest.mark.parametrize("code", WRONG)
def test_what_cannot_be_is_refused_with_words_to_put_it_right(debate: Debated, code: str) -> None:
    debate.plays(
        says("One.", note("Tea.")), says("Two.", change(1, action="strike")), says("Three.", WRONG[code]),
        says("I see."),
    )  # fmt: skip
    debate.turn("Tea?")
    assert len(debate.pad().changes) == 2
    call = debate.calls()[-1]
    assert (call.status, call.result["error"]["code"]) == ("failed", code)
    assert place(debate.stage.requests[3])["turn"] == 3


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "add", "kind": "fact", "text": "x" * 501},
        {"action": "add", "kind": "rumour", "text": "x"},
        {"action": "add", "kind": "fact", "text": "   "},
        {"action": "add", "kind": "fact", "text": "x", "by": "muse"},
        {"action": "add", "kind": "fact", "text": "x", "speaker": "Bob", "turn": 9},
    ],
)
def test_bad_arguments_go_back_and_nothing_is_noted(debate: Debated, arguments: dict[str, Any]) -> None:
    """Nobody can say in whose name they note."""
    debate.plays(says("One.", ("notepad_update", arguments)), says("Well."))
    debate.turn("Tea?")
    assert debate.statuses() == ["rejected"]
    assert debate.pad().changes == ()


def test_it_holds_so_many_entries_and_no_more(debate: Debated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conversations.debate.handlers.MOST_ENTRIES", 2)
    debate.plays(says("One.", note("a"), note("b")), says("Two.", note("c")), says("I see."))
    debate.turn("Tea?")
    assert sorted(entry.text for entry in debate.pad().entries) == ["a", "b"]
    assert debate.calls()[-1].result["error"]["code"] == "full"


def test_outside_of_a_debate_nobody_notes(talk: Talk) -> None:
    """Not an agent one talks to, not a person who tries the tool out, not a call that is over."""
    handler = find("debate.notepad_update")
    assert handler
    save_tool(handler.definition(), None)
    version = talk.conversation.agent.current
    assert version
    tools = [*version.definition["tools"], "notepad_update"]
    type(version).objects.filter(pk=version.pk).update(definition={**version.definition, "tools": tools})
    talk.turn('call notepad_update {"action": "add", "kind": "fact", "text": "x"}')
    (call,) = talk.calls()
    assert (call.status, call.result["error"]["code"]) == ("failed", "no_debate")
    context = ToolContext(talk.actor.tenant, talk.actor.user, call.pk, call.topic, call.run)
    assert isinstance(notepad_update(context, Note(action="add", kind="fact", text="x")), Failed)
    assert isinstance(nothing_to_add(context, Nothing(reason="x")), Failed)


def test_a_call_that_was_stopped_does_not_note_any_more(debate: Debated) -> None:
    debate.plays(says("One.", note("Tea.")))
    debate.turn("Tea?")
    call = ToolCall.objects.get()
    context = ToolContext(debate.actor.tenant, debate.actor.user, call.pk, call.topic, call.run)
    assert isinstance(notepad_update(context, Note(action="add", kind="fact", text="again")), Failed)
    assert len(debate.pad().changes) == 1


def test_a_tool_that_an_admin_switched_off_is_not_offered_again(debate: Debated) -> None:
    from tools.catalogue import switch_tool
    from tools.models import Tool

    debate.turn("Tea?")
    switch_tool(Tool.objects.get(name="notepad_update"), False, None)
    debate.turn("Coffee?")
    assert "notepad_update" not in {spec.name for spec in debate.stage.requests[5].tools}
