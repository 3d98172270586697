"""kill -9 in the middle of a job: of its worker, the sentinel, the whole cluster; and a cluster that hangs (T73).

The judge of what happened is the backend's own count. Each round kills once, right before or right after the effects of
two jobs: one that may be repeated under its key, one that may not. Two rounds in the plain suite, SLUICE_ROUNDS=20 for
the evidence.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice, product
from pathlib import Path
from threading import Event
from typing import Any

import psutil
import pytest

from tests.gate_evidence.rounds import ROUNDS
from tests.served.slow_backend import Backend, serving
from tests.served.up import Up

WORKERS = 4
RECEIPTS = {"succeeded", "failed", "unknown"}
ENDS_WITHIN_S = 100.0
"""A cluster that dies again and again is started again after up to half a minute."""
TOOLS = """
from agents.catalogue import save_agent
from agents.models import Agent
from platform_site.models import Tenant
from platform_site.tenancy import acting_for
from tools.catalogue import save_tool

desk = Tenant.objects.get(slug="desk")
desk.egress = [*desk.egress, "127.0.0.1:{port}"]
desk.save(update_fields=["egress"])
with acting_for(desk):
    item = {{"type": "object", "properties": {{"item": {{"type": "string"}}}}, "required": ["item"]}}
    for name, path, idempotent in (("build_it", "once", False), ("file_it", "keyed", True)):
        where = {{"kind": "http", "method": "POST", "url": "http://127.0.0.1:{port}/" + path}}
        save_tool({{"name": name, "description": "A long job.", "risk": "SAFE", "idempotent": idempotent,
                   "run": "background", "timeout_s": 60, "schema": item, "executor": where}}, None)
    agent = dict(Agent.objects.get(slug="assistant").current.definition)
    save_agent(agent | {{"tools": [*agent["tools"], "build_it", "file_it"], "scenarios": []}}, None)
"""


@pytest.fixture
def backend() -> Iterator[Backend]:
    with serving() as made:
        yield made


@pytest.fixture
def working(tmp_path: Path, furnished: Path | None, backend: Backend) -> Iterator[Up]:
    """A server whose desk has two background tools, and which loses patience with a queue that stands still soon."""
    up = Up(tmp_path / "var", furnished=furnished, DEMO_PACE_MS="0", QUEUE_PATIENCE_S="8")
    try:
        up.start()
        up.shell(TOOLS.format(port=backend.port))
        yield up
    finally:
        up.discard()


class Talk:
    """One conversation of a person with the desk's assistant, over HTTP."""

    def __init__(self, up: Up, token: str) -> None:
        self.up, self.token = up, token
        self.id = self.send("POST", "conversations", {"agent": "assistant"})["id"]

    def send(self, method: str, path: str, body: Any = None) -> Any:
        with self.up.api(self.token) as api:
            answer = api.request(method, f"/api/v1/t/desk/{path}", json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def say(self, text: str) -> None:
        self.send("POST", f"conversations/{self.id}/messages", {"text": text})

    def calls(self) -> dict[str, dict[str, Any]]:
        made = self.send("GET", f"conversations/{self.id}/export")["calls"]
        return {call["name"]: call for call in made}

    def log(self) -> list[dict[str, Any]]:
        rows = self.send("GET", f"conversations/{self.id}/events?after=0&limit=100")["results"]
        return [row["event"] for row in rows]

    def is_over(self) -> bool:
        """Every call has its receipt, every one of them was told by a run, and no run moves."""
        log = self.log()
        kinds = [event["type"] for event in log]
        ended = kinds.count("RUN_FINISHED") + kinds.count("RUN_ERROR")
        causes = [event["metadata"]["cause"] for event in log if event["type"] == "RUN_STARTED"]
        receipts = all(call["status"] in RECEIPTS for call in self.calls().values())
        return receipts and "job" in causes and len(causes) == ended

    def card_of(self, call: str) -> str:
        """What the job's card shows last."""
        shown = [event for event in self.log() if event["type"] == "ACTIVITY_SNAPSHOT"]
        return str([event["content"]["status"] for event in shown if event["messageId"] == call][-1])


def until(what: Callable[[], Any], seconds: float, why: Callable[[], Any]) -> Any:
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, why()
        time.sleep(0.1)
    return found


def workers_at(up: Up, port: int) -> list[psutil.Process]:
    """The queue workers that talk to the backend."""
    return [one for one in cluster_of(up) if port in remote_ports(one)]


def cluster_of(up: Up) -> list[psutil.Process]:
    return [one for one in up.family() if one.cmdline()[-1:] == ["qcluster"]]


def remote_ports(process: psutil.Process) -> set[int]:
    return {line.raddr.port for line in process.net_connections("tcp") if line.raddr}


def _workers(workers: list[psutil.Process]) -> None:
    for worker in workers:
        worker.kill()


def _sentinel(workers: list[psutil.Process]) -> None:
    workers[0].parent().kill()


def _cluster(workers: list[psutil.Process]) -> None:
    """Everything at once, as the kernel does when memory is out; who watches it as well."""
    os.killpg(os.getpgid(workers[0].pid), signal.SIGKILL)


VICTIMS = {"workers": _workers, "sentinel": _sentinel, "cluster": _cluster}
KILLS = list(product(("after", "before"), VICTIMS))
"""Of two rounds, the first kills after the effect; `rounds` begins elsewhere each time."""


@pytest.mark.timeout(1800)
def test_killed_in_the_middle_of_a_job_its_effect_happens_at_most_once(working: Up, backend: Backend) -> None:
    """T73, T46: and the card ends in a stated outcome, which is told."""
    token = working.token("member", "desk")
    order = islice(cycle(KILLS[::2] + KILLS[1::2]), ROUNDS)
    for nth, (when, victim) in enumerate(order):
        talk = killed(working, backend, token, f"{when} {nth}", VICTIMS[victim])
        judge(talk, backend, when)


def killed(
    up: Up, backend: Backend, token: str, item: str, kill: Callable[[list[psutil.Process]], None]
) -> Talk:
    """Two jobs are under way when the axe falls."""
    items = {name: f"{item} {name}" for name in ("build_it", "file_it")}
    for one in items.values():
        backend.arrived[one] = Event()
    backend.let_go.clear()
    talk = Talk(up, token)
    talk.say("\n".join(f"call {name} {json.dumps({'item': one})}" for name, one in items.items()))
    for one in items.values():
        assert backend.arrived[one].wait(20), "no worker has begun it"
    workers = workers_at(up, backend.port)
    kill(workers)
    psutil.wait_procs(workers, timeout=10)
    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in workers)
    backend.let_go.set()
    until(talk.is_over, ENDS_WITHIN_S, lambda: f"not over: {talk.calls()}")
    return talk


