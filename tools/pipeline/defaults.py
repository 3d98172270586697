"""Absent arguments get the default their schema names, if the whole is still valid then. Pure.

A few characters of `[{},{},…]` could call for any amount of defaults: how many are filled, and what they come to, is
bounded like what a model may send itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tools.pipeline import flags, size
from tools.pipeline.phrase import Phrase
from tools.pipeline.phrase import gettext_noop as _
from tools.pipeline.places import pointed
from tools.pipeline.values import Flag
from tools.schema_words import ArgumentError, shortened

MOST_GAPS = 200
TOO_MANY = ArgumentError(
    "$", "too_large", Phrase(_("More than {limit} values would have to be filled in."), limit=MOST_GAPS),
    expected=MOST_GAPS, fix=Phrase(_("Send less at once.")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filled:
    """The arguments with defaults, and a flag for each field that got one; or why they could not be filled."""

    value: dict[str, Any]
    flags: tuple[Flag, ...] = ()
    error: ArgumentError | None = None


def filled(root: Mapping[str, Any], value: dict[str, Any], is_valid: Callable[[Any], bool]) -> Filled:
    """`value` itself is left as it is."""
    if next(_gaps(root, root, value, "$"), None) is None:
        return Filled(value)
    whole = _copied(value)
    gaps = list(islice(_gaps(root, root, whole, "$"), MOST_GAPS + 1))
    if len(gaps) > MOST_GAPS:
        return Filled(value, error=TOO_MANY)
    if _is_too_large(value, gaps):
        return Filled(value, error=size.TOO_LARGE)
    for gap in gaps:
        gap.owner[gap.name] = _copied(gap.default)
    return Filled(whole, _told(gaps)) if is_valid(whole) else Filled(value)


@dataclass(frozen=True, slots=True)
class _Gap:
    """An absent property that has a default."""

    owner: dict[str, Any]
    name: str
    path: str
    default: Any


def _told(gaps: Sequence[_Gap]) -> tuple[Flag, ...]:
    return flags.one_a_field(
        [{"name": "default", "path": gap.path, "detail": shortened(gap.default)} for gap in gaps]
    )


def _is_too_large(value: Any, gaps: Sequence[_Gap]) -> bool:
    """Whether the arguments would be larger, once filled, than a model may send them."""
    defaults = {id(gap.default): gap.default for gap in gaps}
    lengths = {key: len(_written(default)) for key, default in defaults.items()}
    added = sum(len(gap.name) + lengths[id(gap.default)] for gap in gaps)
    return len(_written(value)) + added > size.MAX_BYTES


def _written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _gaps(root: Mapping[str, Any], node: Any, value: Any, path: str) -> Iterator[_Gap]:
    if not isinstance(value, dict | list):
        return
    node = _resolved(root, node)
    if isinstance(value, list):
        items = node.get("items")
        for index, item in enumerate(value if isinstance(items, Mapping) else ()):
            if isinstance(item, dict | list):
                yield from _gaps(root, items, item, f"{path}[{index}]")
        return
    for name, inner in (node.get("properties") or {}).items():
        if name in value:
            yield from _gaps(root, inner, value[name], f"{path}.{name}")
        elif isinstance(inner, Mapping) and "default" in inner:
            yield _Gap(value, name, f"{path}.{name}", inner["default"])


def _copied(value: Any) -> Any:
    """A JSON value of its own; many times faster than `deepcopy`."""
    if isinstance(value, dict):
        return {name: _copied(inner) for name, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def _resolved(root: Mapping[str, Any], node: Any) -> Mapping[str, Any]:
    """The subschema a plain `$ref` stands for; a default beside the `$ref` was read before."""
    ref = node.get("$ref") if isinstance(node, Mapping) else None
    if isinstance(ref, str):
        node = pointed(root, ref)
    return node if isinstance(node, Mapping) else {}
