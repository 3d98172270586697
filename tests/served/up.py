"""A real `manage.py up`, started on a free port with a data directory of its own, for tests that look from outside."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import psutil
import psycopg

from platform_site.env import BASE_DIR
from platform_site.setup.only import is_free

PASSWORD = "demo-pass-1234"
READY_S = 120.0


class Up:
    """One data directory and the server on it, which can be started, stopped, killed and started again."""

    def __init__(self, data_dir: Path, *, furnished: Path | None = None, **environment: str) -> None:
        self.data_dir = data_dir
        self.furnished = furnished
        self.port = two_free_ports()
        self.output = data_dir / "up.out"
        self.process: subprocess.Popen[bytes] | None = None
        self.database = OwnDatabase()
        self.environment = {
            **{
                name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "DJANGO"))
            },
            **self.database.environment,
            "PORT": str(self.port),
            "HOST": "127.0.0.1",
            "SLUICE_DATA_DIR": str(data_dir),
            **environment,
        }

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def mall_url(self) -> str:
        """Where the sample shop's backend listens."""
        return (self.data_dir / "mall-origin").read_text().strip()

    @property
    def mall_admin_key(self) -> str:
        return (self.data_dir / "keys" / "mall-admin-key").read_text().strip()

    def spawn(self) -> subprocess.Popen[bytes]:
        """Run `manage.py up` without waiting for it. A new data directory begins as a copy of a furnished one."""
        if self.furnished and not self.data_dir.exists():
            shutil.copytree(self.furnished, self.data_dir)
        self.data_dir.mkdir(parents=True, exist_ok=True)
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=BASE_DIR,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        return self.process

    def start(self) -> Up:
        """Run it and wait until /readyz says yes."""
        process = self.spawn()
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            if process.poll() is not None:
                raise AssertionError(f"up ended with {process.returncode}:\n{self.said()}")
            if self.is_ready():
                return self
            time.sleep(0.1)
        self.kill()
        raise AssertionError(f"up was not ready within {READY_S} s:\n{self.said()}")

    def is_ready(self) -> bool:
        """Asked often while it starts: an httpx client for each look would cost more than the start does."""
        asking = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            asking.request("GET", "/readyz")
            return asking.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            asking.close()

    def said(self) -> str:
        return self.output.read_text(errors="replace")

    def family(self) -> list[psutil.Process]:
        """Every process that descends from it, itself left out."""
        assert self.process is not None
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to end; the exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(15)

    def kill(self) -> None:
        """`kill -9`, as a crash would."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(5)

    def discard(self) -> None:
        """End it and everything that is left of it, and drop its database.

        Whole groups: a cluster that is just starting has children that nobody has seen yet.
        """
        family = self.family() if self.process and self.process.poll() is None else []
        groups = {group for one in family if (group := group_of(one)) is not None} - {os.getpgid(0)}
        self.kill()
        for group in groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        for one in family:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        psutil.wait_procs(family, timeout=5)
        self.database.drop()

    def token(self, who: str, tenant: str = "mall") -> str:
        """An API token of `member`, `reviewer`, `admin` or `owner` of a demo tenant."""
        asked = {"email": f"{who}@{tenant}.test", "password": PASSWORD, "tenant": tenant}
        reply = httpx2.post(f"{self.url}/api/v1/auth/token", json=asked, timeout=20)
        reply.raise_for_status()
        token: str = reply.json()["token"]
        return token

    def manage(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Another command on the same data directory, as an operator would give it."""
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=BASE_DIR, env=self.environment, capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    def shell(self, code: str) -> None:
        """Run Python in the server's installation."""
        done = self.manage("shell", "-c", code)
        assert done.returncode == 0, done.stderr

    def socket_url(self, tenant: str = "mall") -> str:
        return f"ws://127.0.0.1:{self.port}/ws/t/{tenant}/"

    def socket_headers(self, token: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {token}", "Origin": self.url}

    def api(self, token: str, **options: Any) -> httpx2.Client:
        """An HTTP client that is signed in."""
        return httpx2.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {token}"}, timeout=20, **options
        )


class OwnDatabase:
    """On PostgreSQL (`DATABASE_URL` is set) each server under test gets a database of its own there."""

    def __init__(self) -> None:
        self.server = os.environ.get("DATABASE_URL", "")
        self.name = f"sluice_served_{os.getpid()}_{random.randrange(10**9)}"
        self.environment: dict[str, str] = {}
        if self.server.startswith("postgres"):
            self._do(f"CREATE DATABASE {self.name}")
            self.environment["DATABASE_URL"] = urlsplit(self.server)._replace(path=f"/{self.name}").geturl()
        if redis := os.environ.get("REDIS_URL"):
            # Sign-in limits are counted in the cache, by e-mail: each server has its own numbered part of Redis.
            part = random.randrange(1, 16)
            self.environment["REDIS_URL"] = urlsplit(redis)._replace(path=f"/{part}").geturl()

    def drop(self) -> None:
        if "DATABASE_URL" in self.environment:
            self._do(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")

    def _do(self, statement: str) -> None:
        anywhere = urlsplit(self.server)._replace(path="/postgres").geturl()
        with psycopg.connect(anywhere, autocommit=True) as connection:
            connection.execute(statement)


def two_free_ports() -> int:
    """A port whose next one is free as well (the sample mall's), below those the kernel hands out by itself."""
    while True:
        port = random.randrange(20000, 30000)
        if is_free("127.0.0.1", port) and is_free("127.0.0.1", port + 1):
            return port


def group_of(process: psutil.Process) -> int | None:
    """Its process group; None if it has ended."""
    try:
        return os.getpgid(process.pid)
    except ProcessLookupError:
        return None
