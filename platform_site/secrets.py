"""Secrets at rest: sealed with AES-256-GCM, so that a stolen database shows none and a moved ciphertext opens nowhere.

`context` names the one place a secret belongs to ("tenant:model:pk:field") and is part of what is authenticated.
Keys lie in `DATA_DIR/keys/sealing.json` under short ids (`keyring`); a sealed text begins with the id of its key, so
that an older key still opens what it sealed after a newer one was added and made current. Every column that holds a
sealed text stands in `sealed_fields`.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from django.conf import settings

from platform_site import keyring
from platform_site.models import Credential

NONCE_BYTES = 12
_SEALED = re.compile(r"[A-Za-z0-9]{1,20}:[A-Za-z0-9_-]{38,}=*")
_PROVIDER_KEY = re.compile(r"[A-Z][A-Z0-9_]*_(?:KEY|TOKEN)")


class CannotOpen(Exception):
    """A sealed secret whose key is gone, or that was changed, or moved from its place."""


def seal(plain: str, context: str) -> str:
    """`plain`, readable again only by `open_sealed` with the same context."""
    keys = _keys()
    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = keys.by_id[keys.current].encrypt(nonce, plain.encode(), context.encode())
    return f"{keys.current}:{base64.urlsafe_b64encode(nonce + sealed).decode()}"


def open_sealed(sealed: str, context: str) -> str:
    """What was sealed. Raises `CannotOpen`, which says nothing about the secret."""
    key_id, _, text = sealed.partition(":")
    key = _keys().by_id.get(key_id)
    if key is None:
        raise CannotOpen("no key of that id")
    try:
        data = base64.urlsafe_b64decode(text)
        return key.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], context.encode()).decode()
    except (InvalidTag, binascii.Error, ValueError):
        raise CannotOpen("the secret does not open here") from None


def current_key_id() -> str:
    """The id of the key that seals now."""
    return _keys().current


def is_sealed(text: str) -> bool:
    """Whether a text has the form of a sealed one."""
    return _SEALED.fullmatch(text) is not None


def key_id_of(sealed: str) -> str:
    """The id of the key that a sealed text was made with."""
    return sealed.partition(":")[0]


def derived(key_id: str, purpose: str) -> bytes:
    """A key for `purpose` (of `keyring.PURPOSES`) alone, made from the sealing key of that id, which may be forgotten
    since. Raises `CannotOpen` when there never was one.
    """
    if purpose not in keyring.PURPOSES:
        raise ValueError(f"{purpose!r} is not among keyring.PURPOSES: it would be lost with its key")
    keys = _keys()
    if key_id in keys.raw:
        return keyring.derive(keys.raw[key_id], purpose)
    kept = keys.derived.get(key_id, {}).get(purpose)
    if kept is None:
        raise CannotOpen("no key of that id")
    return kept


def context_of(credential: Credential) -> str:
    """The place a credential's key belongs to."""
    return f"{credential.tenant_id}:credential:{credential.pk}:key"


def key_of(credential: Credential) -> str:
    """A credential's key: sealed in its row, or in the environment variable it names. Empty when it has none.

    Only names that end in `_KEY` or `_TOKEN` are read, and never SECRET_KEY: nobody shall send the installation's
    own secrets to a server of theirs by naming them.
    """
    if credential.sealed:
        return open_sealed(credential.sealed, context_of(credential))
    name = credential.key_env
    return os.environ.get(name, "") if _PROVIDER_KEY.fullmatch(name) and name != "SECRET_KEY" else ""


def made_once(name: str, make: Callable[[], bytes]) -> bytes:
    """The key file `name`; whoever comes first makes it, whole, readable by the owner alone."""
    path = Path(settings.DATA_DIR) / "keys" / name
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(file.name, path)  # unlike a rename, does not replace what somebody else made first
    return path.read_bytes()


def key_file() -> Path:
    """The file of sealing keys; made with a first key where there is none."""
    path = Path(settings.DATA_DIR) / "keys" / "sealing.json"
    if not path.exists():
        made_once(path.name, keyring.first)
    return path


def _keys() -> keyring.Keys:
    return keyring.keys(key_file())
