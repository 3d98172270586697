"""How many tokens a request will be, roughly and without a tokenizer: for what must be known before a provider counts.

Pure. Four bytes a token in scripts with spaces, a token a character in Chinese, Japanese and Korean; for English prose
this is a little too much, for JSON about right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from agents.messages import (
    ImagePart,
    ModelMessage,
    Part,
    Request,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from tools.spec import ToolSpec

BYTES_A_TOKEN = 4
IMAGE = 1_000
MESSAGE = 4
"""What every message costs beside its words."""
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def of_request(request: Request) -> int:
    """Tokens the request will be counted as."""
    return of_text(request.instructions) + of_tools(request.tools) + of_messages(request.messages)


def of_messages(messages: Iterable[ModelMessage]) -> int:
    return sum(MESSAGE + sum(map(of_part, message.parts)) for message in messages)


def of_tools(tools: Iterable[ToolSpec]) -> int:
    return sum(of_text(spec.name + spec.description + str(spec.schema)) for spec in tools)


def of_part(part: Part) -> int:
    match part:
        case TextPart(text):
            return of_text(text)
        case ToolCallPart(_, name, arguments):
            return of_text(name) + of_text(arguments)
        case ToolResultPart(_, name, content):
            return of_text(name) + of_text(content)
        case ImagePart():
            return IMAGE
        case ThinkingPart():
            return 0
        case _:
            assert_never(part)


def of_text(text: str) -> int:
    """Tokens of one text, rounded up."""
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    rest = len(text.encode("utf-8", "replace")) - 3 * wide
    return wide + -(-max(0, rest) // BYTES_A_TOKEN)
