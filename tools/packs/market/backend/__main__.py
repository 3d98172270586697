"""`python -m tools.packs.market.backend`: serve the sample source until SIGINT or SIGTERM."""

import argparse
import sys
from contextlib import suppress
from datetime import UTC, datetime
from socket import AF_INET, AF_INET6, IPPROTO_TCP, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET
from socket import socket as Socket

import uvicorn

from .app import create_app, real_clock


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="market-backend", description="A sample source of prices and news.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8802, help="0 takes a free one; it is printed")
    parser.add_argument("--at", type=moment, metavar="TIME", help="stand still at this time (ISO 8601)")
    return parser.parse_args(given)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def main() -> None:
    given = arguments()
    socket = listening_socket(given.host, given.port)
    app = create_app(lambda: given.at) if given.at else create_app(real_clock)
    config = uvicorn.Config(app, log_level="warning", access_log=False, proxy_headers=False, lifespan="off")
    sys.stdout.write(f"Market source on http://{given.host}:{socket.getsockname()[1]}\n")
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[socket])


def listening_socket(host: str, port: int) -> Socket:
    # Only a socket that is told to be TCP gets TCP_NODELAY from asyncio; without it answers wait 40 ms.
    socket = Socket(AF_INET6 if ":" in host else AF_INET, SOCK_STREAM, IPPROTO_TCP)
    socket.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    try:
        socket.bind((host, port))
    except OSError as error:
        sys.exit(f"Cannot listen on {host}:{port}: {error.strerror}.")
    socket.listen(128)
    return socket


if __name__ == "__main__":
    main()
