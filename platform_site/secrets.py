"""Secrets at rest: sealed with AES-256-GCM, so that a stolen database shows none and a moved ciphertext opens nowhere.

`context` names the one place a secret belongs to ("tenant:model:pk:field") and is part of what is authenticated.
Keys lie in `DATA_DIR/keys/sealing.json` under short ids; a sealed text begins with the id of its key, so that an
older key still opens what it sealed after a newer one was added and made current.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from platform_site.models import Credential

NONCE_BYTES = 12
_PROVIDER_KEY = re.compile(r"[A-Z][A-Z0-9_]*_(?:KEY|TOKEN)")


class CannotOpen(Exception):
    """A sealed secret whose key is gone, or that was changed, or moved from its place."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The sealing keys by id, and the id of the one that seals now."""

    current: str
    by_id: dict[str, AESGCM]
    raw: dict[str, bytes]


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


def derived(key_id: str, purpose: str) -> bytes:
    """A key for `purpose` alone, made from the sealing key of that id. Raises `CannotOpen` when there is none."""
    raw = _keys().raw.get(key_id)
    if raw is None:
        raise CannotOpen("no key of that id")
    return HKDF(SHA256(), 32, salt=None, info=f"sluice:{purpose}".encode()).derive(raw)


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


@cache
def _keys() -> Keys:
    stored = json.loads(made_once("sealing.json", _new_keys))
    raw = {key_id: base64.urlsafe_b64decode(key) for key_id, key in stored["keys"].items()}
    return Keys(stored["current"], {key_id: AESGCM(key) for key_id, key in raw.items()}, raw)


def _new_keys() -> bytes:
    key = base64.urlsafe_b64encode(AESGCM.generate_key(256)).decode()
    return json.dumps({"current": "k1", "keys": {"k1": key}}, indent=1).encode()
