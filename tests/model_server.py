"""A small model server on this machine that speaks chat completions, as Ollama, vLLM or llama.cpp do.

It knows its models, wants its key if it has one, and writes down what it was sent. `echoing`: it repeats the key it was
sent wherever it can, as a careless or hostile server would.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

ANSWER = "The harbour is quiet tonight."


class ModelServer(ThreadingHTTPServer):
    """`failing`: (status, error object) for every chat; None answers."""

    daemon_threads = True

    def __init__(self, key: str = "", models: tuple[str, ...] = ("tiny-llama:1b", "harbour/7b")) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.key = key
        self.models = models
        self.answer = ANSWER
        self.echoing = False
        self.failing: tuple[int, dict[str, Any]] | None = None
        self.seen: list[tuple[str, str, dict[str, Any] | None]] = []
        """Method and path, the key sent, the body."""

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def base_url(self) -> str:
        return f"http://{self.place}/v1"

    @property
    def chats(self) -> list[dict[str, Any]]:
        return [body for what, _key, body in self.seen if body and what == "POST /v1/chat/completions"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def do_GET(self) -> None:
        self._note(None)
        if self._is_known("/v1/models"):
            listed = [{"id": name, "object": "model", "max_model_len": 8192} for name in self.server.models]
            self._json(200, {"object": "list", "data": listed})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._note(body)
        if not self._is_known("/v1/chat/completions"):
            return
        if self.server.failing:
            status, error = self.server.failing
            self._json(status, {"error": {**error, **self._echo()}})
        elif body["model"] not in self.server.models:
            self._json(404, {"error": {"message": f"model {body['model']!r} not found"}})
        else:
            self._speak(body)

    def _is_known(self, path: str) -> bool:
        if self.server.key and self._sent_key() != self.server.key:
            self._json(401, {"error": {"message": "invalid key", "code": "invalid_api_key", **self._echo()}})
            return False
        if self.path != path:
            self._json(404, {"error": {"message": "no such path"}})
            return False
        return True

    def _echo(self) -> dict[str, str]:
        return {"message": f"you sent {self._sent_key()}"} if self.server.echoing else {}

    def _speak(self, body: dict[str, Any]) -> None:
        text = f"Your key is {self._sent_key()}" if self.server.echoing else self.server.answer
        pieces = [{"content": word + " "} for word in text.split()]
        pieces[-1] = {"content": text.split()[-1]}
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for delta in [{"role": "assistant", "content": ""}, *pieces]:
            self._chunk(body, [{"index": 0, "delta": delta, "finish_reason": None}])
        self._chunk(body, [{"index": 0, "delta": {}, "finish_reason": "stop"}])
        self._chunk(
            body, [], usage={"prompt_tokens": 21, "completion_tokens": len(pieces), "total_tokens": 99}
        )
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _chunk(self, body: dict[str, Any], choices: list[Any], **more: Any) -> None:
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
        self.wfile.write(f"data: {json.dumps(chunk | {'choices': choices} | more)}\n\n".encode())

    def _json(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _sent_key(self) -> str:
        return self.headers.get("Authorization", "").removeprefix("Bearer ")

    def _note(self, body: dict[str, Any] | None) -> None:
        self.server.seen.append((f"{self.command} {self.path}", self._sent_key(), body))

    def log_message(self, *_args: Any) -> None:
        """Not on the test's output."""


@contextmanager
def serving(key: str = "") -> Iterator[ModelServer]:
    """A running model server; with a key, it wants that one."""
    server = ModelServer(key)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
