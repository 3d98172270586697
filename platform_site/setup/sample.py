"""A sample backend behind a demo tenant: where it listens, and tools that follow it there.

The demo's configuration names the backend by a stand-in. The real origin is put in its place when the tenant is seeded,
and noted in the data directory; when a later start listens elsewhere, the tools move with it.
"""

from __future__ import annotations

import json
import logging
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platform_site.models import Credential, Tenant
from platform_site.setup.only import CannotStart, free_port, is_free
from platform_site.tenancy import acting_for
from tools.catalogue import save_tool
from tools.models import Tool

log = logging.getLogger(__name__)
HOST = "127.0.0.1"
OLD_ONE_LEAVES_S = 4.0


@dataclass(frozen=True)
class Sample:
    """One of them. `name` as people read it, `variable` the setting of its port, `note` the file of its origin."""

    slug: str
    name: str
    stand_in: str
    variable: str
    note: str

    def noted_origin(self, data_dir: Path) -> str:
        """Where it listened when its tools were last written; empty when there are none."""
        note = data_dir / self.note
        return note.read_text().strip() if note.exists() else ""

    def note_origin(self, data_dir: Path, origin: str) -> None:
        (data_dir / self.note).write_text(origin)

    def choose_origin(self, data_dir: Path, asked: int, usual: int, given_away: int = 0) -> str:
        """At the port that is asked for (0: none), else the usual one if it is free, or where it was, or anywhere.

        Never at the port that was `given_away` just now to somebody who does not listen there yet.
        """
        before = port_of(self.noted_origin(data_dir))
        wanted = asked or min(usual, 65535)
        if wanted == before:
            _wait_until_free(wanted)
        if wanted != given_away and is_free(HOST, wanted):
            return origin_at(wanted)
        if asked:
            raise CannotStart(
                f"Port {wanted} for the {self.name} is taken; choose another: {self.variable}={wanted + 1}"
            )
        stays = before not in (0, given_away) and is_free(HOST, before)
        return origin_at(before if stays else free_port(HOST))

    def at_origin(self, document: dict[str, Any], origin: str) -> dict[str, Any]:
        """The configuration with the backend's real origin, which the tenant may reach."""
        placed: dict[str, Any] = json.loads(json.dumps(document).replace(self.stand_in, origin))
        placed["tenant"].setdefault("egress", []).append(origin.removeprefix("http://"))
        return placed

    def follow(self, data_dir: Path, origin: str) -> None:
        """Move the demo tenant's tools from the noted origin to this one."""
        before = self.noted_origin(data_dir)
        tenant = Tenant.objects.filter(slug=self.slug).first()
        if not before or before == origin or tenant is None:
            return
        old, new = before.removeprefix("http://"), origin.removeprefix("http://")
        tenant.egress = [new if place == old else place for place in tenant.egress]
        tenant.save(update_fields=["egress"])
        with acting_for(tenant):
            moved = [tool for tool in Tool.objects.select_related("current") if _move(tool, before, origin)]
            _move_credentials(before, origin)
        self.note_origin(data_dir, origin)
        log.info("the %s moved from %s to %s; %d tools follow", self.name, before, origin, len(moved))


def port_of(origin: str) -> int:
    """The port of an origin; 0 for none."""
    return int(origin.rpartition(":")[2] or 0)


def origin_at(port: int) -> str:
    return f"http://{HOST}:{port}"


def listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=0.2).close()
    except OSError:
        return False
    return True


def _wait_until_free(port: int) -> None:
    """The backend of an `up` that was just killed needs a moment to notice."""
    until = time.monotonic() + OLD_ONE_LEAVES_S
    while not is_free(HOST, port) and time.monotonic() < until:
        time.sleep(0.05)


def _move(tool: Tool, before: str, origin: str) -> bool:
    definition = dict(tool.current.definition) if tool.current else {}
    executor = definition.get("executor", {})
    url = executor.get("url", "")
    if not url.startswith(before + "/"):
        return False
    moved = {**definition, "executor": {**executor, "url": origin + url.removeprefix(before)}}
    save_tool(moved, None)
    return True


def _move_credentials(before: str, origin: str) -> None:
    for credential in Credential.objects.filter(base_url__startswith=f"{before}/"):
        credential.base_url = origin + credential.base_url.removeprefix(before)
        credential.save(update_fields=["base_url", "updated_at"])
