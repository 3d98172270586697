"""What a webhook is sent: `docs/protocol.md`, "Webhooks". Programs rely on it."""

from __future__ import annotations

import json
from typing import Any

from platform_site.notices.models import Notice
from platform_site.notices.words import link


def body_of(notice: Notice) -> bytes:
    """The JSON body: the same each time the notice is sent."""
    told: dict[str, Any] = {
        "id": notice.pk, "kind": notice.kind, "tenant": notice.tenant.slug,
        "created": notice.created_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "data": _data(notice.data),
    }  # fmt: skip
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _data(data: dict[str, Any]) -> dict[str, Any]:
    """With a whole address instead of a path; names of fields as everywhere on the wire."""
    if not data:
        return {}
    if "reminder" in data:
        return {name: value for name, value in data.items() if name != "path"} | {"url": link(data["path"])}
    return {
        "confirmation": data["confirmation"], "tool": data["tool"], "title": data["title"], "risk": data["risk"],
        "requester": data["requester"], "waitsFor": data["waits_for"], "decideBy": data["decide_by"],
        "url": link(data["path"]),
    }  # fmt: skip
