"""What goes on between us and the models while a person waits, as numbered events: asked again, another one asked.

Each is a transaction of its own, told while the run is still ours.
"""

from __future__ import annotations

from typing import assert_never

from agents.notes import Note, Retrying, Switched
from conversations import ending
from conversations.turn import Turn
from platform_site import wire


def tell(turn: Turn, note: Note) -> None:
    """Tell one note. That another model answers is told once, however many replies of the run it writes."""
    if isinstance(note, Switched):
        turn.switched = note
        if note == turn.told_switch:
            return
        turn.told_switch = note
    with ending.writing(turn) as log:
        log.tell(_event(turn, note))


def _event(turn: Turn, note: Note) -> wire.Event:
    match note:
        case Retrying(attempt, most, code, wait_s, model):
            when = {"attempt": attempt, "of": most, "waitSeconds": round(wait_s, 2)}
            return wire.custom("run.retrying", {"run": turn.run.pk, **when, "code": code, "model": model})
        case Switched(model, was, code):
            return wire.custom("run.switched", {"run": turn.run.pk, "model": model, "was": was, "code": code})
        case _:
            assert_never(note)
