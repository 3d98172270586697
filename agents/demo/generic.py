"""The script for an agent without the mall's tools: says what it is, what tools there are, and how to call one."""

from __future__ import annotations

from agents.demo.language import Language
from agents.demo.script import Scripted, call
from agents.demo.story import SUGGEST, Story
from tools.spec import ToolSpec

_MOST_LISTED = 20
_WORDS: dict[str, dict[Language, str]] = {
    "intro": {
        "en": "I am the scripted demo model: a small program, not a real language model.",
        "zh": "我是脚本演示模型：一个小程序，并不是真正的语言模型。",
    },
    "tools": {
        "en": "These tools are here:\n\n{list}\n\nCall one with `call <tool> {{json}}`.",
        "zh": "这里有这些工具：\n\n{list}\n\n用 `调用 <工具> {{json}}` 来调用。",
    },
    "none": {
        "en": "There are no tools here. Try `echo <text>` or `count to 20`.",
        "zh": "这里没有工具。可以试试 `echo 文字` 或 `数到 20`。",
    },
}


def play(story: Story) -> Scripted:
    """What can be said without understanding anything."""
    language = story.language
    tools = [spec for spec in story.request.tools if spec.name != SUGGEST]
    if not tools:
        return Scripted(f"{_WORDS['intro'][language]} {_WORDS['none'][language]}")
    listed = "\n".join(f"- `{spec.name}`: {_first_line(spec)}" for spec in tools[:_MOST_LISTED])
    text = f"{_WORDS['intro'][language]} {_WORDS['tools'][language].format(list=listed)}"
    if len(tools) == len(story.request.tools):
        return Scripted(text)
    word = "调用" if language == "zh" else "call"
    return Scripted(text, (call(SUGGEST, {"options": [f"{word} {spec.name} {{}}" for spec in tools[:3]]}),))


def _first_line(spec: ToolSpec) -> str:
    return spec.description.strip().split("\n")[0][:160]
