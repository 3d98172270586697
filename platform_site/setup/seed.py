"""The demo tenants: one for each family of tools, with four people who can sign in.

A tenant is seeded when it does not exist. One that an earlier version of us seeded is brought up to date; what its
admins changed or deleted stays as they left it.
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
from platform_site.models import Membership, Role, Tenant, User
from platform_site.setup.config_file import apply_file
from platform_site.setup.mall import MALL
from platform_site.setup.market import MARKET
from platform_site.setup.renewing import renew
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
    """Make the demo tenants that do not exist, and renew the others; returns the slugs of those that were made.

    `origins`: where each sample backend listens.
    """
    there = {tenant.slug: tenant for tenant in Tenant.objects.filter(slug__in=FILES)}
    for slug, tenant in there.items():
        if _is_demo(tenant) and (document := _renewed(data_dir, slug)):
            renew(tenant, document)
    missing = [slug for slug in FILES if slug not in there]
    for slug in missing:
        document = _document(slug)
        if sample := SAMPLES.get(slug):
            document = sample.at_origin(document, origins[slug])
            sample.note_origin(data_dir, origins[slug])
        with coming_from("command"):
            _make(slug, document)
    return missing


def _is_demo(tenant: Tenant) -> bool:
    """Whether it is one of ours, and not somebody's own of the same name."""
    people = Membership.objects.across_tenants().filter(
        tenant=tenant, user__email__endswith=f"@{tenant.slug}.test"
    )
    return tenant.is_active and set(people.values_list("user__email", flat=True)) >= set(_people(tenant.slug))


def _renewed(data_dir: Path, slug: str) -> dict[str, Any] | None:
    """What the tenant would be made of now. Its tools are still where they were: they follow the backend later."""
    document = _with_built_ins(_document(slug))
    sample = SAMPLES.get(slug)
    if sample is None:
        return document
    origin = sample.noted_origin(data_dir)
    return sample.at_origin(document, origin) if origin else None


def _people(slug: str) -> dict[str, Role]:
    return {f"{role}@{slug}.test": role for role in NAMES}


@transaction.atomic
def _make(slug: str, document: dict[str, Any]) -> None:
    people = [
        {"email": email, "name": NAMES[role], "role": str(role)} for email, role in _people(slug).items()
    ]
    known = set(
        User.objects.values_list("email", flat=True).filter(email__in=[one["email"] for one in people])
    )
    apply_file({**_with_built_ins(document), "people": people}, author=None)
    new = [one["email"] for one in people if one["email"] not in known]
    # One hash for all of them: hashing is slow on purpose, and this password is no secret.
    User.objects.filter(email__in=new).update(password=make_password(PASSWORD))
