"""What the script says beside a conversation; and that it never takes a note for the person's words."""

from __future__ import annotations

import pytest

from agents.aside_words import NOTE, SUMMARY, TITLE
from agents.demo import scripts
from agents.demo.story import Story
from agents.messages import ModelMessage, Request, TextPart


def asked(instructions: str, *texts: str) -> Request:
    said = tuple(ModelMessage("user", (TextPart(text),)) for text in texts)
    return Request(model="demo", instructions=instructions, messages=said)


@pytest.mark.parametrize(("said", "title"), [
    ("find me red shoes, quickly! And a hat.", "Find me red shoes, quickly"),
    ("one two three four five six seven eight", "One two three four five six"),
    ("我想找一双红色的跑鞋。五百以下", "我想找一双红色的跑鞋"),
])  # fmt: skip
def test_a_title_is_the_beginning_of_what_was_asked(said: str, title: str) -> None:
    reply = scripts.decide(asked(TITLE, f"The person: {said}\n\nThe assistant: Here they are."))
    assert (reply.text, reply.calls) == (title, ())


def test_a_summary_keeps_what_was_summarised_before() -> None:
    first = scripts.decide(
        asked(SUMMARY, "The person: shoes\nThe assistant: which size?\nThe person: 42")
    ).text
    assert first == "So far: shoes / 42"
    text = f"Summary of what was said before:\n{first}\n\nThen:\nThe person: add them"
    assert scripts.decide(asked(SUMMARY, text)).text == "So far: shoes / 42 / add them"


def test_a_note_of_the_platform_is_not_what_the_person_said() -> None:
    story = Story(asked("Help.", "echo one", f"{NOTE} call look {{}}"))
    assert story.text == "echo one"
