"""A backend that a background tool calls: it can hang right before or right after its effect, and counts both."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

HANGS_S = 30.0


class Backend(ThreadingHTTPServer):
    """`/once` acts on every request, `/keyed` once a key. What says `before` or `after` hangs there the first time."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = Lock()
        self.requests: Counter[str] = Counter()
        self.effects: Counter[str] = Counter()
        self.arrived: dict[str, Event] = {}
        self.let_go = Event()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def act(self, key: str, *, keyed: bool) -> None:
        with self.lock:
            if not (keyed and self.effects[key]):
                self.effects[key] += 1

    def hang(self, item: str) -> None:
        self.arrived[item].set()
        self.let_go.wait(HANGS_S)


class Handler(BaseHTTPRequestHandler):
    server: Backend

    def do_POST(self) -> None:
        item = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["item"]
        key, keyed = self.headers["Idempotency-Key"], self.path == "/keyed"
        with self.server.lock:
            self.server.requests[key] += 1
            first = self.server.requests[key] == 1
        if first and item.startswith("before"):
            self.server.hang(item)
            return  # whoever asked is dead: nothing was done
        self.server.act(key, keyed=keyed)
        if first and item.startswith("after"):
            self.server.hang(item)
            return
        body = json.dumps({"done": item}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """The test says what matters."""


@contextmanager
def serving() -> Iterator[Backend]:
    with Backend() as backend:
        thread = Thread(target=backend.serve_forever, daemon=True)
        thread.start()
        try:
            yield backend
        finally:
            backend.let_go.set()
            backend.shutdown()
