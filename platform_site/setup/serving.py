"""One process that serves: Daphne, the runner and the watched children on one loop, from the first request to the last.

Daphne's own signal handling drops sockets without a word and cuts requests off, so this owns the signals. The order
of a stop: listen no more, tell open sockets 1012 (service restart), let requests and moving runs finish their step,
end the children, stop the loop. All of it within `STOP_S`; a second signal ends everything at once.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server, twisted_loop
from daphne.ws_protocol import WebSocketProtocol

from conversations.runner import Runner
from platform_site.asgi import application
from platform_site.setup.children import Child
from platform_site.setup.only import CannotStart
from platform_site.setup.patience import supervise, until
from platform_site.setup.queue_watch import watch_queue

log = logging.getLogger(__name__)
STOP_S = 8.0
RUNNER_GRACE_S = 2.5
CHILDREN_S = 10.0
FRAME_LIMIT = 1024 * 1024
GOODBYE_S = 5
"""How long a closed socket may take to read why. A client busy writing needs more than autobahn's second: what it
has not read when the connection is dropped, the reason included, the network throws away."""
SERVICE_RESTART = 1012
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Web(Server):
    """Daphne's server, which also remembers the ports it listens on, so that it can stop listening."""

    ports: tuple[Any, ...] = ()

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self.ports += (port,)


class Serving:
    """What `up` runs. The queue's cluster is a child like the others, and watched for standing still besides."""

    def __init__(
        self, host: str, port: int, queue: Child, others: Sequence[Child], new_runner: Callable[[], Runner]
    ) -> None:
        self.queue = queue
        self.children = [queue, *others]
        self.new_runner = new_runner
        self.runner = new_runner()
        self.watching: list[asyncio.Task[None]] = []
        self.running: asyncio.Task[None] | None = None
        self.stopping: asyncio.Task[None] | None = None
        self.loop: asyncio.AbstractEventLoop = twisted_loop
        self.on_ready: Callable[[], None] = lambda: None
        self.server = Web(
            application,
            build_endpoint_description_strings(host=host, port=port),
            signal_handlers=False,
            ready_callable=self._ready,
            server_name="",
            websocket_max_message_size=FRAME_LIMIT,
            websocket_max_frame_size=FRAME_LIMIT,
        )

    def run(self) -> int:
        """Serve until told to stop; the exit code."""
        for child in self.children:
            child.start()
        try:
            self.server.run()
        finally:
            for child in self.children:
                child.kill()
        if not self.server.ports:
            raise CannotStart("The port was taken by another program while this one was starting.")
        return 0 if self.stopping else 1

    def _ready(self) -> None:
        self.server.ws_factory.closeHandshakeTimeout = GOODBYE_S  # setting it alone resets the other options
        for number in SIGNALS:
            self.loop.add_signal_handler(number, self._told_to_stop)
        watched = [supervise(child.name, child.keep_running) for child in self.children]
        watched.append(supervise("the queue's watch", partial(watch_queue, self.queue)))
        self.watching = [self.loop.create_task(work) for work in watched]
        self.running = self.loop.create_task(supervise("the runner", self._run_runner))
        self.on_ready()

    async def _run_runner(self) -> None:
        # Runs that a crash interrupted go on at once: the backends their tools need shall be there first.
        await until(lambda: all(child.answers() for child in self.children), time.monotonic() + CHILDREN_S)
        self.runner = runner = self.new_runner()
        try:
            await runner.serve()
        except Exception:
            await runner.drain(RUNNER_GRACE_S)  # the next one takes its runs over: they must not move twice
            raise

    def _told_to_stop(self) -> None:
        if self.stopping:
            self._end_at_once()
        self.stopping = self.loop.create_task(self._stop())
        self.stopping.add_done_callback(self._stopped)

    def _end_at_once(self) -> None:
        for child in self.children:
            child.kill()
        os._exit(130)

    def _stopped(self, done: asyncio.Task[None]) -> None:
        if error := done.exception():
            log.error("the stop did not go as it should", exc_info=error)
        self.server.stop()

    async def _stop(self) -> None:
        log.info("stopping")
        deadline = time.monotonic() + STOP_S
        _leave_by(deadline + 1.0)
        await self._listen_no_more()
        self._tell_sockets()
        await _cancel(self.watching)
        self.queue.ask_to_end()
        requests_done = until(lambda: not self._busy(), deadline - 1.5)
        await asyncio.gather(self.runner.drain(RUNNER_GRACE_S), requests_done)
        await _cancel([self.running] if self.running else [])
        for child in self.children:
            child.ask_to_end()
        await asyncio.gather(*(child.end(deadline) for child in self.children))
        self._forget_finished()

    async def _listen_no_more(self) -> None:
        for port in self.server.ports:
            if (stopped := port.stopListening()) is not None:
                await stopped.asFuture(self.loop)

    def _tell_sockets(self) -> None:
        for protocol in list(self.server.connections):
            if isinstance(protocol, WebSocketProtocol) and protocol.state == protocol.STATE_OPEN:
                protocol.sendCloseFrame(code=SERVICE_RESTART, reasonUtf8=b"restart", isReply=False)

    def _busy(self) -> bool:
        applications = [one.get("application_instance") for one in self.server.connections.values()]
        return any(application and not application.done() for application in applications)

    def _forget_finished(self) -> None:
        """Daphne's shutdown expects an application in every connection it still knows."""
        for protocol, details in list(self.server.connections.items()):
            if "application_instance" not in details:
                del self.server.connections[protocol]


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _leave_by(deadline: float) -> None:
    """The interpreter waits for threads that still run a view; not longer than this."""

    def leave() -> None:
        time.sleep(max(0.0, deadline - time.monotonic()))
        log.warning("a request did not end in time; leaving")
        os._exit(0)

    threading.Thread(target=leave, daemon=True).start()
