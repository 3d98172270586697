"""The service as a process: starting, faults on the wire, ending, and being killed in the middle of things."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from .conftest import ADMIN_KEY, PEGASUS, Platform

ROOT = Path(__file__).parents[2]


@dataclass
class Service:
    """A backend process and a client that calls it."""

    platform: Platform
    database: Path
    origin: str = ""
    process: subprocess.Popen[str] = field(init=False)
    http: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=5, trust_env=False))

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "tools.packs.mall.backend",
            "--port",
            "0",
            "--database",
            str(self.database),
        ]
        command += ["--keys", str(self.platform.file), "--tenant", "mall"]
        environment = os.environ | {"MALL_ADMIN_KEY": ADMIN_KEY}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        self.origin = self.process.stdout.readline().removeprefix("Mall backend on ").strip()

    def call(self, method: str, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> Any:
        headers = {"X-Acting-User": self.platform.token(aud=self.origin), "X-Admin-Key": ADMIN_KEY}
        headers |= {"Idempotency-Key": key} if key else {}
        return self.http.request(method, self.origin + path, json=body, headers=headers)

    def fault(self, mode: str, **more: Any) -> None:
        assert self.call("POST", "/admin/fault", {"mode": mode} | more).status_code == 200

    def end(self, how: signal.Signals) -> str:
        """What the process said from its start to its end."""
        self.process.send_signal(how)
        output, _ = self.process.communicate(timeout=5)
        return output


@pytest.fixture
def service(platform: Platform, tmp_path: Path) -> Iterator[Service]:
    running = Service(platform, tmp_path / "mall.sqlite3")
    running.start()
    yield running
    running.http.close()
    with suppress(ProcessLookupError):
        running.process.kill()
    running.process.communicate()


LINE = {"product_id": PEGASUS, "quantity": 1, "sku_id": "size_42"}


def test_faults_and_a_prompt_end(service: Service) -> None:
    assert service.call("GET", "/healthz").json() == {"status": "ok"}
    service.fault("down", times=1)
    assert service.call("POST", "/api/cart/add", LINE, "call-1").status_code == 503
    service.fault("html", times=1)
    page = service.call("POST", "/api/cart/add", LINE, "call-1")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    assert service.call("GET", "/admin/effects").json()["effects"] == []

    service.fault("drop", times=1, path_prefix="/api/cart")
    with pytest.raises(httpx2.RemoteProtocolError):
        service.call("POST", "/api/cart/add", LINE, "call-1")
    again = service.call("POST", "/api/cart/add", LINE, "call-1")
    assert again.headers["Idempotent-Replay"] == "true" and again.json()["total"] == 399
    assert len(service.call("GET", "/admin/effects").json()["effects"]) == 1

    service.fault("slow", seconds=30, times=1)
    with pytest.raises(httpx2.ReadTimeout):
        service.http.get(
            f"{service.origin}/api/account",
            headers={"X-Acting-User": service.platform.token(aud=service.origin)},
            timeout=httpx2.Timeout(5, read=0.05),
        )
    service.fault("slow", seconds=30, times=1)
    slow = threading.Thread(target=lambda: _ignored(service, "GET", "/api/account"))
    slow.start()
    while len(service.call("GET", "/admin/requests").json()["requests"]) < 6:
        time.sleep(0.01)
    began = time.monotonic()
    assert service.end(signal.SIGTERM) == ""
    slow.join()
    assert time.monotonic() - began < 5
    assert service.process.returncode == -signal.SIGTERM


def test_an_interrupt_ends_it_quietly(service: Service) -> None:
    assert service.call("GET", "/healthz").status_code == 200
    assert service.end(signal.SIGINT) == ""


def test_killed_in_the_middle_leaves_whole_orders_only(service: Service) -> None:
    buyer = threading.Thread(target=lambda: _buy_until_it_breaks(service))
    buyer.start()
    while len(service.call("GET", "/admin/effects").json()["effects"]) < 20:
        time.sleep(0.01)
    service.end(signal.SIGKILL)
    buyer.join()
    service.start()
    assert service.call("GET", "/api/orders").json()["count"] >= 9
    with closing(sqlite3.connect(service.database)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        totals = file.execute(
            "SELECT o.total, sum(l.price * l.quantity), sum(l.quantity) FROM orders o"
            " LEFT JOIN order_lines l USING (order_id) GROUP BY o.order_id"
        ).fetchall()
        (done,) = file.execute("SELECT count(*) FROM effects WHERE operation = 'create_order'").fetchone()
        (stock,) = file.execute(
            "SELECT stock FROM stock WHERE product_id = ? AND sku_id = 'standard'", ("muji-notebook",)
        ).fetchone()
    assert totals and all(total == lines for total, lines, _ in totals)
    assert len(totals) == done and stock == 120 - sum(pieces for _, _, pieces in totals)


def _ignored(service: Service, method: str, path: str) -> None:
    with suppress(httpx2.HTTPError):
        service.call(method, path)


def _buy_until_it_breaks(service: Service) -> None:
    with suppress(httpx2.HTTPError):
        while True:
            line = {"product_id": "muji-notebook", "quantity": 1}
            cart_id = service.call("POST", "/api/cart/add", line).json()["cart_id"]
            if service.call("POST", "/api/orders", {"cart_id": cart_id}).status_code != 200:
                return
