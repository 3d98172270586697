"""Calls a person spells out: `call <tool> {json}` or `调用 <tool> {json}`, one a line, passed on unchanged.

This is how tools, bad arguments and parallel calls are tried without a real model. Also `echo <text>` and
`count to N`. Several such lines are one reply with parallel calls; a line `then` (`然后`) begins the next reply, made
when the results of the one before are there: so a model that gets a call wrong again and again is tried, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from agents.demo.language import Language
from agents.demo.script import Scripted, ScriptedCall
from agents.demo.story import Result, Story

MOST_WORDS = 5000
_SHOWN = 300
_CALL = re.compile(
    r"\s{0,20}(?:call\s|调用)\s{0,20}([A-Za-z0-9_.-]{1,64})(?![A-Za-z0-9_.-])[ \t]?", re.IGNORECASE
)
_COUNT = re.compile(r"\s{0,20}(?:count to|数到)\s{0,5}(\d{1,9})\W{0,5}", re.IGNORECASE)
_THEN = re.compile(r"\n[ \t]*(?:then|然后)[ \t]*\n", re.IGNORECASE)
_WORDS: dict[str, dict[Language, str]] = {
    "done": {"en": "`{name}` answered: {content}", "zh": "`{name}` 返回：{content}"},
    "working": {
        "en": "`{name}` is at work in the background. I will tell you what comes of it.",
        "zh": "`{name}` 正在后台运行，有结果我会告诉你。",
    },
    "failed": {
        "en": "`{name}` did not succeed ({status}): {content}",
        "zh": "`{name}` 没有成功（{status}）：{content}",
    },
    "calling": {"en": "Calling {names}.", "zh": "正在调用 {names}。"},
}


def read(text: str, offered: Collection[str]) -> Scripted | None:
    """The reply an explicit instruction asks for, if `text` is one."""
    calls = calls_in(_THEN.split(text)[0], offered)
    if calls:
        language: Language = "zh" if "调用" in text else "en"
        names = ", ".join(f"`{asked.name}`" for asked in calls)
        return Scripted(_WORDS["calling"][language].format(names=names), calls)
    if text[:5].lower() == "echo ":
        return Scripted(text[5:])
    counted = _COUNT.fullmatch(text[:60])
    if counted:
        return Scripted(" ".join(map(str, range(1, min(int(counted[1]), MOST_WORDS) + 1))) or "0")
    return None


def calls_in(text: str, offered: Collection[str]) -> tuple[ScriptedCall, ...]:
    """The calls spelled out in `text`. Lines behind one belong to its arguments, so JSON may span several."""
    found: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        head = _CALL.match(line)
        if head and _meant(head[1], line[head.end() :], offered):
            found.append((head[1], [line[head.end() :]]))
        elif found:
            found[-1][1].append(line)
    return tuple(ScriptedCall(name, "\n".join(lines).rstrip() or "{}") for name, lines in found)


def go_on(story: Story, offered: Collection[str]) -> Scripted:
    """What follows on results: the next reply that was spelled out, or a report."""
    replies = _THEN.split(story.text)
    done = len(story.rounds)
    following = read(replies[done], offered) if done < len(replies) else None
    return following or report(story, story.newest)


def report(story: Story, results: tuple[Result, ...]) -> Scripted:
    """One short paragraph on what the calls gave."""
    return Scripted(" ".join(_told(result, story.language) for result in results))


def _told(result: Result, language: Language) -> str:
    content = result.content if len(result.content) <= _SHOWN else result.content[:_SHOWN] + "…"
    key = "working" if result.is_working else "done" if result.ok else "failed"
    return _WORDS[key][language].format(name=result.name, status=result.status, content=content)


def _meant(name: str, rest: str, offered: Collection[str]) -> bool:
    """Whether this is an instruction, not talk: "call me a taxi" is talk."""
    return (
        rest.lstrip()[:1] in ("{", "[")
        if rest.strip() and name not in offered
        else "_" in name or name in offered
    )
