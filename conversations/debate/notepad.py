"""The notepad two personas share. Pure: changes in, the notepad out, as a value, as Markdown, as shared state.

The shared state (AG-UI STATE) is `{"suggestions": [...], "notepad": {"debate", "version", "entries", "changes"}}`:
- an entry is `{n, kind, text, by, turn, struck, history}`; `by` is the slug of who wrote it first, `turn` when;
  `history` holds its earlier texts `[{version, kind, text, by, turn}]`, with who replaced or struck each, and when;
- a change is `{version, entry, action, kind, text, by, turn, at}`; `action` add | change | strike, `at` ISO 8601.
`patch` is the JSON Patch that one change makes of the state before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

MOST_ENTRIES = 100
MOST_CHANGES = 500
LONGEST = 500
"""Characters of an entry."""
HEADINGS = {"fact": "Facts", "assumption": "Assumptions", "question": "Open questions", "todo": "To do"}


@dataclass(frozen=True, slots=True)
class Change:
    """One change, as it is stored and told."""

    version: int
    entry: int
    action: str
    kind: str
    text: str
    by: str
    turn: int
    at: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A note as it stands. `n` is what people and personas call it by: [N3]."""

    n: int
    kind: str
    text: str
    by: str
    turn: int
    struck: bool = False
    history: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Notepad:
    """All entries in the order they were noted, those struck out included."""

    debate: str
    entries: tuple[Entry, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def version(self) -> int:
        return self.changes[-1].version if self.changes else 0

    def entry(self, n: int) -> Entry | None:
        return next((entry for entry in self.entries if entry.n == n), None)


def fold(debate: str, changes: Iterable[Change]) -> Notepad:
    """The notepad that these changes made."""
    pad = Notepad(debate)
    for change in changes:
        pad = after(pad, change)
    return pad


def after(pad: Notepad, change: Change) -> Notepad:
    """The notepad after one more change."""
    changes = (*pad.changes, change)
    if change.action == "add":
        new = Entry(change.entry, change.kind, change.text, change.by, change.turn)
        return Notepad(pad.debate, (*pad.entries, new), changes)
    entries = tuple(_changed(entry, change) if entry.n == change.entry else entry for entry in pad.entries)
    return Notepad(pad.debate, entries, changes)


def _changed(entry: Entry, change: Change) -> Entry:
    was = {
        "version": change.version,
        "kind": entry.kind,
        "text": entry.text,
        "by": change.by,
        "turn": change.turn,
    }
    history = (*entry.history, was)
    if change.action == "strike":
        return replace(entry, struck=True, history=history)
    return replace(entry, kind=change.kind, text=change.text, history=history)


def as_state(pad: Notepad) -> dict[str, Any]:
    """The `notepad` of the shared state, JSON-safe."""
    entries = [{**asdict(entry), "history": [dict(one) for one in entry.history]} for entry in pad.entries]
    changes = [asdict(change) for change in pad.changes]
    return {"debate": pad.debate, "version": pad.version, "entries": entries, "changes": changes}


def whole_patch(pad: Notepad) -> list[dict[str, Any]]:
    """The JSON Patch that puts this notepad in the place of any other, or of none."""
    return [{"op": "add", "path": "/notepad", "value": as_state(pad)}]


def patch(pad: Notepad, change: Change) -> list[dict[str, Any]]:
    """The JSON Patch from `pad` to the notepad after `change`."""
    state = as_state(after(pad, change))
    at = next(nth for nth, entry in enumerate(state["entries"]) if entry["n"] == change.entry)
    where = ("add", "-") if change.action == "add" else ("replace", str(at))
    return [
        {"op": where[0], "path": f"/notepad/entries/{where[1]}", "value": state["entries"][at]},
        {"op": "replace", "path": "/notepad/version", "value": change.version},
        {"op": "add", "path": "/notepad/changes/-", "value": state["changes"][-1]},
    ]


def markdown(pad: Notepad, names: Mapping[str, str], headings: Mapping[str, str] = HEADINGS) -> str:
    """The notepad for people and models; `names` by slug. Empty when nothing was noted."""
    parts = [
        "\n".join([f"### {heading}", *(_line(entry, names) for entry in entries)])
        for kind, heading in headings.items()
        if (entries := [entry for entry in pad.entries if entry.kind == kind])
    ]
    return "\n\n".join(parts)


def _line(entry: Entry, names: Mapping[str, str]) -> str:
    text = " ".join(entry.text.split())
    text = f"~~{text}~~" if entry.struck else text
    return f"- [N{entry.n}] {text} ({names.get(entry.by, entry.by)}, [T{entry.turn}])"
