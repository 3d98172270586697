"""The debating script: what the demo model says as a persona in a debate, and as who sums it up.

It recognises a debate by `Request.settings["debate"]` (see `conversations.debate.telling`). Pure, and the same for
the same question: a request in, a reply out.
"""

from __future__ import annotations

from agents.demo import debate_summary, debate_turns
from agents.demo.debate_scene import Scene
from agents.demo.script import Scripted
from agents.messages import Request


def play(request: Request) -> Scripted | None:
    """The next reply; None for what is no part of a debate."""
    told = request.settings.get("debate")
    if not told or "stage" not in told:
        return None
    scene = Scene(request)
    return debate_summary.play(scene) if told["stage"] == "summary" else debate_turns.play(scene)
