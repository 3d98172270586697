"""What is noted when a credential is saved, by the console or by a configuration file: never its key."""

from __future__ import annotations

from platform_site import audit
from platform_site.models import Credential, User


def shown(credential: Credential) -> dict[str, str]:
    """A credential as anybody may see it who configures the tenant."""
    key = "sealed" if credential.sealed else credential.key_env
    return {"provider": credential.provider, "base_url": credential.base_url, "key": key}


def note_saved(credential: Credential, before: Credential | None, *, by: User | None) -> None:
    """Note what differs from `before`; a key only as touched."""
    was, now = shown(before) if before else {}, shown(credential)
    new_key = (before.sealed if before else "") != credential.sealed
    changed = sorted(name for name in now if was.get(name) != now[name])
    if changed or new_key:
        audit.note(
            "credential.saved", credential, by=by, before=audit.digest(was) if was else "",
            after=audit.digest(now), changed=changed, new_key=new_key, now=now,
        )  # fmt: skip
