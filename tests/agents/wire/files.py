"""Wire files: one HTTP answer as a server would send it, written down.

The status line, headers, an empty line, the body. A line of the body that begins with `~` is ours:
`~ wait 0.05` (seconds), and last of all `~ drop` (reset), `~ stall` (nothing more comes), `~ close` (hang up without
the end that HTTP wants). Without one the answer ends as it should, and the connection is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

End = Literal["keep", "close", "drop", "stall"]
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Wire:
    """One answer. A float in the body is a pause in seconds."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: tuple[bytes | float, ...] = ()
    end: End = "keep"

    @property
    def whole(self) -> bytes:
        """The body without its pauses."""
        return b"".join(piece for piece in self.body if isinstance(piece, bytes))


def load(adapter: str, case: str) -> Wire:
    """The adapter's wire file for a case; raises FileNotFoundError."""
    return parsed((FOLDER / adapter / f"{case}.http").read_text(encoding="utf-8"))


def has(adapter: str, case: str) -> bool:
    return (FOLDER / adapter / f"{case}.http").exists()


def parsed(text: str) -> Wire:
    """The wire a file stands for."""
    head, _, rest = text.partition("\n\n")
    first, *lines = head.splitlines()
    named = (line.partition(":") for line in lines)
    wire = Wire(int(first.split()[1]), tuple((name.strip(), value.strip()) for name, _, value in named))
    body: list[bytes | float] = []
    for line in rest.splitlines(keepends=True):
        if not line.startswith("~"):
            _add(body, line.encode())
            continue
        match line[1:].split():
            case ["wait", seconds]:
                body.append(float(seconds))
            case [("close" | "drop" | "stall") as end]:
                return replace(wire, body=tuple(body), end=end)
            case other:
                raise ValueError(f"a wire file does not know {other}")
    return replace(wire, body=tuple(body))


def _add(body: list[bytes | float], piece: bytes) -> None:
    if body and isinstance(body[-1], bytes):
        body[-1] += piece
    else:
        body.append(piece)
