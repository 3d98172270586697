"""Signed heads, exported on a schedule: how many entries a tenant had at a time, and the hash of the last one.

They lie in `DATA_DIR/audit-heads`, a file a day, and in the log, so that a copy elsewhere shows an end that was cut off
together with the head row. Each line is a JWT of the kind `audit-head+jwt`, signed with the key that is published at
`/.well-known/jwks.json`: whoever keeps the lines can check them without us.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import jwt
import structlog
from django.conf import settings

from platform_site import signing
from platform_site.audit.chain import Head, Witness, is_intact
from platform_site.audit.rows import stored_key
from platform_site.models import AuditHead

log = structlog.get_logger(__name__)
KIND = "audit-head+jwt"


class Exported(NamedTuple):
    """A head that we signed once."""

    tenant: str
    slug: str
    witness: Witness


class NotOurs(NamedTuple):
    """A line in a file of heads that we did not sign."""

    where: str


def folder() -> Path:
    return Path(settings.DATA_DIR) / "audit-heads"


def export() -> int:
    """Sign the head of every tenant in which something was noted since the last one of today; returns how many."""
    file = folder() / f"{datetime.now(UTC):%Y-%m-%d}.jwts"
    last = {one.tenant: one.witness for one in _read(file) if isinstance(one, Exported)}
    lines = []
    for row in AuditHead.objects.across_tenants().select_related("tenant").order_by("tenant__slug"):
        before = last.get(str(row.tenant_id))
        if before and row.count < before.length:
            log.critical(
                "the audit log has lost entries", tenant=row.tenant_id, now=row.count, was=before.length
            )
        if before is None or (before.length, before.hash) != (row.count, row.hash):
            lines += _signed(row)
    if lines:
        file.parent.mkdir(mode=0o700, exist_ok=True)
        with file.open("a") as out:
            out.write("".join(line + "\n" for line in lines))
    return len(lines)


def _signed(row: AuditHead) -> list[str]:
    """Nothing for a head that somebody changed: our signature would make it true."""
    if not is_intact(Head(row.count, row.hash, row.key, row.mac), str(row.tenant_id), stored_key):
        log.critical("the audit head is not what was written there", tenant=row.tenant_id, count=row.count)
        return []
    claims: dict[str, Any] = {
        "tenant": row.tenant_id,
        "slug": row.tenant.slug,
        "count": row.count,
        "hash": row.hash,
    }
    line = signing.signed(KIND, {**claims, "iat": int(time.time())})
    log.info("audit head", **claims, signed=line)
    return [line]


def read(where: Path) -> list[Exported | NotOurs]:
    """All heads in a folder's files."""
    return [head for file in sorted(where.glob("*.jwts")) for head in _read(file)]


def _read(file: Path) -> Iterator[Exported | NotOurs]:
    if not file.exists():
        return
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        yield _opened(line, f"{file.name}:{number}")


def _opened(line: str, where: str) -> Exported | NotOurs:
    try:
        said = signing.opened(KIND, line)
        return Exported(said["tenant"], said["slug"], Witness(int(said["count"]), said["hash"], where))
    except (jwt.InvalidTokenError, KeyError, ValueError):
        return NotOurs(where)
