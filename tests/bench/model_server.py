"""A model for benchmarks, in a process of its own: as many chunks as the last `[n=…]` of the request says, at once.

Speaks OpenAI's chat completions and Gemini's streamGenerateContent. Answers are made beforehand, so that what is
measured is who reads them. `python -m tests.bench.model_server PORT`
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from functools import cache

WISH = re.compile(rb"\[n=(\d+)\]")
WORD = "word "
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@cache
def openai_answer(chunks: int) -> bytes:
    """The body of a whole answer."""
    about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "bench"}
    pieces = [
        {**about, "choices": [{"index": 0, "delta": {"content": WORD}, "finish_reason": None}]}
    ] * chunks
    end = {**about, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    usage = {"prompt_tokens": 10, "completion_tokens": chunks, "total_tokens": chunks + 10}
    return events([*pieces, end, {**about, "choices": [], "usage": usage}]) + b"data: [DONE]\n\n"


@cache
def gemini_answer(chunks: int) -> bytes:
    """The body of a whole answer."""
    content = {"parts": [{"text": WORD}], "role": "model"}
    pieces = [{"candidates": [{"content": content, "index": 0}], "modelVersion": "bench"}] * chunks
    usage = {"promptTokenCount": 10, "candidatesTokenCount": chunks, "totalTokenCount": chunks + 10}
    end = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}
    return events([*pieces[1:], end])


def events(values: list[dict]) -> bytes:
    return b"".join(
        b"data: " + json.dumps(value, separators=(",", ":")).encode() + b"\n\n" for value in values
    )


async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Requests of one connection, one after the other."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
            body = await reader.readexactly(int(length[1]) if length else 0)
            wishes = WISH.findall(body)
            chunks = int(wishes[-1]) if wishes else 1
            answer = (gemini_answer if b"GenerateContent" in head.split(b"\r\n")[0] else openai_answer)(
                chunks
            )
            writer.write(HEAD + b"%x\r\n" % len(answer) + answer + b"\r\n0\r\n\r\n")
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main(port: int) -> None:
    server = await asyncio.start_server(serve_one, "127.0.0.1", port, limit=2**24)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
