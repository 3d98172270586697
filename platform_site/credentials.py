"""What holds for credentials wherever they are saved, in the console or by a configuration file: a key is never noted,
and never sent to another server than it was given for."""

from __future__ import annotations

from platform_site import audit
from platform_site.base_url import normalised
from platform_site.models import Credential, User


def shown(credential: Credential) -> dict[str, str]:
    """A credential as anybody may see it who configures the tenant."""
    key = "sealed" if credential.sealed else credential.key_env
    return {"provider": credential.provider, "base_url": credential.base_url, "key": key}


def goes_elsewhere(kept: Credential, provider: str, base_url: str) -> bool:
    """Whether a credential's key would go to another server than it was given for. `base_url` is normalised."""
    return (kept.provider, as_kept(kept.base_url)) != (provider, base_url)


def as_kept(base_url: str) -> str:
    """A stored base URL in its one form; one that has none, as it is."""
    try:
        return normalised(base_url)
    except ValueError:
        return base_url


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
