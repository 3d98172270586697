"""3.0 is written as 3 where a whole number is wanted: the schema takes either, a program may not (A3). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.pipeline import flags
from tools.pipeline.places import Place
from tools.pipeline.values import Flag

EXACT = 2**53
Path = tuple[str | int, ...]


def written_whole(root: Mapping[str, Any], value: Any) -> tuple[Any, tuple[Flag, ...]]:
    """The value with whole numbers written as such, and a flag for each field."""
    if not _has_whole_float(value):
        return value, ()
    found: dict[str, _Seen] = {}
    whole = _whole(Place(root, [root]), value, (), "$", found)
    return whole, tuple(seen.told(field) for field, seen in found.items())


@dataclass(slots=True)
class _Seen:
    """The first of the numbers of one field, and how many there were."""

    path: Path
    number: float
    times: int = 0

    def told(self, field: str) -> Flag:
        flag = flags.coerced(self.path, self.number, int(self.number), "number_to_integer")
        return flag if self.times == 1 else {**flag, "path": field, "times": self.times}


def _whole(place: Place, value: Any, path: Path, field: str, found: dict[str, _Seen]) -> Any:
    """`field` is the path with all items of a list as one."""
    match value:
        case dict():
            return {
                name: _whole(place.below(name), one, (*path, name), f"{field}.{name[:60]}", found)
                for name, one in value.items()
            }
        case list():
            each = f"{field}[]"
            return [_whole(place.below(at), one, (*path, at), each, found) for at, one in enumerate(value)]
        case float() if _is_whole(value) and "integer" in place.types and "number" not in place.types:
            found.setdefault(field, _Seen(path, value)).times += 1
            return int(value)
    return value


def _has_whole_float(value: Any) -> bool:
    todo = [value]
    for item in todo:
        if isinstance(item, dict):
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, float) and _is_whole(item):
            return True
    return False


def _is_whole(number: float) -> bool:
    return number.is_integer() and abs(number) <= EXACT
