"""Time zones by their IANA names: which a person may choose, and what a name that is not one may have meant. Pure."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

LONGEST = 64
REGIONS = frozenset(
    "Africa America Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific".split()  # noqa: SIM905
)


@cache
def known() -> frozenset[str]:
    """Every name this installation knows."""
    return frozenset(available_timezones())


@cache
def offered() -> tuple[str, ...]:
    """Those a list offers: a place in a region, and UTC."""
    return ("UTC", *sorted(name for name in known() if name.partition("/")[0] in REGIONS))


def meant(given: str) -> str | None:
    """The zone that this names, whatever its case and however its words are parted: "new york", "europe/berlin"."""
    wanted = _plain(given)
    whole = [name for name in offered() if _plain(name) == wanted]
    cities = [name for name in offered() if _plain(name.rpartition("/")[2]) == wanted]
    found = whole or cities
    return found[0] if len(found) == 1 else None


def near(given: str) -> str | None:
    """The offered zone whose name or city looks most like this."""
    cities = {_plain(name.rpartition("/")[2]): name for name in offered()}
    by_plain = cities | {_plain(name): name for name in offered()}
    found = get_close_matches(_plain(given), by_plain, n=1, cutoff=0.7)
    return by_plain[found[0]] if found else None


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold()
