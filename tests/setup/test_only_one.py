"""What `up` checks before it touches anything."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from platform_site.setup.only import CannotStart, check_port, free_port, is_loopback, only_one


def test_a_second_holder_is_told_who_holds_the_data_directory(tmp_path: Path) -> None:
    with (
        only_one(tmp_path, "up on port 8000"),
        pytest.raises(CannotStart, match="up on port 8000"),
        only_one(tmp_path, "up on port 9000"),
    ):
        pass


def test_the_data_directory_is_free_again_afterwards(tmp_path: Path) -> None:
    for port in (1, 2):
        with only_one(tmp_path, f"up on port {port}"):
            pass


def test_a_port_somebody_listens_on_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotStart, match=f"Port {port} on 127.0.0.1"):
            check_port("127.0.0.1", port)


def test_a_free_port_is_fine() -> None:
    check_port("127.0.0.1", free_port("127.0.0.1"))


@pytest.mark.parametrize(
    ("host", "answer"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("localhost", True), ("::1", True), ("[::1]", True),
     ("0.0.0.0", False), ("192.0.2.1", False), ("example.org", False), ("::", False)],
)  # fmt: skip
def test_loopback_is_known_by_its_address(host: str, answer: bool) -> None:
    assert is_loopback(host) is answer
