"""Files people sent, on disk: `uploads/<tenant id>/<file name>` in the data directory, readable by us alone.

A file's name is made from ids of ours and nothing else. The rows that name files stand elsewhere: a file is written
before its row and removed after it, so what a crash leaves behind is a file without a row, which a sweep finds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from django.conf import settings

NAME = re.compile(r"[0-9a-z]{1,40}\.[a-z]{3,5}")
FOLDER = re.compile(r"[0-9a-z]{1,40}")


def path_of(tenant: str, name: str) -> Path:
    """Where the file lies. Raises `ValueError` for what is no name of ours: it cannot lead anywhere else."""
    if not FOLDER.fullmatch(tenant) or not NAME.fullmatch(name):
        raise ValueError("a stored file is named by ids alone")
    return Path(settings.UPLOADS_DIR) / tenant / name


def write(tenant: str, name: str, data: bytes) -> None:
    """Store a new file; it is on the disk when this returns. Raises `FileExistsError` rather than write over one."""
    path = path_of(tenant, name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def read(tenant: str, name: str) -> bytes | None:
    """The file's content; None when it is not there."""
    try:
        return path_of(tenant, name).read_bytes()
    except FileNotFoundError:
        return None


def remove_all(files: Iterable[tuple[str, str]]) -> None:
    """Delete these (tenant, name), as far as they are there."""
    for tenant, name in files:
        path_of(tenant, name).unlink(missing_ok=True)


def older_than(moment: datetime) -> Iterator[tuple[str, str]]:
    """(tenant, file name) of what was written before `moment`, folder by folder; other people's files are left out."""
    root = Path(settings.UPLOADS_DIR)
    for folder in sorted(path for path in root.iterdir() if FOLDER.fullmatch(path.name) and path.is_dir()):
        yield from _names_in(folder, moment.timestamp())


def _names_in(folder: Path, before: float) -> list[tuple[str, str]]:
    with os.scandir(folder) as entries:
        ours = [
            entry for entry in entries if NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
        ]
        return [(folder.name, entry.name) for entry in ours if _written(entry) < before]


def _written(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat(follow_symlinks=False).st_mtime
    except FileNotFoundError:  # removed just now
        return float("inf")
