"""The demo provider: a script in place of a model, streamed as a real model streams. Needs no key and no network.

It is given a `Request` and nothing else, decides the whole reply by the pure `agents.demo.scripts`, and then yields
it in small pieces, one every `DEMO_PACE_MS` milliseconds.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Iterator

from agents import trouble
from agents.demo import faults, scripts
from agents.demo.script import Scripted
from agents.messages import ImagePart, Request, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from agents.providers.base import ProviderError
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, FinishReason, StreamEvent, TextDelta, ThinkingDelta
from platform_site.env import env
from platform_site.ids import new_id

MODEL = "demo"
_HAN = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
_PIECE = re.compile(rf"[{_HAN}]{{1,2}}|[^\s{_HAN}]{{1,24}}\s?|\s{{1,8}}")
_BREATHE = 16
"""Without a pace, the loop is yielded to after so many pieces."""
_BYTES_A_TOKEN = 4
_IMAGE_BYTES = 4_000
CUT = {"break": 0.5, "cut": 0.5, "blocked": 0.0, "empty": 0.0}
"""The share of the answer that a fault lets through."""
FINISH: dict[str, FinishReason] = {"cut": "length", "blocked": "blocked", "empty": "empty"}
THOUGHTS = (
    "First I look at what was asked. ", "Then I think about what a script would say. ", "That settles it.",
)  # fmt: skip


class DemoProvider:
    """Answers by script. Everything it says is labelled as a demo wherever it is shown."""

    name = "demo"
    is_demo = True

    def __init__(self) -> None:
        self._faults = faults.Memory()

    async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        """The scripted reply, piece by piece, then `Finish`; before it the fault the person asked for, if any."""
        played = self._faults.take(request)
        # Looking at pictures takes its time; a script alone does not.
        looks = asyncio.to_thread(scripts.decide, played.request) if played.request.images else None
        reply = await looks if looks else scripts.decide(played.request)
        kind = played.fault.kind if played.fault else ""
        if played.fault:
            await _fail(played.fault)
        thoughts = [ThinkingDelta(piece) for piece in THOUGHTS] if kind == "think" else []
        for place, event in enumerate([*thoughts, *pieces(reply, of=CUT.get(kind, 1.0))]):
            await _wait(place)
            yield event
        if kind == "break":
            raise ProviderError("network", trouble.BROKE_OFF)
        yield Finish(
            FINISH.get(kind, "stop"), MODEL, input_tokens=_asked(request), output_tokens=_answered(reply)
        )


async def _fail(fault: faults.Fault) -> None:
    """Raise what the fault is, if it comes before the answer."""
    if fault.kind == "bug":
        raise RuntimeError("the demo model was asked to break")
    if fault.kind == "hang":
        await asyncio.sleep(faults.HANG_S)
        raise ProviderError("timeout", trouble.WORDS["timeout"])
    if code := faults.ERRORS.get(fault.kind):
        raise ProviderError(code, trouble.WORDS[code], retry_after=fault.wait_s, detail=f"demo: {fault.kind}")


def pieces(reply: Scripted, of: float = 1.0) -> Iterator[StreamEvent]:
    """The reply cut up: a word or one or two Chinese characters at a time, arguments in about three fragments.

    `of`: the share of it that is said; less than all makes no calls.
    """
    for found in _PIECE.finditer(reply.text[: int(len(reply.text) * of)]):
        yield TextDelta(found[0])
    if of < 1:
        return
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
