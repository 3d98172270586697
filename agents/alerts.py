"""A provider refused a credential: the tenant's admins are told, in their open pages and on the console's overview.

Kept in the shared cache for a day, one line a credential. It is gone when the credential was changed since, or when it
is accepted again. At most one notice a credential in ten minutes, however many people are turned away.
"""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from django.core.cache import cache

from agents.spec import ModelSpec
from platform_site import bell
from platform_site.models import Credential, Membership, Role
from platform_site.tenancy import current_tenant_id

log = logging.getLogger(__name__)
QUIET_S = 600
KEPT_S = 86_400
_open_here: set[str] = set()
"""Keys of what this process knows to be refused, so that an answer costs nobody else a query."""


@dataclass(frozen=True, slots=True)
class Alert:
    """A refused credential: its slug, empty for the installation's own. `detail` is the provider's text."""

    credential: str
    provider: str
    model: str
    detail: str
    at: float
    """Seconds since 1970."""

    @property
    def when(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)


def credential_refused(model: ModelSpec, detail: str) -> bool:
    """Tell the admins, unless they were told just now. Call it acting for the tenant."""
    key = _key(model)
    _open_here.add(key)
    try:
        if not cache.add(f"alerted:{key}", 1, QUIET_S):
            return False
        credential = Credential.objects.filter(pk=model.credential).first()
        slug = credential.slug if credential else ""
        alert = Alert(slug, model.provider, model.slug, detail[:500], time.time())
        _keep({**_all(), key: asdict(alert)})
        _ring(alert)
    except Exception:
        log.exception("a refused credential could not be told to the admins")
        return False
    log.warning(
        "the provider %s refused the credential %s of the model %s: %s",
        model.provider, slug or "of the installation", model.slug, detail,
    )  # fmt: skip
    return True


def answered(model: ModelSpec) -> None:
    """The credential was accepted: what was said of it is over. Nothing to do unless this process said it."""
    key = _key(model)
    if key not in _open_here:
        return
    _open_here.discard(key)
    try:
        _keep({other: line for other, line in _all().items() if other != key})
        cache.delete(f"alerted:{key}")
    except Exception:
        log.exception("that a credential is accepted again could not be noted")


def is_open(model: ModelSpec) -> bool:
    """Whether this process has seen the credential refused and not accepted since."""
    return bool(_open_here) and _key(model) in _open_here


def open_alerts() -> list[Alert]:
    """What the acting tenant's admins should look at, newest first."""
    alerts = [Alert(**line) for line in _all().values()]
    if not alerts:
        return []
    changed = dict(Credential.objects.values_list("slug", "updated_at"))
    still = [one for one in alerts if one.credential not in changed or changed[one.credential] <= one.when]
    return sorted(still, key=lambda one: one.at, reverse=True)


def _ring(alert: Alert) -> None:
    data = {
        "about": "credential",
        "credential": alert.credential,
        "provider": alert.provider,
        "model": alert.model,
    }
    admins = Membership.objects.filter(role__in=[Role.OWNER, Role.ADMIN], is_active=True)
    for user in admins.values_list("user_id", flat=True):
        bell.notify(bell.Notice(current_tenant_id(), user, "alert", data))


def _all() -> dict[str, Any]:
    found: dict[str, Any] = cache.get(_list_key()) or {}
    return found


def _keep(lines: dict[str, Any]) -> None:
    cache.set(_list_key(), lines, KEPT_S)


def _list_key() -> str:
    return f"alerts:{current_tenant_id()}"


def _key(model: ModelSpec) -> str:
    what = f"{current_tenant_id()} {model.provider} {model.credential}"
    return hashlib.sha256(what.encode()).hexdigest()
