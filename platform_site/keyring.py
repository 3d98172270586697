"""The file of sealing keys, `DATA_DIR/keys/sealing.json`: read, added to, and old keys forgotten. `secrets` uses them.

`{"current": id, "since": when, "keys": {id: key}, "derived": {id: {purpose: key}}}`. A process notices that the file
changed, so a new key counts everywhere at once. A key that is forgotten can open nothing any more; what was derived
from it stays, so that audit entries made with it still verify.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PURPOSES = ("audit chain",)
"""What keys are derived for. Kept of a key that is forgotten."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The sealing keys by id, and the id of the one that seals now. `derived` is what is left of forgotten ones."""

    current: str
    by_id: dict[str, AESGCM]
    raw: dict[str, bytes]
    derived: dict[str, dict[str, bytes]]


def keys(path: Path) -> Keys:
    """The keys as the file says now. Raises OSError when there is none."""
    found = path.stat()
    return _read(path, (found.st_ino, found.st_mtime_ns, found.st_size))


@lru_cache(maxsize=4)
def _read(path: Path, mark: tuple[int, int, int]) -> Keys:
    stored = json.loads(path.read_bytes())
    raw = {key_id: base64.urlsafe_b64decode(key) for key_id, key in stored["keys"].items()}
    derived = {
        key_id: {purpose: base64.urlsafe_b64decode(key) for purpose, key in of_it.items()}
        for key_id, of_it in stored.get("derived", {}).items()
    }
    return Keys(stored["current"], {key_id: AESGCM(key) for key_id, key in raw.items()}, raw, derived)


def first() -> bytes:
    """The file's text with one new key."""
    return _text({"current": "k1", "keys": {"k1": _new()}})


def derive(raw: bytes, purpose: str) -> bytes:
    """A key for `purpose` alone. Nobody finds the sealing key, or another purpose's, from it."""
    return HKDF(SHA256(), 32, salt=None, info=f"sluice:{purpose}".encode()).derive(raw)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else changes the file meanwhile. Raises BlockingIOError when somebody does."""
    with path.with_name("sealing.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def add(path: Path) -> str:
    """A new key, not yet the one that seals; its id."""
    stored = _stored(path)
    known = [*stored["keys"], *stored.get("derived", {})]
    key_id = f"k{1 + max(int(name[1:]) for name in known if name[1:].isdecimal())}"
    stored["keys"][key_id] = _new()
    _write(path, stored)
    return key_id


def use(path: Path, key_id: str) -> None:
    """Seal with this key from now on."""
    stored = _stored(path)
    if key_id not in stored["keys"]:
        raise KeyError(key_id)
    _write(path, {**stored, "current": key_id, "since": int(time.time())})


def used_for(path: Path) -> float:
    """Seconds since the current key was put to use."""
    return time.time() - float(_stored(path).get("since", 0))


def newest(path: Path) -> str:
    """The id of the key that was added last."""
    return str(list(_stored(path)["keys"])[-1])


def forget_others(path: Path) -> list[str]:
    """Forget every key but the current one, and what was added after it; the ids of those forgotten."""
    stored = _stored(path)
    order = list(stored["keys"])
    gone = order[: order.index(stored["current"])]
    derived = stored.setdefault("derived", {})
    for key_id in gone:
        raw = base64.urlsafe_b64decode(stored["keys"].pop(key_id))
        derived[key_id] = {purpose: _encoded(derive(raw, purpose)) for purpose in PURPOSES}
    if gone:
        _write(path, stored)
    return gone


def _stored(path: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(path.read_bytes())
    return stored


def _write(path: Path, stored: dict[str, Any]) -> None:
    """The whole file at once, on the disk before the old one is gone; readable by the owner alone."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
        try:
            file.write(_text(stored))
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(file.name).unlink()
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _text(stored: dict[str, Any]) -> bytes:
    return json.dumps(stored, indent=1).encode()


def _new() -> str:
    return _encoded(AESGCM.generate_key(256))


def _encoded(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).decode()
