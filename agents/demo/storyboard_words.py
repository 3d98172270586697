"""What the storyteller says and understands, in both languages, and what it reads out of a tool's answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from agents.demo.language import Language
from agents.demo.story import Result

Intent = Literal["write", "extract", "structure", "hello", "unknown"]
_SCENARIOS: dict[str, Intent] = {
    "write-chapter": "write",
    "extract-facts": "extract",
    "update-structure": "structure",
}
_INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    ("extract", re.compile(r"\b(extract|facts|collect)\b|提炼|提取|整理", re.IGNORECASE)),
    (
        "structure",
        re.compile(
            r"\b(structure|beats?|blueprint|climax|hook|resolution)\b|结构|蓝图|高潮|开端|结局", re.IGNORECASE
        ),
    ),
    ("write", re.compile(r"\b(write|chapter|next|continue|go on)\b|写|章|继续|下一", re.IGNORECASE)),
    (
        "hello",
        re.compile(r"\b(hello|hi|hey|help|who|what can)\b|你好|您好|帮助|你是谁|能做什么", re.IGNORECASE),
    ),
)
_NUMBER = re.compile(
    r"(?:chapter|ch\.?)\s{0,3}(\d{1,4})|第\s{0,3}(\d{1,4}|[一二三四五六七八九十]{1,3})\s{0,3}章",
    re.IGNORECASE,
)
_WORD_NUMBER = re.compile(r"\b(first|second|third|fourth|fifth)\s+chapter", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_DIGITS = "零一二三四五六七八九"
_BEATS: dict[str, str] = {
    "incitingIncident": r"inciting ?incident|incitingIncident|激励事件|触发事件",
    "risingAction": r"rising ?action|上升情节|发展",
    "fallingAction": r"falling ?action|下降情节|回落",
    "resolution": r"resolution|结局",
    "climax": r"climax|高潮",
    "hook": r"hook|开端|钩子",
}
_MOST_TOLD = 300
PHRASES: dict[str, tuple[str, str]] = {
    "hello": (
        "Hello! I am a scripted demo of a storyteller: I know one little tale and keep its storyboard with real tools. "
        "Shall I write a chapter?",
        "您好！我是说书人的脚本演示：我只会讲一个小故事，但会用真正的工具维护它的故事板。要我写一章吗？",
    ),
    "unknown": (
        "Sorry, I did not understand that. I am a scripted demo and can write a chapter, extract facts, or update the "
        "structure of my little tale.",
        "抱歉，我没听懂。我是脚本演示，可以写一章、提炼信息，或者更新小故事的结构。",
    ),
    "anything_else": ("What shall we do next?", "接下来做什么呢？"),
    "cannot": (
        "I cannot do that here: I was not given the tool for it.",
        "这里我做不到：没有给我相应的工具。",
    ),
    "bad_title": ("Chapter {number}", "第{numeral}章"),
    "writing": ("I have written chapter {number}; let me save it.", "第 {number} 章写好了，我来保存。"),
    "better_title": (
        "That title was only a number. A title should say what the chapter is about: “{title}”.",
        "刚才的标题只是章节号。标题应当说出这一章讲什么：《{title}》。",
    ),
    "saved": ("“{title}” is saved.", "《{title}》已保存。"),
    "warned": ("The check after saving noticed:\n\n{list}", "保存后的检查发现：\n\n{list}"),
    "adding": ("Now I add who and what is new in it.", "现在把其中的人物和设定加进故事板。"),
    "looking_again": (
        "Let me make sure that everybody who is mentioned is listed.",
        "再确认一下，提到的人物是否都已登记。",
    ),
    "added": ("Added: {count}.", "已添加 {count} 项。"),
    "was_there": (
        "Already there, so I left it as it is: {names}.",
        "故事板里已经有了，所以没有重复添加：{names}。",
    ),
    "comma": (", ", "、"),
    "read": ("[Read the story]({url})", "[阅读故事]({url})"),
    "extracting": (
        "As a scripted demo I take the facts out of my own little tale.",
        "我是脚本演示，这里从我自己的小故事中提炼信息。",
    ),
    "structuring": ("I put the structure down, beat by beat.", "我来逐项写下故事结构。"),
    "not_saved": ("All right, I did not save it.", "好的，没有保存。"),
    "failed": ("That did not work: {why}", "没有成功：{why}"),
    "s_write": ("Write the first chapter", "写第一章"),
    "s_next": ("Write the next chapter", "写下一章"),
    "s_extract": ("Extract the facts", "提炼信息"),
    "s_structure": ("Update the structure", "更新故事结构"),
}


def say(key: str, language: Language, **values: object) -> str:
    return PHRASES[key][language == "zh"].format(**values)


def intent_of(text: str, scenario: str) -> Intent:
    """What is wanted: as the words say, else as the chosen scenario is meant."""
    short = text[:2000]
    said: Intent = next((intent for intent, pattern in _INTENTS if pattern.search(short)), "unknown")
    return _SCENARIOS.get(scenario, said) if said in ("unknown", "hello") else said


def number_in(text: str) -> int:
    """The chapter number that is named; 0 when none is."""
    if found := _WORD_NUMBER.search(text[:2000]):
        return _ORDINALS.index(found[1].lower()) + 1
    found = _NUMBER.search(text[:2000])
    if found is None:
        return 0
    said = found[1] or found[2]
    return int(said) if said.isdecimal() else _from_numeral(said)


def numeral(number: int) -> str:
    """A number up to 99 as Chinese writes it in a chapter's title."""
    if number > 99:
        return str(number)
    tens, ones = divmod(number, 10)
    return ("" if tens < 2 else _DIGITS[tens]) + ("十" if tens else "") + (_DIGITS[ones] if ones else "")


def _from_numeral(said: str) -> int:
    tens, ten, ones = said.rpartition("十")
    value = _DIGITS.find(ones) if ones else 0
    return value + 10 * (_DIGITS.find(tens) if tens else 1) if ten else value


def beat_in(text: str) -> dict[str, str]:
    """A beat that is spelled out, "climax: Mara puts out the lamp"; empty when there is none."""
    head, colon, content = text[:2000].replace("：", ":").partition(":")
    beat = next((name for name, words in _BEATS.items() if re.search(words, head, re.IGNORECASE)), "")
    return {beat: content.strip()} if beat and colon and content.strip() else {}


def is_about_title(result: Result) -> bool:
    """Whether the title is among what was wrong."""
    return "title" in str(result.data.get("errors", "")).lower()


def is_duplicate(result: Result) -> bool:
    return result.error.get("code") == "duplicate"


def why(result: Result) -> str:
    """Why a call came to nothing, in the words of the answer."""
    errors = result.data.get("errors")
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], dict) else {}
    told = first.get("problem") or result.error.get("message") or result.content
    return str(told)[:_MOST_TOLD]


def saved_chapter(result: Result) -> int:
    """The number of the chapter that was saved; 0 when the answer does not say so."""
    saved = result.data.get("saved")
    number = saved.get("chapter") if isinstance(saved, dict) else None
    return number if isinstance(number, int) else 0


def warnings_of(result: Result) -> list[str]:
    found = result.data.get("warnings")
    return [str(one) for one in found] if isinstance(found, list) else []


def listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
