"""The sample shop behind the demo tenant `mall`: where its backend listens, and tools that follow it there.

The pack's configuration names the backend `http://mall.backend`. The real origin is put in its place when the tenant
is seeded, and noted in the data directory; when a later start listens elsewhere, the tools move with it.
"""

from __future__ import annotations

import json
import logging
import socket
import time
from functools import partial
from pathlib import Path
from typing import Any

from platform_site.env import Env, read_or_make
from platform_site.models import Tenant
from platform_site.setup.children import Child
from platform_site.setup.only import CannotStart, free_port, is_free
from platform_site.signing import jwks
from platform_site.tenancy import acting_for
from tools.catalogue import save_tool
from tools.models import Tool

log = logging.getLogger(__name__)
SLUG = "mall"
STAND_IN = "http://mall.backend"
HOST = "127.0.0.1"
OLD_ONE_LEAVES_S = 4.0


def noted_origin(data_dir: Path) -> str:
    """Where the backend listened when its tools were last written; empty when there is no demo mall."""
    note = data_dir / "mall-origin"
    return note.read_text().strip() if note.exists() else ""


def note_origin(data_dir: Path, origin: str) -> None:
    (data_dir / "mall-origin").write_text(origin)


def choose_origin(env: Env, data_dir: Path) -> str:
    """`MALL_PORT`, or the web port + 1 if that is free, or where it was, or anywhere."""
    before = int(noted_origin(data_dir).rpartition(":")[2] or 0)
    wanted = env.mall_port or min(env.port + 1, 65535)
    if wanted == before:
        _wait_until_free(wanted)
    if is_free(HOST, wanted):
        return _origin(wanted)
    if env.mall_port:
        raise CannotStart(
            f"Port {wanted} for the sample mall is taken; choose another: MALL_PORT={wanted + 1}"
        )
    return _origin(before if before and is_free(HOST, before) else free_port(HOST))


def _origin(port: int) -> str:
    return f"http://{HOST}:{port}"


def _wait_until_free(port: int) -> None:
    """The backend of an `up` that was just killed needs a moment to notice."""
    until = time.monotonic() + OLD_ONE_LEAVES_S
    while not is_free(HOST, port) and time.monotonic() < until:
        time.sleep(0.05)


def at_origin(document: dict[str, Any], origin: str) -> dict[str, Any]:
    """The pack's configuration with the backend's real origin, which the tenant may reach."""
    placed: dict[str, Any] = json.loads(json.dumps(document).replace(STAND_IN, origin))
    placed["tenant"].setdefault("egress", []).append(origin.removeprefix("http://"))
    return placed


def follow(data_dir: Path, origin: str) -> None:
    """Move the demo tenant's tools from the noted origin to this one."""
    before = noted_origin(data_dir)
    tenant = Tenant.objects.filter(slug=SLUG).first()
    if not before or before == origin or tenant is None:
        return
    old, new = before.removeprefix("http://"), origin.removeprefix("http://")
    tenant.egress = [new if place == old else place for place in tenant.egress]
    tenant.save(update_fields=["egress"])
    with acting_for(tenant):
        moved = [tool for tool in Tool.objects.select_related("current") if _move(tool, before, origin)]
    note_origin(data_dir, origin)
    log.info("the sample mall moved from %s to %s; %d tools follow", before, origin, len(moved))


def _move(tool: Tool, before: str, origin: str) -> bool:
    definition = dict(tool.current.definition) if tool.current else {}
    executor = definition.get("executor", {})
    url = executor.get("url", "")
    if not url.startswith(before + "/"):
        return False
    moved = {**definition, "executor": {**executor, "url": origin + url.removeprefix(before)}}
    save_tool(moved, None)
    return True


def backend(data_dir: Path, origin: str) -> Child:
    """The backend as a watched child, knowing the public keys that tokens of ours are signed with."""
    keys = data_dir / "keys"
    keys.mkdir(mode=0o700, exist_ok=True)
    public = keys / "mall-jwks.json"
    public.write_text(json.dumps(jwks()))
    arguments = ["-m", "tools.packs.mall.backend", "--host", HOST, "--port", origin.rpartition(":")[2]]
    arguments += ["--database", str(data_dir / "mall.sqlite3"), "--keys", str(public)]
    arguments += ["--tenant", SLUG, "--audience", origin]
    secret = {"MALL_ADMIN_KEY": read_or_make(keys / "mall-admin-key")}
    return Child(
        "mall", arguments, data_dir / "logs", secret, partial(_listens, int(origin.rpartition(":")[2]))
    )


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=0.2).close()
    except OSError:
        return False
    return True
