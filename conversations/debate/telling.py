"""What a debate tells: its own CUSTOM events, what every message of it carries, and what a script is told of its place.

- CUSTOM `debate.started` `{debate, question, personas: [{slug, name, avatar, colour, model}], mode, rounds,
  most_rounds, budget}`, right after RUN_STARTED; `question` is a message id, `model` the slug of the first to answer.
  A STATE_DELTA with an empty notepad follows.
- CUSTOM `debate.changed` `{debate, status, round, steer}`: `status` active | paused | stopped, `steer` "" | pause |
  summarise (what was asked for and is done between two turns).
- CUSTOM `debate.ended` `{debate, status}`: done | stopped. A stopped one may go on: then `debate.changed` comes.
- TEXT_MESSAGE_START's `metadata` has besides: `debate`, `speaker` (slug; "" for the summary), `turn` (0 for the
  summary), `round`, `stage` ("turn" | "summary"). `message.user` of somebody who steps in has `debate`.
- STATE_DELTA: JSON Patch on `/notepad` of the shared state, which holds `suggestions` besides (see `notepad`).
"""

from __future__ import annotations

from typing import Any

from agents.debate import SUMMARY, Settings, Speak, Step, Summarise, round_of
from platform_site import wire
from platform_site.wire import Event


def started(debate: str, question: str, settings: Settings) -> Event:
    return wire.custom("debate.started", {"debate": debate, "question": question, **shown(settings)})


def changed(debate: str, status: str, turn: int, steer: str) -> Event:
    value = {"debate": debate, "status": status, "round": max(1, round_of(turn)), "steer": steer}
    return wire.custom("debate.changed", value)


def ended(debate: str, status: str) -> Event:
    return wire.custom("debate.ended", {"debate": debate, "status": status})


def shown(settings: Settings) -> dict[str, Any]:
    """The settings as people and programs may see them."""
    personas = [
        {
            "slug": one.slug, "name": one.name, "avatar": one.avatar, "colour": one.colour,
            "model": one.models[0]["slug"] if one.models else "",
        }
        for one in settings.personas
    ]  # fmt: skip
    return {
        "personas": personas, "mode": settings.mode, "rounds": settings.rounds,
        "most_rounds": settings.most_rounds, "budget": settings.budget,
    }  # fmt: skip


def of_message(debate: str, step: Step) -> dict[str, Any]:
    """What TEXT_MESSAGE_START says of a reply's place."""
    if isinstance(step, Speak):
        place = {"speaker": step.persona.slug, "turn": step.turn, "round": step.round, "stage": "turn"}
    else:
        place = {"speaker": "", "turn": SUMMARY, "round": 0, "stage": "summary"}
    return {"debate": debate, **place}


def of_request(
    settings: Settings, step: Speak | Summarise, question: str, notes: list[dict[str, Any]]
) -> dict[str, Any]:
    """`Request.settings["debate"]`: for scripts that play a model, and for a retry to know its place.

    Real providers are never sent it. `notes`: the notepad's entries `{n, kind, text, by, turn, struck, history}`.
    """
    common = {
        "rounds": settings.last_round, "mode": settings.mode, "question": question, "notepad": notes,
        "personas": [{"slug": one.slug, "name": one.name} for one in settings.personas],
    }  # fmt: skip
    if isinstance(step, Summarise):
        own = {
            "stage": "summary",
            "speaker": "",
            "name": settings.author.name,
            "opponent": "",
            "turn": 0,
            "round": 0,
        }
        return own | common
    opponent = settings.opponent(step.persona.slug)
    own = {
        "stage": "turn", "speaker": step.persona.slug, "name": step.persona.name, "opponent": opponent.name,
        "turn": step.turn, "round": step.round,
    }  # fmt: skip
    return own | common
