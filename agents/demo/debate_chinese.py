"""Taking a Chinese question apart: what may be done, what may be chosen, what is claimed. Pure."""

from __future__ import annotations

import re
from typing import Literal

from agents.demo.debate_reading import Reading
from agents.demo.debate_words import apart

_LEAD = re.compile(
    r"^(?:请问|请|你们?(?:觉得|认为|怎么看)|大家(?:觉得|认为)|辩论(?:一下)?|讨论(?:一下)?|谈谈|说说|聊聊"
    r"|关于|话题|题目|问题|想问(?:一下)?|到底|究竟|那么?|[:：，,\s])+"
)
_TAIL = re.compile(r"(?:呢|啊|呀|吧|吗|嘛|么(?<!什么)(?<!怎么))+$")
_WE = r"(?:我们公司|我们团队|我们|咱们|我|你们|你|大家|人们?)?"
_MODAL = (
    r"(?:应不应该|该不该|应该不应该|是否应该|是不是应该|是不是该|要不要|是否要|需不需要|需要不需要"
    r"|值不值得|是否值得|有没有必要|是否有必要|能不能|可不可以|是否可以|应该|应当|必须|该|需要|值得"
    r"|有必要)"
)
_SHOULD = re.compile(rf"^(.{{0,24}}?){_MODAL}(.+)$")
_JUDGED = re.compile(
    r"^(.{1,40}?)(?:到底|究竟|真的|还)?(?:好不好|好吗|是好是坏|是好事(?:还是坏事)?|行不行|怎么样|如何"
    r"|值不值得?|值得吗?|值吗?|有没有必要|有必要吗?|有没有用|有用吗?|靠不靠谱|靠谱吗?|对不对|合不合理"
    r"|合理吗?|划不划算|划算吗?|可行吗?|利大于弊(?:还是弊大于利)?|被高估了?吗?)$"
)
_ORS = re.compile(r"[，,]?(?:还是|或者|或是|vs\.?|VS\.?|对比|抑或)\s*")
_WHICH = re.compile(
    r"^(.{1,24}?)(?:和|与|跟|、|或)(.{1,24}?)[，,]?\s*(?:到底|究竟)?(?:哪个|哪一个|哪种|哪样|谁|孰|选哪"
    r"|怎么选|该选|更好|二选一).*$"
)
_CHOICE_LEAD = re.compile(rf"^{_WE}(?:{_MODAL})?(?:到底|究竟)?(?:是|选择?|用)?(?=.)")
_OF = re.compile(rf"^(.{{2,10}}?){_MODAL}(?:吃|用|买|选|喝|学|放)?(.{{1,10}}的)$")
_IN_CONTEXT = re.compile(rf"^(?!{_WE}{_MODAL}).{{2,12}}?{_MODAL}(?:首先|先|优先)?(.+)$")
"""What stands before the first option is about both: “学编程应该先学 Python”, “Java”."""
_TAKING = re.compile(r"^(?:首先|先|优先)?(?:学习|学|使用|用|买|选择|选|吃|喝|读|看|住|养|放|去|做|找)(?=.)")
_CHOICE_TAIL = re.compile(r"(?:更好|比较好|更合适|更适合.*|好一?点?|更重要|更值得.*|合适)$")
_ASKS = re.compile(
    r"为什么|为何|怎么|怎样|如何|什么|哪|谁|几|多少|是否|是不是|会不会|有没有|能不能|吗$|[?？]"
)
_WHY = re.compile(r"为什么|为何|怎么|怎样|如何|什么|哪|谁")
_VERB = re.compile(r"是|会|能|比|使|让|导致|不|没|有|应|必|将|都|更|最|太|可以|等于|属于")
_CUT = re.compile(
    r"[的了是在和与跟吗呢吧都会能要把被让对为比更最不没有这那个张幅们我你他她它，。？！、“”\s]|什么|怎么"
    r"|为什么|哪里|应该|可以|还是|如果|因为|所以"
)
MOST_CHARACTERS = 20


def read(asked: str) -> Reading:
    """What the question asks for."""
    whole = asked.strip().rstrip("?？。.!！ ")
    text = _TAIL.sub("", _LEAD.sub("", whole)) or whole
    word = _word_of(text)
    if options := _options(text):
        return Reading("choose", options=options, word=word)
    if change := _change(text):
        return Reading("act", change=change, word=word)
    is_question = bool(_ASKS.search(text)) or asked.rstrip().endswith(("?", "？", "吗", "呢"))
    form: Literal["question", "claim"] = "question" if is_question else "claim"
    return Reading("examine", text=whole, form=form, word=word, asks_why=bool(_WHY.search(text)))


def _options(text: str) -> tuple[str, ...]:
    """The two or more things between which is chosen."""
    if len(text) > 60 or "利大于弊" in text or "好事还是坏事" in text:
        return ()
    if found := _WHICH.match(text):
        return (_own(_CHOICE_LEAD.sub("", found[1])), _own(found[2]))
    parts = [part.strip(" ，,。") for part in _ORS.split(text)]
    if len(parts) < 2 or not all(parts):
        return ()
    if (found := _OF.match(parts[0])) and all(part.endswith("的") for part in parts):
        parts = [f"{part}{found[1]}" for part in (found[2], *parts[1:])]
    parts = _without_context([_bare_option(part) for part in parts])
    return tuple(parts) if all(1 <= len(part) <= MOST_CHARACTERS for part in parts) else ()


def _without_context(parts: list[str]) -> list[str]:
    """The first option as short as the others: without what all have in common, and without a verb they lack."""
    found = _IN_CONTEXT.match(parts[0])
    if not found:
        return parts
    first = found[1].strip()
    taking = _TAKING.match(first)
    has_own_verbs = any(taking and part.startswith(taking[0]) for part in parts[1:])
    return [first if has_own_verbs else _TAKING.sub("", first).strip(), *parts[1:]]


def _bare_option(part: str) -> str:
    return _own(_CHOICE_LEAD.sub("", _CHOICE_TAIL.sub("", part)))


def _change(text: str) -> str:
    """What may be done or left."""
    if found := _JUDGED.match(text):
        return _quoted(_own(found[1].rstrip("，,是 ")))
    if (found := _SHOULD.match(text)) and not re.search(r"什么|怎么|哪|谁|为何|如何", text):
        who = re.sub(rf"^{_WE}$", "", found[1].strip("，, "))
        what = found[2].strip("，, ")
        wants = "要" if len(what) <= 2 and "要不要" in text else ""
        return _quoted(_own(who + wants + what))
    is_thing = (
        bool(re.search(r"\w", text)) and len(text) <= 12 and not _ASKS.search(text) and not _VERB.search(text)
    )
    return _quoted(_own(text)) if is_thing else ""


def _quoted(text: str) -> str:
    """A few characters stand for themselves; what is longer is kept together."""
    return text if len(text) <= 4 else f"“{text}”"


def _own(text: str) -> str:
    """As somebody else says it: my is your. Asian and Latin letters are kept apart."""
    return apart(re.sub(r"我(?!们)", "你", text.strip(" ，,“”")))


def _word_of(text: str) -> str:
    """The piece on which most depends: the longest without the small words, six characters at most."""
    pieces = [piece for piece in _CUT.split(text) if len(piece) > 1]
    return max(pieces, key=len, default=text)[:6]
