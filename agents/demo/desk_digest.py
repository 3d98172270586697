"""What the script answers when it is asked to summarise a conversation for people (`DIGEST`): a line for each message.

It understands nothing: it cuts what people said short, and counts what the tools did.
"""

from __future__ import annotations

import re
from collections import Counter

from agents.demo.language import Language, language_of

MOST_LINES = 12
LONGEST = 120
_FOR = re.compile(r"\AFor the person who wrote last: “(.{0,300}?)”\n", re.DOTALL)
_BEFORE = re.compile(r"^- .+", re.MULTILINE)
_SAID = re.compile(r"^\d\d:\d\d (.{1,80}?): (.+)", re.MULTILINE)
_USED = re.compile(
    r"^\d\d:\d\d The assistant used ([A-Za-z0-9_.-]{1,64}) with .{0,240}? \(succeeded\): ", re.MULTILINE
)
_OURS = "The assistant"
_WORDS: dict[Language, dict[str, str]] = {
    "en": {"person": "You", "used": "Tools used: {tools}", "head": "In short:", "between": ": "},
    "zh": {"person": "您", "used": "用过的工具：{tools}", "head": "要点：", "between": "："},
}


def answer(text: str, locale: str) -> str:
    """A list: what was summarised before, then what people said here, then which tools were used."""
    found = _FOR.match(text)
    language = language_of([found[1]] if found else [], locale)
    words = _WORDS[language]
    before, _, rest = text.rpartition("\n\nThen:\n")
    lines = _BEFORE.findall(before)
    lines += [_line(who, said, words) for who, said in _SAID.findall(rest) if not who.startswith(_OURS)]
    used = Counter(_USED.findall(rest))
    counted = ", ".join(f"{name} × {count}" for name, count in sorted(used.items()))
    tools = [f"- {words['used'].format(tools=counted)}"] if used else []
    return "\n".join([words["head"], *lines[-MOST_LINES:], *tools])


def _line(who: str, said: str, words: dict[str, str]) -> str:
    short = said if len(said) <= LONGEST else f"{said[:LONGEST].rstrip()}…"
    return f"- {words['person'] if who == 'The person' else who}{words['between']}{short}"
