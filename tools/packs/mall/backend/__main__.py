"""`python -m tools.packs.mall.backend`: serve the mall until SIGINT or SIGTERM."""

import argparse
import os
import sys
from contextlib import suppress
from pathlib import Path
from socket import AF_INET, AF_INET6, IPPROTO_TCP, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET
from socket import socket as Socket
from types import FrameType

import uvicorn

from .app import create_app
from .settings import Settings, origins_of


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mall-backend", description="The mall's business backend.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument(
        "--port", type=int, default=8801, help="0 takes a free one; the first line printed names it"
    )
    parser.add_argument("--database", type=Path, required=True, metavar="FILE")
    parser.add_argument(
        "--keys", required=True, metavar="FILE_OR_URL", help="the platform's JSON Web Key Set"
    )
    parser.add_argument("--admin-key", default=os.environ.get("MALL_ADMIN_KEY"), metavar="TEXT")
    parser.add_argument(
        "--tenant", action="append", metavar="SLUG", help="a tenant to serve; may be repeated"
    )
    parser.add_argument(
        "--audience", action="append", default=[], metavar="ORIGIN", help="further accepted `aud`"
    )
    return parser.parse_args(given)


def settings_for(given: argparse.Namespace, port: int) -> Settings:
    return Settings(
        database=given.database,
        keys=given.keys,
        origins=origins_of(given.host, port),
        audiences=frozenset(given.audience),
        tenants=frozenset(given.tenant or ["mall"]),
        admin_key=given.admin_key or None,
    )


def main() -> None:
    given = arguments()
    socket = listening_socket(given.host, given.port)
    port = socket.getsockname()[1]
    app = create_app(settings_for(given, port))
    config = uvicorn.Config(app, log_level="warning", access_log=False, proxy_headers=False, lifespan="off")
    sys.stdout.write(f"Mall backend on http://{given.host}:{port}\n")
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        PromptServer(config).run(sockets=[socket])


class PromptServer(uvicorn.Server):
    """Ends at the first signal. Requests under way are cut off: each effect is one transaction."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.force_exit = True


def listening_socket(host: str, port: int) -> Socket:
    # Only a socket that is told to be TCP gets TCP_NODELAY from asyncio; without it answers wait 40 ms.
    socket = Socket(AF_INET6 if ":" in host else AF_INET, SOCK_STREAM, IPPROTO_TCP)
    socket.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    try:
        socket.bind((host, port))
    except OSError as error:
        sys.exit(f"Cannot listen on {host}:{port}: {error.strerror}.")
    socket.listen(512)
    return socket


if __name__ == "__main__":
    main()
