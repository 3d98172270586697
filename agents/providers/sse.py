"""Server-sent events read from bytes as they come, however they are cut. Pure.

Lines end in LF, CR or CRLF; an event ends at an empty line. Only `data` is of interest; llama.cpp's `error:` lines are
taken for what they mean. The work is linear in the bytes, also when they come one at a time.
"""

from __future__ import annotations

LONGEST_EVENT = 16 * 1024 * 1024
"""Bytes of one event; also the most that is kept of a line without an end."""
_BOM = b"\xef\xbb\xbf"


class TooLong(ValueError):
    """An event longer than `LONGEST_EVENT`."""


class Events:
    """One stream. Feed it bytes; it gives the data of each event that is complete."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._data: list[bytes] = []
        self._data_size = 0
        self._after_cr = False
        self._begun = False

    def feed(self, piece: bytes) -> list[bytes]:
        """The events that this piece completes. Raises `TooLong`."""
        if self._after_cr:
            self._after_cr = not piece
            piece = piece.removeprefix(b"\n")
        if b"\n" not in piece and b"\r" not in piece:
            self._keep(piece)
            return []
        self._pieces.append(piece)
        lines = b"".join(self._pieces).splitlines(keepends=True)
        self._pieces, self._size = [], 0
        if not lines[-1].endswith((b"\n", b"\r")):
            self._keep(lines.pop())
        elif lines[-1].endswith(b"\r"):
            self._after_cr = True
        return self._events(lines)

    def end(self) -> list[bytes]:
        """What is complete but for its last empty line."""
        rest = b"".join(self._pieces)
        self._pieces = []
        return self._events([rest, b"\n"] if rest else [b"\n"])

    def _events(self, lines: list[bytes]) -> list[bytes]:
        found: list[bytes] = []
        for line in lines:
            text = line.rstrip(b"\r\n")
            if not self._begun:
                self._begun, text = True, text.removeprefix(_BOM)
            if text.startswith(b"data:"):
                self._add(text[5:].removeprefix(b" "))
            elif text.startswith(b"error:"):
                self._add(b'{"error":%b}' % text[6:].strip())
            elif not text and self._data:
                found.append(b"\n".join(self._data))
                self._data, self._data_size = [], 0
        return found

    def _add(self, data: bytes) -> None:
        self._data.append(data)
        self._data_size += len(data)
        if self._data_size > LONGEST_EVENT:
            raise TooLong

    def _keep(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > LONGEST_EVENT:
            raise TooLong
