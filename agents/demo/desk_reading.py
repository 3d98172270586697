"""What the desk script understands, in both languages. Pure: text in, a wish or a part of one out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agents.demo.desk_time_words import number_of

Intent = Literal["delete", "list", "remind", "report", "summary", "search", "help"]
READ = 400
"""Characters looked at. More is no wish but a document."""


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        "delete",
        _re(
            r"\b(?:delete|cancel|remove|stop|drop|clear)\b.{0,40}\b(?:reminders?|reminding)\b|\bdon['’]?t remind me\b"
            r"|(?:删除|取消|删掉|去掉|停止).{0,20}提醒|提醒.{0,10}(?:删除|取消|删掉|去掉)|别(?:再)?提醒|不用(?:再)?提醒"
        ),
    ),
    (
        "list",
        _re(
            r"\b(?:list|show|which|what)\b.{0,20}\breminders\b|\bmy reminders\b"
            r"|(?:有哪些|哪些|列出|查看|看看|显示).{0,8}提醒|我的提醒|提醒(?:列表|有哪些)"
        ),
    ),
    ("remind", _re(r"\bremind(?:er)?\b|\bwake me\b|提醒|叫我|别忘了")),
    (
        "report",
        _re(
            r"\b(?:market )?reports?\b|\bcompare\b.{1,60}\bover (?:the|a|this|last) year\b|报告|研报|行情汇总"
            r"|(?:对比|比较).{1,20}(?:一年|全年)|(?:一年|全年).{1,20}(?:对比|比较)"
        ),
    ),
    (
        "summary",
        _re(
            r"\bsummar(?:y|ise|ize|ies)\b|\bsum(?:s|med)? (?:it |this |that )?up\b|\brecap\b"
            r"|\bwhat (?:did we talk about|have we talked about|was said|did i miss|happened here)\b"
            r"|总结|摘要|概括|回顾|聊了(?:什么|些什么)"
        ),
    ),
    (
        "search",
        _re(
            r"\bsearch\b|\bgoogle\b|\blook (?:it |this )?up (?:on|in) the (?:web|internet)\b"
            r"|\bon the (?:web|internet)\b|\bfind out\b|搜索|搜一?搜|搜一?下|上网查|网上查|查一?查资料|检索"
        ),
    ),
    (
        "help",
        _re(
            r"^\W{0,3}(?:hello|hi|hey|good (?:morning|afternoon|evening)|help)\b|\bwhat can (?:you|i)\b|\bwho are you\b"
            r"|你好|您好|帮助|(?:你)?能做(?:些)?什么|你是谁|会做什么"
        ),
    ),
)
DOES = _re(
    r"\b(?:summar(?:y|ise|ize)|sum up|recap|search|draw|chart|price|news|report|look up|write|tell me|check)\b"
    r"|总结|摘要|回顾|搜索|搜一?下|画|行情|新闻|资讯|报告|查|写"
)
"""What an agent can be asked to do by itself."""
_REMIND_NOISE = _re(
    r"^\W{0,5}(?:(?:please|and|then|so|ok(?:ay)?|could you|can you|would you|will you|i want you to"
    r"|i['’]d like you to)\s{1,3}){0,3}"
)
_LEAD = _re(
    r"\b(?:remind|wake) (?:me|us|everybody|everyone)(?: again)?(?: to| that| of| about)?\b"
    r"|\b(?:set|make|create|add|put) (?:me )?(?:an? |the )?(?:daily |weekly )?reminders?"
    r"(?: to| for| that| about| of)?\b"
    r"|(?:请|麻烦|帮我|帮忙|给我|记得|到时候?|设置?|创建|添加|加|定|一个|个|的){0,6}(?:提醒|叫)(?:我们|我|大家)?"
    r"(?:一下|一声)?(?:要|去)?"
)
_POLITE = _re(r"\b(?:please|thanks|thank you)\b|[请吧呢哦]$|^(?:请|麻烦|帮我|你)")
_EDGES = " \t\n.,;:!?，。；：！？、“”\"'’…-–"
_SEARCH_NOISE = _re(
    r"\b(?:please|could you|can you|would you|search(?: the (?:web|internet))?(?: for| about)?|google"
    r"|look (?:it |this )?up|(?:on|in) the (?:web|internet)|find out(?: about)?|for me)\b"
    r"|请|帮我|给我|在?网上|上网|搜索|搜一?搜|搜一?下|查一?查资料|检索|查一?下|一下|关于"
)
_LAST = _re(
    r"\b(?:last|past|latest|recent|newest|previous) (\d{1,3})\b|\b(\d{1,3}) (?:messages|lines)\b"
    r"|(\d{1,3}) ?条"
    r"|\b(?:last|past|latest|recent|newest|previous) (two|three|four|five|six|seven|eight|nine|ten)"
    r" (?:messages|lines)\b"
    r"|([一二两三四五六七八九十]{1,3}) ?条"
)
_WEEK = _re(r"\b(?:the|this|past|last) week\b|(?:本|这|这一|一|上)周|这个?星期")
_TODAY = _re(r"\btoday\b|今天|今日")
_YESTERDAY = _re(r"\bsince yesterday\b|昨天以来|从昨天")
_SINCE = _re(
    r"\bsince (?:at )?(\d{1,2})(?::(\d\d))? ?(am|pm|o['’]clock)?\b"
    r"|从?(\d{1,2}) ?(?:[:：](\d\d)|点)(?:以来|开始|起|之后|以后|到现在)"
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_NTH = _re(
    r"\b(?:number |no\.? ?|#)(\d{1,2})\b|第([一二三四五六七八九\d]{1,2})[个条]"
    r"|\b(first|second|third|fourth|fifth|sixth|last)\b|最后一[个条]"
)
_ID = _re(r"\b([0-9a-f]{6,32})\b")
_NOT_CONTENT = _re(
    r"\b(?:please|delete|cancel|remove|stop|drop|clear|reminders?|reminding me|remind|me|the|my|about|of|for|to"
    r"|don['’]?t|all)\b"
    r"|请|帮我|把|删除|取消|删掉|去掉|停止|提醒|我的?|那个|这个|的|不用|别|再|关于|了|全部|所有"
)
_DIGITS = "零一二三四五六七八九"
SYMBOLS: dict[str, str] = {
    "crude oil": "CL", "crude": "CL", "oil": "CL", "原油": "CL", "石油": "CL", "natural gas": "NG", "gas": "NG",
    "天然气": "NG", "gold": "GC", "黄金": "GC", "silver": "SI", "白银": "SI", "copper": "HG", "铜": "HG",
    "soybeans": "ZS", "soybean": "ZS", "大豆": "ZS", "corn": "ZC", "玉米": "ZC", "wheat": "ZW", "小麦": "ZW",
    "cotton": "CT", "棉花": "CT", "sugar": "SB", "白糖": "SB", "糖": "SB",
}  # fmt: skip
_SYMBOL = _re(r"\b(?:" + "|".join(sorted({*SYMBOLS.values()})) + r")\b")
USUAL_SYMBOLS = ("CL", "GC", "HG")
"""What a report is about when nobody says."""


def intent_of(text: str) -> Intent | None:
    return next((intent for intent, pattern in _INTENTS if pattern.search(text)), None)


def content_in(rest: str) -> str:
    """What to be reminded of: a sentence whose time is gone, without the words around it."""
    plain = _REMIND_NOISE.sub("", " ".join(rest.split()))
    plain = _POLITE.sub("", _LEAD.sub(" ", plain, count=1)).strip(_EDGES)
    plain = re.sub(
        r"^(?:to|that|of|about|for|and|在)\s", "", " ".join(plain.split()), flags=re.IGNORECASE
    ).strip(_EDGES)
    return plain[:1].upper() + plain[1:]


def task_in(rest: str) -> str:
    """What an agent is to do, in the person's words."""
    plain = _POLITE.sub("", " ".join(rest.split())).strip(_EDGES)
    return plain[:1].upper() + plain[1:]


