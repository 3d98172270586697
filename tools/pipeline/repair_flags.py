"""Mends as flags: one for each kind, with the text before and after around the first, and how many there were. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tools.pipeline.repair_scribe import Mend, Scribe
from tools.pipeline.values import Flag

LONGEST = 120
MARGIN = 30


def flags_of(around: Sequence[Mend], scribe: Scribe) -> tuple[Flag, ...]:
    """A contested mend is the one shown, if there is one."""
    if scribe.plain_strings:
        for mend in scribe.curly_values:
            mend.contested = True
    by_name: dict[str, list[Mend]] = {}
    for mend in (*around, *scribe.mends):
        by_name.setdefault(mend.name, []).append(mend)
    written = scribe.written()
    return tuple(_flag(name, mends, scribe.text, written) for name, mends in by_name.items())


def _flag(name: str, mends: Sequence[Mend], read: str, written: str) -> Flag:
    shown = next((mend for mend in mends if mend.contested), mends[0])
    flag: Flag = {
        "name": name,
        "before": _excerpt(read, shown.start, shown.end),
        "after": _excerpt(written, shown.out_start, shown.out_end),
    }
    if len(mends) > 1:
        flag["detail"] = len(mends)
    if any(mend.has_words for mend in mends):
        flag["words"] = True
    return flag | ({"contested": True} if shown.contested else {})


def _excerpt(text: str, start: int, end: int) -> str:
    """What stands from `start` to `end` and a little on both sides, the middle left out if it is long."""
    piece = text[max(start - MARGIN, 0) : max(end, start) + MARGIN]
    half = (LONGEST - 1) // 2
    return piece if len(piece) <= LONGEST else f"{piece[:half]}…{piece[-half:]}"
