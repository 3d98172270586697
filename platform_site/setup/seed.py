"""The demo tenants: one for each family of tools, with four people who can sign in.

A tenant is seeded when it does not exist; what its admins changed afterwards stays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from platform_site.audit import coming_from
from platform_site.env import BASE_DIR
from platform_site.models import Role, Tenant, User
from platform_site.setup.config_file import apply_file
from platform_site.setup.mall import MALL
from platform_site.setup.market import MARKET
from tools import registry

PASSWORD = "demo-pass-1234"
FILES = {
    "mall": BASE_DIR / "tools" / "packs" / "mall" / "tenant.json",
    "studio": Path(__file__).with_name("demo") / "studio.json",
    "desk": Path(__file__).with_name("demo") / "desk.json",
}
ADDED = {"desk": Path(__file__).with_name("demo") / "debate.json"}
"""What a demo tenant has besides, in a document of its own that can be applied by itself too."""
SAMPLES = {one.slug: one for one in (MALL, MARKET)}
"""The sample backends, by the demo tenant that has their tools."""
NAMES = {
    Role.OWNER: "Olivia Owner",
    Role.ADMIN: "Adrian Admin",
    Role.REVIEWER: "Rhea Reviewer",
    Role.MEMBER: "Max Member",
}


def _document(slug: str) -> dict[str, Any]:
    """A demo tenant's configuration, with what is added to it."""
    document: dict[str, Any] = json.loads(FILES[slug].read_text(encoding="utf-8"))
    added = json.loads(ADDED[slug].read_text(encoding="utf-8")) if slug in ADDED else {}
    lists = {name: [*document.get(name, []), *more] for name, more in added.items() if name != "tenant"}
    return document | lists


def _with_built_ins(document: dict[str, Any]) -> dict[str, Any]:
    """Beside its own tools the document's agents may name ours, which need no definition in a file."""
    defined = {tool["name"] for tool in document.get("tools", [])}
    named = {name for agent in document["agents"] for name in agent["tools"]}
    ours = [handler.definition() for handler in registry.every() if handler.name in named - defined]
    return {**document, "tools": [*document.get("tools", []), *ours]}


def seed(data_dir: Path, origins: Mapping[str, str]) -> list[str]:
    """Make the demo tenants that do not exist; returns their slugs. `origins`: where each sample backend listens."""
    missing = [slug for slug in FILES if not Tenant.objects.filter(slug=slug).exists()]
    for slug in missing:
        document = _document(slug)
        if sample := SAMPLES.get(slug):
            document = sample.at_origin(document, origins[slug])
            sample.note_origin(data_dir, origins[slug])
        with coming_from("command"):
            _make(slug, document)
    return missing


@transaction.atomic
def _make(slug: str, document: dict[str, Any]) -> None:
    people = [
        {"email": f"{role}@{slug}.test", "name": name, "role": str(role)} for role, name in NAMES.items()
    ]
    known = set(
        User.objects.values_list("email", flat=True).filter(email__in=[one["email"] for one in people])
    )
    apply_file({**_with_built_ins(document), "people": people}, author=None)
    new = [one["email"] for one in people if one["email"] not in known]
    # One hash for all of them: hashing is slow on purpose, and this password is no secret.
    User.objects.filter(email__in=new).update(password=make_password(PASSWORD))