def query_in(text: str) -> str:
    return " ".join(_SEARCH_NOISE.sub(" ", text).split()).strip(_EDGES)


def symbols_in(text: str) -> list[str]:
    """The futures that are named, in the order said, each once."""
    found = [(match.start(), match[0].upper()) for match in _SYMBOL.finditer(text)]
    lower = text.lower()
    for name, symbol in SYMBOLS.items():
        pattern = name if not name.isascii() else rf"\b{name}\b"
        found += [(match.start(), symbol) for match in re.finditer(pattern, lower)]
    return list(dict.fromkeys(symbol for _, symbol in sorted(found)))


@dataclass(frozen=True, slots=True)
class Stretch:
    """Which part of a conversation is to be summarised. `days`: from midnight so many days ago on; -1 for the week."""

    last: int | None = None
    clock: str = ""
    days: int | None = None
    week: bool = False


def stretch_in(text: str) -> Stretch:
    if found := _LAST.search(text):
        return Stretch(last=min(500, max(1, int(number_of(next(filter(None, found.groups())))))))
    if found := _SINCE.search(text):
        hour, minute = int(found[1] or found[4]), int(found[2] or found[5] or 0)
        hour += 12 if (found[3] or "").lower() == "pm" and hour < 12 else 0
        return Stretch(clock=f"{hour:02}:{minute:02}") if hour < 24 and minute < 60 else Stretch()
    if _WEEK.search(text):
        return Stretch(week=True)
    if _YESTERDAY.search(text):
        return Stretch(days=1)
    return Stretch(days=0) if _TODAY.search(text) else Stretch()


@dataclass(frozen=True, slots=True)
class Meant:
    """Which reminder somebody means: by its id, its place in the list (-1: the last), or words of it."""

    id: str = ""
    place: int | None = None
    words: str = ""


def meant_in(text: str) -> Meant:
    if found := _ID.search(text):
        return Meant(id=found[1])
    if found := _NTH.search(text):
        return Meant(place=_place(found))
    return Meant(words=" ".join(_NOT_CONTENT.sub(" ", text).split()).strip(_EDGES))


def _place(found: re.Match[str]) -> int:
    digits, han, word = found.groups()
    if digits or (han and han.isdecimal()):
        return int(digits or han)
    if han:
        return _DIGITS.index(han[-1])
    return _ORDINALS.index(word.lower()) + 1 if word and word.lower() in _ORDINALS else -1
