"""Small questions to a model beside a conversation: what to call it, what was said in it so far.

`ask` is the one way they are put: no tools, no history, the agent's own models. What a model is told that the person
did not say (`note`) is marked so that neither a model nor a script takes it for the person's words.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from agents import router
from agents.aside_words import NOTE
from agents.messages import ModelMessage, Request, TextPart
from agents.notes import Switched
from agents.spec import ModelSpec
from agents.stream import Finish, TextDelta


def note(text: str) -> ModelMessage:
    """Something a model is told between what people said."""
    return ModelMessage("user", (TextPart(f"{NOTE} {text}"),))


def is_note(message: ModelMessage) -> bool:
    """Whether the platform said it."""
    first = message.parts[0] if message.parts else None
    return isinstance(first, TextPart) and first.text.startswith(NOTE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said, which one it was, and what it cost."""

    text: str
    model: ModelSpec
    finish: Finish


def request(instructions: str, text: str, locale: str) -> Request:
    return Request(
        model="",
        instructions=instructions,
        messages=(ModelMessage("user", (TextPart(text),)),),
        locale=locale,
    )


async def ask(asked: Request, models: Sequence[ModelSpec], *, most: int) -> Answer:
    """The answer, its text cut to `most` characters and empty when it was blocked. Raises `ProviderError`."""
    said: list[str] = []
    speaker, finish, count = models[0], None, 0
    async with aclosing(router.speak(asked, models)) as stream:
        async for event in stream:
            if isinstance(event, TextDelta) and count < most:
                said.append(event.text)
                count += len(event.text)
            elif isinstance(event, Switched):
                speaker = next((model for model in models if model.slug == event.model), speaker)
            elif isinstance(event, Finish):
                finish = event
    assert finish is not None, "a stream without its end raises"
    return Answer("" if finish.reason == "blocked" else "".join(said)[:most].strip(), speaker, finish)
