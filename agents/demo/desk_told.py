"""What the desk script says when a call of its tools has been answered, or a background one has ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agents.demo import desk_reading as reading
from agents.demo import desk_time
from agents.demo import desk_words as words
from agents.demo.desk_scene import Scene
from agents.demo.memory import things
from agents.demo.script import Scripted
from agents.demo.story import Result

MOST = 10
LONGEST = 2_000


def tell(scene: Scene, result: Result) -> Scripted:
    """What a tool answered, in words."""
    if result.is_working:
        return scene.tell("working")
    if result.waits:
        return scene.tell("waits")
    if result.status in ("denied", "withdrawn", "expired"):
        return scene.tell("not_done")
    if not result.ok:
        return scene.tell("failed", why=_why(result))
    match result.name:
        case "reminder_set":
            return _set(scene, result)
        case "reminder_list":
            return _listed(scene, result)
        case "reminder_delete":
            return _deleted(scene, result)
        case "perplexity_search":
            return _found(scene, result)
        case "summary":
            return _summed(scene, result)
        case _:
            return Scripted(_report(scene, result))


def ended(scene: Scene, results: Sequence[Result]) -> Scripted | None:
    """Background calls whose outcome arrived while nobody asked."""
    return Scripted("\n\n".join(_report(scene, one) for one in results)) if results else None


def _why(result: Result) -> str:
    return str(result.error.get("message") or result.content[:200])


def _set(scene: Scene, result: Result) -> Scripted:
    row = _row(result, "set")
    key = "set_run" if row.get("action") == "run" else "set_tell"
    lines = [scene.say(key, when=_when(scene, row), content=row.get("content", ""))]
    if row.get("next") and row.get("type") != "once":
        lines.append(scene.say("next", next=row["next"], zone=row.get("zone", "")))
    when = desk_time.find(scene.text, scene.now)
    if when and when.guessed:
        lines.append(scene.say("guessed", time=when.time[-5:]))
    return scene.reply(" ".join(lines), scene.say("s_list"))


def _row(result: Result, key: str) -> dict[str, Any]:
    """The reminder an answer is about; what it does not say, the arguments do."""
    told = result.data.get(key)
    return {**result.arguments, **(told if isinstance(told, dict) else {})}


def _when(scene: Scene, row: dict[str, Any]) -> str:
    kind = str(row.get("type", "once"))
    language = scene.story.language
    time = str(row.get("next") or row.get("time", "")) if kind == "once" else str(row.get("time", ""))
    day = words.weekday(row.get("weekday"), language)
    text = words.say(kind if kind in ("daily", "weekly") else "once", language, time=time, day=day)
    return text if language == "zh" else f"{text},"


def _listed(scene: Scene, result: Result) -> Scripted:
    """The list; or, if one is to be deleted, the call that does it."""
    rows = things(result.data.get("reminders"))
    if not rows:
        return scene.tell("none", "s_remind")
    if reading.intent_of(scene.text) == "delete":
        return _chosen(scene, rows)
    return scene.reply(_list(scene, rows), *_numbers(scene, rows[:1]))


def _chosen(scene: Scene, rows: list[dict[str, Any]]) -> Scripted:
    fitting = _fitting(rows, reading.meant_in(scene.text))
    if len(fitting) == 1:
        return scene.act("reminder_delete", {"reminder_id": str(fitting[0].get("id", ""))}, "deleting")
    question = scene.say("which" if fitting else "which_none")
    return scene.reply(f"{_list(scene, rows)}\n\n{question}", *_numbers(scene, rows))


def _fitting(rows: list[dict[str, Any]], meant: reading.Meant) -> list[dict[str, Any]]:
    """The reminders that may be meant; all of them where nothing was said of which."""
    if meant.id:
        return [
            row for row in rows if str(row.get("id", "")).startswith(meant.id[: len(str(row.get("id", "")))])
        ]
    if meant.place is not None:
        places = range(1, len(rows) + 1)
        return (
            [rows[meant.place if meant.place < 0 else meant.place - 1]] if abs(meant.place) in places else []
        )
    wanted = meant.words.lower()
    return [row for row in rows if wanted in str(row.get("content", "")).lower()] if wanted else rows


def _list(scene: Scene, rows: list[dict[str, Any]]) -> str:
    lines = [f"{n}. {_line(scene, row)}" for n, row in enumerate(rows[:MOST], 1)]
    return "\n\n".join([scene.say("list"), "\n".join(lines)])


def _line(scene: Scene, row: dict[str, Any]) -> str:
    known = {
        "by_itself": row.get("action") == "run", "paused": row.get("status") == "paused",
        "broken": bool(row.get("broken")),
    }  # fmt: skip
    marks = [scene.say(mark) for mark, is_so in known.items() if is_so]
    told = f" ({', '.join(marks)})" if marks else ""
    between = "：" if scene.story.language == "zh" else ": "
    return (
        f"{_when(scene, row).rstrip(', ')}{between}**{row.get('content', '')}**{told} `{row.get('id', '')}`"
    )


def _numbers(scene: Scene, rows: list[dict[str, Any]]) -> list[str]:
    return [scene.say("s_nth", n=n) for n in range(1, min(len(rows), 4) + 1)]


def _deleted(scene: Scene, result: Result) -> Scripted:
    row = _row(result, "deleted")
    return scene.tell(
        "deleted", "s_list", content=row.get("content") or row.get("id") or row.get("reminder_id", "")
    )


def _found(scene: Scene, result: Result) -> Scripted:
    text = str(result.data.get("answer") or "")[:LONGEST]
    return Scripted(f"{text}\n\n{scene.say('sample')}" if result.data.get("sample") else text)


def _summed(scene: Scene, result: Result) -> Scripted:
    told = result.data
    if not told.get("messages"):
        return scene.tell("nothing")
    span = scene.say("span", count=told["messages"], start=told.get("from", ""), end=told.get("to", ""))
    return Scripted(f"{told.get('summary', '')}\n\n{span}")


def _report(scene: Scene, result: Result) -> str:
    """How a report ended: its words, or why there are none."""
    if result.status == "unknown":
        return scene.say("report_unknown")
    if not result.ok:
        cancelled = result.error.get("code") == "cancelled"
        return scene.say("report_cancelled") if cancelled else scene.say("report_failed", why=_why(result))
    rows = things(result.data.get("futures"))
    sample = [scene.say("sample")] if any(row.get("sample") for row in rows) else []
    missing = [str(one.get("symbol", "")) for one in things(result.data.get("not_found"))]
    lacks = [scene.say("report_lacks", names=", ".join(missing))] if missing else []
    return "\n\n".join([scene.say("report"), _table(scene, rows), *lacks, *sample])


def _table(scene: Scene, rows: list[dict[str, Any]]) -> str:
    """A year of several futures side by side."""
    head = scene.say("report_head")
    lines = [_table_row(scene, row) for row in rows[:MOST]]
    return "\n".join([head, re.sub(r"[^|]+", " --- ", head), *lines])


def _table_row(scene: Scene, row: dict[str, Any]) -> str:
    name = (
        (row.get("name_zh") if scene.story.language == "zh" else "") or row.get("name") or row.get("symbol")
    )
    cells = [
        f"{name} ({row.get('symbol')})",
        f"{_number(row, 'change_percent'):+.1f} %",
        f"{_number(row, 'lowest', 'price'):,}",
        f"{_number(row, 'highest', 'price'):,}",
        f"{_number(row, 'volatility_percent'):.0f} %",
    ]
    return f"| {' | '.join(cells)} |"


def _number(told: Any, *path: str) -> float:
    """What stands there, if it is a number."""
    for key in path:
        told = told.get(key) if isinstance(told, dict) else None
    return told if isinstance(told, int | float) else 0.0
