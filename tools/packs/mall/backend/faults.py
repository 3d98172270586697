"""Trouble on demand: the backend down, slow, answering with a web page, or hanging up before the answer.

For trying out how callers cope. `slow` and `drop` strike after the work was done, which is the hard case: the
effect happened and the caller does not know.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Literal

from starlette.responses import HTMLResponse, JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Mode = Literal["none", "down", "slow", "html", "drop"]
MODES: tuple[str, ...] = ("none", "down", "slow", "html", "drop")
PAGE = "<!doctype html><html><head><title>Mall</title></head><body><h1>Be right back</h1></body></html>"


@dataclass(frozen=True)
class Fault:
    mode: str = "none"
    seconds: float = 0
    path_prefix: str = "/api"
    times: int | None = None
    """How many more requests it strikes; None is all."""


class FaultSwitch:
    """The fault that is set now."""

    def __init__(self) -> None:
        self.now = Fault()

    def strike(self, path: str) -> Fault:
        """The fault that meets a request to `path`; counts it."""
        fault = self.now
        if fault.mode == "none" or fault.times == 0 or not path.startswith(fault.path_prefix):
            return Fault()
        if fault.times is not None:
            self.now = replace(fault, times=fault.times - 1)
        return fault


class Faults:
    """The layer around the whole service that makes the trouble."""

    def __init__(self, app: ASGIApp, switch: FaultSwitch) -> None:
        self.app = app
        self.switch = switch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/admin"):
            return await self.app(scope, receive, send)
        fault = self.switch.strike(scope["path"])
        match fault.mode:
            case "down":
                await _down(scope, receive, send)
            case "html":
                await HTMLResponse(PAGE)(scope, receive, send)
            case "slow":
                await self.app(scope, receive, _late(send, fault.seconds))
            case "drop":
                await self.app(scope, receive, _unsaid)
                await _hang_up(receive, send)
            case _:
                await self.app(scope, receive, send)


async def _down(scope: Scope, receive: Receive, send: Send) -> None:
    error = {"code": "unavailable", "message": "The shop's service is down. Try again later."}
    await JSONResponse({"error": error}, 503)(scope, receive, send)


def _late(send: Send, seconds: float) -> Send:
    async def wait_and_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            await asyncio.sleep(seconds)
        await send(message)

    return wait_and_send


async def _unsaid(message: Message) -> None:
    """An answer that nobody hears."""


async def _hang_up(receive: Receive, send: Send) -> None:
    """Close the connection without an answer. ASGI has no word for it: the server's transport is closed."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is None:
        raise ConnectionResetError("the connection was dropped by a fault")
    transport.abort()
    while (await receive())["type"] != "http.disconnect":
        pass
