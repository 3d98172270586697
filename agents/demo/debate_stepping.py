"""What a person means who steps in: the point in a few words, and the kind of reason it is. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.demo.debate_domains import spotting
from agents.demo.debate_topic import shortened
from agents.demo.debate_words import at
from agents.demo.language import Language

_BEFORE = re.compile(
    r"^(?:(?:please|also|and|but|so|ok(?:ay)?|hey|hm+|maybe|both of you|forgot|forget|you (?:forgot"
    r"|forget|ignore|missed|should|must|need to)(?: about)?|can you|could you|would you|what about"
    r"|how about|consider|think (?:of|about)|(?:don(?:'|’)t|do not|never) forget(?: about)?|remember|mind"
    r"|take into account|keep in mind|look (?:at|into)|talk about|address|discuss|include|mention"
    r"|focus on|take up|to consider|about)[\s,:]+)+",
    re.IGNORECASE,
)
_AFTER = re.compile(r"[\s,]+(?:too|as well|also|please|into account|thanks|thank you)$", re.IGNORECASE)
_ZH_BEFORE = re.compile(
    r"^(?:请|也|还|再|麻烦|你们|能不能|可以|要|得|应该|考虑(?:一下|到|进去)?|想想|想一想|别忘了?"
    r"|不要忘了?|说说|谈谈|看看|讲讲|聊聊|注意|那么?|但是?|可是|不过|另外|顺便|把|关于|[，,：:\s])+"
)
_ZH_AFTER = re.compile(r"(?:怎么样|怎么办|也?考虑进去|算进去|呢|吧|啊|一下|也|[。！？?!\s])+$")
_CALL = re.compile(r"^[ \t]{0,20}(?:call\s|调用).*$", re.IGNORECASE | re.MULTILINE | re.DOTALL)
FEW_WORDS = 5
MOST_READ = 600


@dataclass(frozen=True, slots=True)
class Point:
    """`named`: as it can stand in a sentence. `kind`: one of the kinds of reasons, or `other`."""

    named: str
    kind: str


def point_of(text: str, language: Language) -> Point | None:
    """What somebody brings in; None when they say nothing but what the demo is told to do."""
    plain = " ".join(_CALL.sub("", text[:MOST_READ]).split()).rstrip("。.!！?？ ")
    if not re.search(r"\w", plain):
        return None
    words = at(language, "stepping.words")
    kind = next((kind for kind in words if spotting(words[kind], language).search(plain)), "other")
    if language == "zh":
        bare = _ZH_AFTER.sub("", _ZH_BEFORE.sub("", plain)) or plain
        return Point(f"“{shortened(bare, language)}”", kind)
    bare = _AFTER.sub("", _BEFORE.sub("", plain)) or plain
    own = re.sub(r"\b[Mm]y\b", "your", bare)
    return Point(own if len(own.split()) <= FEW_WORDS else f"“{shortened(bare, language)}”", kind)
