"""A debate's log folded as a client folds it, against its rows: they are equal at every moment."""

from __future__ import annotations

from typing import Any

from conversations.debate import notepad, rows
from conversations.debate.models import Debate
from conversations.models import Conversation, Message
from platform_site import ledger
from tests.conversations.folding import check_folds


def patched(state: dict[str, Any], operations: list[dict[str, Any]]) -> dict[str, Any]:
    """JSON Patch as far as a notepad needs it: `add` and `replace`."""
    for one in operations:
        *steps, last = one["path"].split("/")[1:]
        holder: Any = state
        for step in steps:
            holder = holder[int(step)] if isinstance(holder, list) else holder[step]
        if isinstance(holder, dict):
            holder[last] = one["value"]
        elif last == "-":
            holder.append(one["value"])
        else:
            holder[int(last)] = one["value"]
    return state


def check(conversation: str) -> None:
    """Messages, calls, places in the debate, how it stands, and its notepad."""
    check_folds(conversation)
    state: dict[str, Any] = {}
    debates: dict[str, tuple[str, str]] = {}
    places: dict[str, tuple[str, str, int]] = {}
    for _seq, event in ledger.since(conversation, 0, 100_000):
        match event:
            case {"type": "STATE_SNAPSHOT", "snapshot": snapshot}:
                state = snapshot
            case {"type": "STATE_DELTA", "delta": delta}:
                state = patched(state, delta)
            case {"type": "CUSTOM", "name": "debate.started", "value": value}:
                debates[value["debate"]] = ("active", "")
            case {"type": "CUSTOM", "name": "debate.changed", "value": value}:
                debates[value["debate"]] = (value["status"], value["steer"])
            case {"type": "CUSTOM", "name": "debate.ended", "value": value}:
                debates[value["debate"]] = (value["status"], "")
            case {"type": "TEXT_MESSAGE_START", "messageId": id_, "metadata": {"debate": debate} as place}:
                places[id_] = (debate, place["speaker"], place["turn"])
            case _:
                pass
    assert debates == {row.pk: (row.status, row.steer) for row in Debate.objects.all()}
    stored = Message.objects.filter(conversation=conversation, role="assistant")
    told = {pk: rest for pk, *rest in stored.values_list("pk", "debate_id", "speaker", "turn")}
    writing = Conversation.objects.get(pk=conversation).runs.exclude(reply="").values_list("reply", flat=True)
    assert {pk: list(place) for pk, place in places.items() if pk not in writing} == told
    if debate := rows.shown(conversation):
        assert state["notepad"] == notepad.as_state(rows.notepad_of(debate.pk))
