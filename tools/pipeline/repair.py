"""Mending text that is almost JSON, or refusing to. Pure; called only for text that strict reading refused.

`mend` gives the strict JSON that was meant, with a flag for every kind of mend. Nothing is guessed silently: where a
second sensible reading exists, the flag says `contested`. Nothing is invented: what comes out stood in what came in.
Text that ends early is never completed, except by closing brackets, and then `cut_off` says so.

The reader is our own, one pass and bounded. The library json-repair reads {"id": 007} as 7 and {"n": 10 apples} as 10,
takes the last of two equal keys and needs minutes for some texts of 64 KiB; the tests ask it for a second opinion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tools import strictjson
from tools.pipeline import repair_around, repair_reader
from tools.pipeline.flags import encoded
from tools.pipeline.phrase import Phrase, Text, gettext_noop
from tools.pipeline.repair_flags import flags_of
from tools.pipeline.repair_proof import stands_in
from tools.pipeline.repair_scribe import Scribe, Stop
from tools.pipeline.values import Flag


@dataclass(frozen=True, slots=True)
class Mended:
    """`text` is strict JSON and `value` what it means. `cut_off`: closing brackets were missing at the end."""

    text: str
    value: Any
    flags: tuple[Flag, ...]
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Hopeless:
    """It cannot be mended beyond doubt. `cut_off`: because it ends too early."""

    why: Text
    cut_off: bool = False


def mend(raw: str) -> Mended | Hopeless:
    """The one JSON object in `raw`, made strict."""
    try:
        return _mend(raw)
    except Stop as stop:
        return Hopeless(stop.why, stop.cut_off)
    except strictjson.NotJson as error:
        return Hopeless(error.why)


def _mend(raw: str) -> Mended:
    inner = repair_around.decoded(raw)
    begin = repair_around.begin_of(inner)
    scribe = Scribe(inner, begin, repair_around.end_of(inner, begin))
    if whole := repair_around.end_of_whole(inner, begin):
        scribe.take_to(whole)
    else:
        repair_reader.read(scribe)
    text = scribe.written()
    value = strictjson.loads(text)
    if not whole and not stands_in(text, inner[begin : scribe.at]):
        raise Stop(Phrase(gettext_noop("mending it would change a value")))
    flags = flags_of(repair_around.around(inner, begin, scribe.at, len(text)), scribe)
    if inner != raw:
        flags = (encoded(raw, inner), *flags)
    return Mended(text, value, flags, scribe.cut_off)
