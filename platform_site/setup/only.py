"""One `up` a data directory, and a port that is free: what is checked before anything is touched."""

from __future__ import annotations

import fcntl
import ipaddress
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class CannotStart(Exception):
    """Why, in words for the person at the console."""


@contextmanager
def only_one(data_dir: Path, doing: str) -> Iterator[None]:
    """Hold `<data>/up.lock`. The kernel lets go of it however this process ends."""
    with (data_dir / "up.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise CannotStart(
                f"The data directory {data_dir} is in use: {holder}.\n"
                "Stop that one first, or give this one its own: SLUICE_DATA_DIR=/another/folder"
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} ({doing})")
        file.flush()
        yield


def check_port(host: str, port: int) -> None:
    """Raise `CannotStart` when nobody could listen there."""
    try:
        _bind(host, port)
    except PermissionError:
        raise CannotStart(f"Port {port} may not be used by this user; choose another: PORT=8000") from None
    except socket.gaierror:
        raise CannotStart(f"HOST={host}: this machine has no such address.") from None
    except OSError as error:
        raise CannotStart(
            f"Port {port} on {host} cannot be used: {error.strerror}. Choose another, such as PORT={port % 65535 + 1}"
        ) from None


def is_free(host: str, port: int) -> bool:
    try:
        _bind(host, port)
    except OSError:
        return False
    return True


def free_port(host: str) -> int:
    """Any port nobody listens on."""
    return _bind(host, 0)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _bind(host: str, port: int) -> int:
    family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tried.bind(address)
        bound: int = tried.getsockname()[1]
        return bound
