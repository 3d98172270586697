"""The text being read and the strict JSON being written from it, piece by piece, with a note of every mend. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from tools.pipeline.phrase import Phrase, Text, gettext_noop

MOST_PIECES = 12_000
"""Of a text that needs mending; some 25 ms of reading."""


class Stop(Exception):
    """Reading cannot go on beyond doubt. Caught in `repair.mend`."""

    def __init__(self, why: Text, cut_off: bool = False) -> None:
        super().__init__(str(why))
        self.why = why
        self.cut_off = cut_off


def ended() -> Stop:
    """The text ends where something had to follow."""
    return Stop(Phrase(gettext_noop("it ends before it is complete")), cut_off=True)


@dataclass(slots=True)
class Mend:
    """One mend: its name, where it stands in the text read and, as an offset, in the text written."""

    name: str
    start: int
    end: int
    out_start: int
    out_end: int
    contested: bool = False
    has_words: bool = False


@dataclass(slots=True)
class Scribe:
    """`at` is the reading position; what is read is either taken as it stands or written anew."""

    text: str
    at: int
    end: int
    mends: list[Mend] = field(default_factory=list)
    cut_off: bool = False
    plain_strings: int = 0
    curly_values: list[Mend] = field(default_factory=list)
    """Mends of values in curly quotes, which belong to the text if strings stand in plain quotes elsewhere."""
    _out: list[str] = field(default_factory=list)
    length: int = 0

    def peek(self, ahead: int = 0) -> str:
        """The character at the reading position; empty at the end."""
        place = self.at + ahead
        return self.text[place] if place < self.end else ""

    def take_to(self, place: int) -> None:
        """Copy up to `place` unchanged."""
        self._write(self.text[self.at : place])
        self.at = place

    def write(self, out: str, place: int, mend: str, contested: bool = False) -> None:
        """Write `out` for what stands up to `place`; a mend of that name."""
        start, out_start = self.at, self.length
        self.replace(out, place)
        self.note(mend, start, out_start, contested)

    def replace(self, out: str, place: int) -> None:
        """The same as part of a mend that is noted as a whole."""
        self._write(out)
        self.at = place

    def note(self, mend: str, start: int, out_start: int, contested: bool = False) -> Mend:
        """What was read and written since `start` and `out_start` was a mend."""
        self.mends.append(Mend(mend, start, self.at, out_start, self.length, contested))
        return self.mends[-1]

    def written(self) -> str:
        return "".join(self._out)

    def stop(self) -> Stop:
        """Something stands here that cannot be read."""
        shown = self.text[self.at : min(self.at + 20, self.end)]
        return Stop(Phrase(gettext_noop("what begins with {text} cannot be read"), text=repr(shown)))

    def _write(self, out: str) -> None:
        self._out.append(out)
        self.length += len(out)
        if len(self._out) > MOST_PIECES:
            raise Stop(Phrase(gettext_noop("it is not valid and too long to be mended")))