def judge(talk: Talk, backend: Backend, when: str) -> None:
    build, file = talk.calls()["build_it"], talk.calls()["file_it"]
    assert (build["status"], backend.effects[build["id"]]) == ("unknown", when == "after")
    assert (file["status"], backend.effects[file["id"]]) == ("succeeded", 1)
    assert backend.requests[build["id"]] == 1, "what may not be repeated is not"
    assert [talk.card_of(call["id"]) for call in (build, file)] == ["unknown", "succeeded"]


@pytest.mark.skipif(not Path("/proc/self/wchan").exists(), reason="needs Linux to find who holds the lock")
@pytest.mark.timeout(120)
@pytest.mark.same_everywhere
def test_a_cluster_that_hangs_is_started_again(working: Up, backend: Backend) -> None:
    """The worker that holds the queue's lock is killed while it waits: the others would wait for ever."""
    token = working.token("member", "desk")
    (holder,) = until(lambda: holders(working), 10, lambda: "no worker waits for work")
    sentinel = holder.parent()
    holder.kill()
    assert holder.wait(10) is None or not holder.is_running()
    talk = Talk(working, token)
    talk.say('call file_it {"item": "now"}')
    until(talk.is_over, ENDS_WITHIN_S, lambda: f"the cluster hangs: {talk.calls()}")
    call = talk.calls()["file_it"]
    assert (call["status"], backend.effects[call["id"]]) == ("succeeded", 1)
    assert not sentinel.is_running(), "it was not the old cluster that did it"


def holders(up: Up) -> list[psutil.Process]:
    """Of the idle workers, who waits at the queue's pipe, and so has its lock; the others wait for the lock.

    The sentinel is who has most children, and its first ones are its workers.
    """
    cluster = cluster_of(up)
    sentinel = max(cluster, key=lambda one: len(one.children()))
    workers = sorted(sentinel.children(), key=lambda one: one.pid)[:WORKERS]
    return [one for one in workers if "pipe" in Path(f"/proc/{one.pid}/wchan").read_text()]
