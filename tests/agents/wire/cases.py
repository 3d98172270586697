"""What every adapter makes of every case: one table for all. An adapter's wire file stands in its folder under the
case's name; a case that a protocol cannot say is listed in the adapter's `CANNOT_SAY` with the reason.

Pieces are compared joined together: protocols cut them differently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agents.messages import ImagePart, ModelMessage, Picture, Request, TextPart
from agents.providers.base import ErrorCode
from agents.stream import FinishReason
from tools.spec import PythonExecutor, ToolSpec

MODEL = "model-1"
ANY = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call as it ends up. `arguments` are compared by what they mean when they are JSON, else as text.

    `id` None: some id, unlike that of every other call of the reply.
    """

    name: str
    arguments: str
    id: str | None = ANY


@dataclass(frozen=True, slots=True)
class Tokens:
    input: int
    output: int
    cached: int = 0
    thinking: int = 0


@dataclass(frozen=True, slots=True)
class Expected:
    """Either `finish` or `error`; the texts and calls are what came before it. `tokens` and `detail` if they matter."""

    finish: FinishReason | None = None
    text: str = ""
    thinking: str = ""
    calls: tuple[Call, ...] = ()
    tokens: Tokens | None = None
    detail: str | None = None
    error: ErrorCode | None = None
    retry_after: float | None = None
    asks: Literal["plain", "image"] = "plain"
    """Which request is made: `REQUESTS`."""


OSLO = Call("weather", '{"city": "Oslo"}')
LIMA = Call("weather", '{"city": "Lima"}')
NOON = Call("time_in", '{"zone": "America/Lima"}')

CASES: Mapping[str, Expected] = {
    # What goes well.
    "text": Expected("stop", "Hello, wörld. 你好 🙂", tokens=Tokens(12, 5)),
    "one_call": Expected("stop", "Let me look.", calls=(OSLO,), tokens=Tokens(40, 9)),
    "parallel_calls": Expected(
        "stop", calls=(OSLO, NOON)
    ),  # their arguments interleaved where the protocol can
    "same_index_calls": Expected(
        "stop", calls=(OSLO, NOON)
    ),  # both with index 0, told apart by their ids alone
    "call_without_id": Expected("stop", calls=(OSLO, LIMA)),  # two of one tool; each gets an id of ours
    "name_repeated": Expected("stop", calls=(OSLO,)),  # in every piece
    "whole_arguments": Expected("stop", calls=(OSLO, LIMA)),  # each in one piece
    "empty_choices": Expected("stop", "Hello"),  # chunks about nothing, before and between
    "usage_only": Expected("stop", "Hello", tokens=Tokens(12, 5, cached=8)),  # the numbers come last, alone
    "thinking": Expected("stop", "Four.", "Two and two.", tokens=Tokens(20, 30, thinking=24)),
    "image_in": Expected("stop", "A red square.", asks="image"),
    "content_null": Expected("stop", "Hello", calls=(OSLO,)),  # null where text would be
    "content_list": Expected("stop", "Hello"),  # text as a list of parts
    "empty": Expected("empty", tokens=Tokens(12, 0)),
    "length": Expected("length", "Once upon a", tokens=Tokens(12, 3)),
    "length_in_call": Expected("length", calls=(Call("weather", '{"city": "Os'),)),
    "refusal": Expected("blocked", detail="I can’t help with that."),
    "content_filter": Expected("blocked", "It is "),  # by a filter, after some text
    "blocked_before": Expected("blocked"),  # the question is refused, nothing is said
    "blocked_during": Expected("blocked", "First you "),
    # What goes wrong.
    "malformed_call": Expected(error="malformed"),
    "error_in_stream": Expected(error="overloaded", text="Hel"),
    "bad_json": Expected(error="network", text="Hel"),
    "html": Expected(error="bad_request"),  # a page with status 200: this is no model server
    "clean_cut": Expected(error="network", text="The answer is"),
    "cut_in_call": Expected(error="network", calls=(Call("weather", '{"city": "Os'),)),
    "dropped": Expected(error="network", text="The answer is"),
    "stall": Expected(error="timeout", text="The answer is"),
    "429_rate": Expected(error="rate_limited", retry_after=7),
    "429_quota": Expected(error="quota_exhausted"),
    "500": Expected(error="overloaded"),
    "503": Expected(error="overloaded", retry_after=2),
    "401": Expected(error="auth"),
    "400_context": Expected(error="context_too_long"),
}

_SCHEMAS = {
    "weather": ("city", "The weather in a city."),
    "time_in": ("zone", "The time in a zone."),
}
TOOLS = tuple(
    ToolSpec(
        name=name,
        description=told,
        schema={"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]},
        risk="SAFE",
        executor=PythonExecutor(f"nothing.{name}"),
    )
    for name, (argument, told) in _SCHEMAS.items()
)
PICTURE = Picture("image/png", b"\x89PNG\r\n\x1a\n not really")
REQUESTS: Mapping[str, Request] = {
    "plain": Request(
        MODEL, "Be brief.", (ModelMessage("user", (TextPart("What is it like there?"),)),), tools=TOOLS
    ),
    "image": Request(
        MODEL,
        "Be brief.",
        (ModelMessage("user", (TextPart("What is this?"), ImagePart("up1", "image/png", 8, 8))),),
        images={"up1": PICTURE},
    ),
}
