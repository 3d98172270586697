"""The size guard: what is larger is not even read. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.pipeline.phrase import Phrase
from tools.pipeline.phrase import gettext_noop as _
from tools.schema_words import ArgumentError

MAX_BYTES = 64 * 1024
TOO_LARGE = ArgumentError(
    "$", "too_large", Phrase(_("The arguments are larger than {limit} KiB."), limit=MAX_BYTES // 1024),
    expected=MAX_BYTES, fix=Phrase(_("Send less at once.")),
)  # fmt: skip


def is_too_large(text: str) -> bool:
    """More than `MAX_BYTES` as UTF-8."""
    return len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES


def is_surely_too_large(value: Any) -> bool:
    """Whether an object would be larger as text, told by its values and characters without writing it."""
    counted, todo = 0, [value]
    while todo and counted <= MAX_BYTES:
        item = todo.pop()
        counted += len(item) if isinstance(item, str) else 1
        if isinstance(item, Mapping):
            counted += sum(len(name) for name in item if isinstance(name, str))
            todo += item.values()
        elif isinstance(item, list):
            todo += item
    return counted > MAX_BYTES
