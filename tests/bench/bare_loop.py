"""What Sluice is compared with: a websocket, the openai SDK read as its documentation shows, and nothing stored.

`MODEL_URL=http://127.0.0.1:9000/v1 python -m tests.bench.bare_loop PORT`
"""

from __future__ import annotations

import os
import sys

import uvicorn
from openai import AsyncOpenAI
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect


async def talk(socket: WebSocket) -> None:
    """Each text that comes in is a conversation of one turn; its answer goes out chunk by chunk."""
    await socket.accept()
    client: AsyncOpenAI = socket.app.state.client
    try:
        while True:
            asked = {"role": "user", "content": await socket.receive_text()}
            stream = await client.chat.completions.create(model="bench", messages=[asked], stream=True)
            async for chunk in stream:
                if chunk.choices and (text := chunk.choices[0].delta.content):
                    await socket.send_json({"type": "delta", "text": text})
            await socket.send_json({"type": "end"})
    except WebSocketDisconnect:
        pass


app = Starlette(routes=[WebSocketRoute("/ws", talk)])
URL = os.environ.get("MODEL_URL", "http://127.0.0.1/")
app.state.client = AsyncOpenAI(base_url=URL, api_key="bench", max_retries=0)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", ws="websockets-sansio")
