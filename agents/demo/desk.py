"""The desk script: reminders in natural words, the web with its sources, summaries, reports in the background.

What is about prices and charts alone it leaves to the market script. `desk_told` says what came of a call.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from agents.demo import desk_reading as reading
from agents.demo import desk_time, desk_told
from agents.demo.desk_scene import Scene
from agents.demo.desk_words import OPTIONS
from agents.demo.script import Scripted
from agents.demo.story import Story

TOOLS = frozenset(
    {"reminder_set", "reminder_list", "reminder_delete", "perplexity_search", "summary", "market_report"}
)


def play(story: Story) -> Scripted | None:
    """The next reply; None when the person wants something else, or no tool for it is offered."""
    scene = Scene(story)
    if story.ended:
        return desk_told.ended(scene, [one for one in story.ended if one.name in TOOLS])
    if story.speaks_last == "user":
        return _begin(scene)
    results = [one for one in story.newest if one.name in TOOLS]
    return desk_told.tell(scene, results[0]) if results else None


def _begin(scene: Scene) -> Scripted | None:
    text = scene.text
    wish = reading.intent_of(text)
    if answered := _answer(scene, wish):
        return answered
    if wish != "remind" and (task := _task(scene)):
        return task
    match wish:
        case "delete" | "list" if scene.has("reminder_list"):
            return scene.act("reminder_list", {}, "listing")
        case "remind" if scene.has("reminder_set"):
            return _remind(scene, text)
        case "report" if scene.has("market_report"):
            return _report(scene)
        case "summary" if scene.has("summary"):
            return scene.act("summary", _stretch(reading.stretch_in(text), scene.now), "summing")
        case "search" if scene.has("perplexity_search"):
            return _search(scene)
        case "help":
            return scene.tell("help", *OPTIONS)
    return None


def _remind(scene: Scene, text: str) -> Scripted:
    when = desk_time.find(text, scene.now)
    if when is None:
        return scene.tell("when" if scene.now else "no_clock", "s_tomorrow", "s_later", "s_weekly")
    content = reading.content_in(when.rest)
    return _set(scene, when, content, "tell") if content else scene.tell("what")


def _answer(scene: Scene, wish: reading.Intent | None) -> Scripted | None:
    """A time alone, after the question when; words, after the question what: with what was said before."""
    before = scene.story.said_before
    if scene.asked("when", "no_clock"):
        when = desk_time.find(scene.text, scene.now)
        content = reading.content_in(before)
    elif scene.asked("what") and wish is None and not scene.text.endswith(("?", "？")):
        when = desk_time.find(f"{before} {scene.text}", scene.now)
        content = reading.content_in(when.rest) if when else ""
    else:
        return None
    return _set(scene, when, content, "tell") if when and content else None


def _task(scene: Scene) -> Scripted | None:
    """Something the agent is to do by itself, later or again and again: "every Monday 9:00 summarise the week"."""
    if not (scene.has("reminder_set") and reading.DOES.search(scene.text)):
        return None
    when = desk_time.find(scene.text, scene.now)
    if when is None or not desk_time.is_ahead(scene.text) or (when.type == "once" and when.guessed):
        return None
    return _set(scene, when, reading.task_in(when.rest), "run")


def _set(scene: Scene, when: desk_time.When, content: str, action: str) -> Scripted:
    run = {"action": "run"} if action == "run" else {}
    return scene.act("reminder_set", {**when.arguments(), "content": content, **run}, "setting")


def _report(scene: Scene) -> Scripted:
    symbols = reading.symbols_in(scene.text) or list(reading.USUAL_SYMBOLS)
    return scene.act("market_report", {"symbols": symbols}, "reporting")


def _search(scene: Scene) -> Scripted:
    query = reading.query_in(scene.text)
    return (
        scene.act("perplexity_search", {"query": query}, "searching") if query else scene.tell("what_search")
    )


def _stretch(asked: reading.Stretch, now: datetime | None) -> dict[str, Any]:
    """The arguments of `summary`."""
    if asked.last:
        return {"last": asked.last}
    if asked.clock:
        return {"since": asked.clock}
    if now is None or (asked.days is None and not asked.week):
        return {}
    days = now.weekday() if asked.week else asked.days or 0
    return {"since": f"{now - timedelta(days=days):%Y-%m-%d} 00:00"}
