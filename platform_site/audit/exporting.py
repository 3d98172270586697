"""The audit log as a file: JSON, a line an entry, or CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from platform_site.audit.chain import COLUMNS
from platform_site.models import AuditEntry

Form = Literal["csv", "json"]
TYPES: dict[Form, str] = {"csv": "text/csv; charset=utf-8", "json": "application/x-ndjson"}
SHOWN = ("number", "time", *(name for name in COLUMNS if name not in ("tenant_id", "number", "time")), "hash")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so may be run by who opens the file."""


def lines(entries: Iterable[AuditEntry], form: Form) -> Iterator[str]:
    """The file, line by line."""
    if form == "json":
        yield from (json.dumps(as_json(entry), ensure_ascii=False) + "\n" for entry in entries)
        return
    yield _csv_line(SHOWN)
    yield from (_csv_line([_harmless(value) for value in _values(entry)]) for entry in entries)


def as_json(entry: AuditEntry) -> dict[str, Any]:
    return dict(zip(SHOWN, _values(entry), strict=True)) | {"details": json.loads(entry.details)}


def _values(entry: AuditEntry) -> list[Any]:
    values = {name: getattr(entry, name) for name in SHOWN}
    return list((values | {"time": entry.time.isoformat()}).values())


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _csv_line(cells: Iterable[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()
