"""kill -9 before and after each commit of a CRITICAL call that is shown, agreed to by two people, and carried out.

The judge is the shop's own log. SLUICE_KILLS=all kills at every commit; the plain suite at a few.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.gate_evidence.rounds import KILLS
from tests.served.test_kill import effects
from tests.served.up import Up

log = logging.getLogger(__name__)
RECEIPTS = {"succeeded", "failed", "unknown"}
SEEN_WITHIN_S = 10.0
TOOLS = """
from agents.catalogue import save_agent
from agents.models import Agent
from platform_site.models import Tenant
from platform_site.tenancy import acting_for
from tools.catalogue import save_tool
from tools.models import Tool

with acting_for(Tenant.objects.get(slug="mall")):
    move = dict(Tool.objects.get(name="modify_address").current.definition)
    nothing = {"type": "object", "properties": {}}
    account = {"kind": "http", "method": "GET", "url": move["executor"]["url"].removesuffix("/address")}
    save_tool({"name": "see_account", "description": "The account.", "risk": "SAFE", "read_only": True,
               "schema": nothing, "executor": account}, None)
    asks = {"by": "user+reviewer", "proof": "none"}
    for name, idempotent in (("move", True), ("move_once", False)):
        save_tool(move | {"name": name, "idempotent": idempotent, "confirmation": asks, "rate_limit": "",
                          "preview": {"tool": "see_account"}}, None)
    guide = dict(Agent.objects.get(slug="mall-guide").current.definition)
    save_agent(guide | {"tools": [*guide["tools"], "move", "move_once"]}, None)
"""


@pytest.fixture
def mortal(tmp_path: Path, furnished: Path | None) -> Iterator[Up]:
    """A server that can be told to die at a commit."""
    settings = "tests.gate_evidence.killing"
    up = Up(tmp_path / "var", furnished=furnished, DEMO_PACE_MS="0", DJANGO_SETTINGS_MODULE=settings)
    try:
        up.start()
        up.shell(TOOLS)
        yield up
    finally:
        up.discard()


@dataclass
class Order:
    """A person asks for a move; they and a reviewer agree, whenever they are asked, whatever happens to the server."""

    up: Up
    tool: str
    tokens: dict[str, str]
    conversation: str = ""
    ready_at: float = 0.0
    deaths: int = 0

    def begin(self) -> None:
        made = self.send("member", "POST", "conversations", {"agent": "mall-guide"})
        self.conversation = made["id"]

    def see_through(self) -> dict[str, Any]:
        """Until the call has its receipt and nothing moves any more."""
        text = f'call {self.tool} {{"address": "88 Nanjing West Road, Shanghai", "recipient": "Bob"}}'
        self.send(
            "member", "POST", f"conversations/{self.conversation}/messages", {"text": text, "key": "one"}
        )
        self.ready_at = time.monotonic()
        while not (receipt := self.receipt()):
            assert time.monotonic() - self.ready_at < SEEN_WITHIN_S, f"stuck: {self.told()}"
            self.agree()
            time.sleep(0.05)
        return receipt

    def receipt(self) -> dict[str, Any] | None:
        kinds = Counter(event["type"] for event in self.told())
        still = kinds["RUN_STARTED"] - kinds["RUN_FINISHED"] - kinds["RUN_ERROR"]
        calls = self.send("member", "GET", f"conversations/{self.conversation}/export")["calls"]
        ended = [call for call in calls if call["status"] in RECEIPTS]
        return ended[0] if ended and not still else None

    def told(self) -> list[dict[str, Any]]:
        path = f"conversations/{self.conversation}/events?after=0&limit=100"
        return [row["event"] for row in self.send("member", "GET", path)["results"]]

    def agree(self) -> None:
        """Whoever is asked says yes to what they are shown; a second time when they never heard that it was taken."""
        for question in self.send("reviewer", "GET", "confirmations?status=pending")["results"]:
            for who in ("member", "reviewer"):
                body = {"decision": "approve", "digest": question["digest"]}
                self.send(who, "POST", f"confirmations/{question['id']}/decide", body)
            self.ready_at = time.monotonic()

    def send(self, who: str, method: str, path: str, body: Any = None) -> Any:
        """Again and again, until a server answers."""
        while True:
            try:
                with self.up.api(self.tokens[who]) as api:
                    answer = api.request(method, f"/api/v1/t/mall/{path}", json=body)
                assert answer.status_code < 500, answer.text
                return answer.json()
            except httpx2.TransportError:
                self.revive()

    def revive(self) -> None:
        assert self.up.process
        self.up.process.wait(5)
        self.deaths += 1
        self.up.start()
        self.ready_at = time.monotonic()


@pytest.mark.timeout(1800)
def test_killed_at_any_commit_it_happens_once_or_not_at_all_and_ends_in_a_receipt(mortal: Up) -> None:
    """T73, T74, T64: nothing twice, nothing lost, nothing stuck, and what nobody knows is seen within ten seconds."""
    tokens = {who: mortal.token(who) for who in ("member", "reviewer")}
    tell(mortal, "never 0")
    assert carried_out(mortal, "move", tokens).deaths == 0
    commits = int((mortal.data_dir / "commits").read_text())
    statuses: Counter[str] = Counter()
    for tool, order in orders(commits):
        tell(mortal, order)
        flow = carried_out(mortal, tool, tokens)
        statuses[judged(mortal, flow)] += flow.deaths
    log.info("%d commits; receipts of the killed: %s", commits, dict(statuses))
    mortal.shell(SOUND)


SOUND = """
from platform_site.audit.verifying import Sound, verify
from platform_site.models import AuditEntry, Tenant
from platform_site.tenancy import acting_for
from tools.models import ToolCall
with acting_for(Tenant.objects.get(slug="mall")):
    assert isinstance(verify(), Sound)
    for call in ToolCall.objects.all():
        assert AuditEntry.objects.filter(object_id=call.pk, verb=f"call.{call.status}").exists(), call.status
"""


def orders(commits: int) -> Iterator[tuple[str, str]]:
    """Which tool, killed when. The last commits are those around the effect."""
    if KILLS == "all":
        every = [f"{when} {nth}" for nth in range(1, commits + 1) for when in ("before", "after")]
        yield from ((tool, order) for tool in ("move", "move_once") for order in every)
    else:
        yield from (("move", f"after {commits // 2}"), ("move_once", f"before {commits - 1}"))


def tell(up: Up, order: str) -> None:
    (up.data_dir / "kill").write_text(order)


def carried_out(up: Up, tool: str, tokens: dict[str, str]) -> Order:
    flow = Order(up, tool, tokens)
    flow.begin()
    flow.see_through()
    (up.data_dir / "kill").unlink(missing_ok=True)
    return flow


def judged(up: Up, flow: Order) -> str:
    """What the shop's log says of this order's call, beside what we say."""
    call = flow.receipt()
    assert call
    done = Counter(row["idempotency_key"] for row in effects(up))[call["id"]]
    expected: dict[str, Callable[[int], bool]] = {"succeeded": lambda n: n == 1, "unknown": lambda n: n <= 1}
    assert expected[call["status"]](done), (call["status"], done)
    assert call["status"] == "succeeded" or flow.tool == "move_once", "what may be sent again is"
    return str(call["status"])
