"""The demo provider: a script in place of a model, streamed as a real model streams. Needs no key and no network.

It is given a `Request` and nothing else, decides the whole reply by the pure `agents.demo.scripts`, and then yields
it in small pieces, one every `DEMO_PACE_MS` milliseconds.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Iterator

from agents.demo import scripts
from agents.demo.script import Scripted
from agents.messages import ImagePart, Request, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, StreamEvent, TextDelta
from platform_site.env import env
from platform_site.ids import new_id

MODEL = "demo"
_HAN = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
_PIECE = re.compile(rf"[{_HAN}]{{1,2}}|[^\s{_HAN}]{{1,24}}\s?|\s{{1,8}}")
_BREATHE = 16
"""Without a pace, the loop is yielded to after so many pieces."""
_BYTES_A_TOKEN = 4
_IMAGE_BYTES = 4_000


class DemoProvider:
    """Answers by script. Everything it says is labelled as a demo wherever it is shown."""

    name = "demo"
    is_demo = True

    async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        """The scripted reply, piece by piece, then `Finish`."""
        reply = scripts.decide(request)
        for place, event in enumerate(pieces(reply)):
            await _wait(place)
            yield event
        yield Finish("stop", MODEL, input_tokens=_asked(request), output_tokens=_answered(reply))


def pieces(reply: Scripted) -> Iterator[StreamEvent]:
    """The reply cut up: a word or one or two Chinese characters at a time, arguments in about three fragments."""
    for found in _PIECE.finditer(reply.text):
        yield TextDelta(found[0])
    for index, call in enumerate(reply.calls):
        size = max(8, -(-len(call.arguments) // 3))
        yield CallDelta(index, id=f"call_{new_id()}", name=call.name)
        for start in range(0, len(call.arguments), size):
            yield CallDelta(index, arguments=call.arguments[start : start + size])


async def _wait(place: int) -> None:
    if env.demo_pace_ms:
        await asyncio.sleep(env.demo_pace_ms / 1000)
    elif place % _BREATHE == 0:
        await asyncio.sleep(0)


def _asked(request: Request) -> int:
    """A fair estimate of the tokens a model would count for the request."""
    size = len(request.instructions.encode())
    size += sum(
        len(spec.name) + len(spec.description.encode()) + len(str(spec.schema)) for spec in request.tools
    )
    for message in request.messages:
        for part in message.parts:
            match part:
                case TextPart(text):
                    size += len(text.encode())
                case ToolCallPart(_, name, arguments):
                    size += len(name) + len(arguments.encode())
                case ToolResultPart(_, name, content):
                    size += len(name) + len(content.encode())
                case ImagePart():
                    size += _IMAGE_BYTES
                case ThinkingPart():
                    pass
    return -(-size // _BYTES_A_TOKEN)


def _answered(reply: Scripted) -> int:
    size = len(reply.text.encode()) + sum(
        len(call.name) + len(call.arguments.encode()) for call in reply.calls
    )
    return max(1, -(-size // _BYTES_A_TOKEN))
