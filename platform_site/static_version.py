"""What the addresses of static files begin with: a digest of the files themselves.

With it in the path, a browser keeps each file for good, and modules that import one another by relative paths are
always of one version. Every host that runs the same code comes to the same one.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

VERSIONED = re.compile(r"^[0-9a-f]{12}/")


def version_of(folder: Path, lock: Path) -> str:
    """12 hexadecimal digits over the files in `folder`, and over `lock`, which names the libraries that bring more."""
    digest = blake2b(lock.read_bytes(), digest_size=6)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            digest.update(f"\n{path.relative_to(folder).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()
