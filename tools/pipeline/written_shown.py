"""Whether a call that stands in a text is shown, quoted, told of or refused there, instead of made. Pure.

A page that a model read may hold a call, and the model may repeat it: to quote it must not put a question before a
person. So what comes before and behind decides, and what is in doubt is no call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.pipeline.written_places import Extents

LOOK = 300
"""Characters before and behind that are looked at."""
_NEGATED = r"\b(?:not|never|cannot|no longer|refuse|without)\b|n[\u2019']t\b|[不别勿莫]|没有|拒绝"
_NO = re.compile(_NEGATED, re.IGNORECASE)
_TOLD = re.compile(
    rf"{_NEGATED}|like this|\b(?:would|could|might|wrote|writes?|written|says?|said|contain\w*|shows?|repeat|quotes?|"
    r"template|sample|document\w*|shape|terminal|outputs?|results?|pages?|previous\w*|already|earlier|asked)\b"
    r"|这样|如下|方式|写着|写道|说|网页|结果|输出|模板|已经|文档",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"example|sample|usage|syntax|示例|例子|用法|语法", re.IGNORECASE)
_APART = re.compile(
    r"<(think|thinking|pre|code|details|blockquote)\b[^>]{0,200}>.*?(?:</\1>|\Z)|<!--.*?(?:-->|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_SPAN = re.compile(r"(?<!`)`(?!`)[^`]{1,4000}(?<!`)`(?!`)")
_HEADING = re.compile(r"^#{1,6} .*$|^\*\*.*\*\*$", re.MULTILINE)
_MARK = re.compile(r"(?:[|｜]>|[>\]])\s*\w*\s*$")
"""A model's own mark right before, with at most a word between (`<|channel|>commentary `)."""
_ENDS_A_SENTENCE = (".", "!", "?", ":", "。", "！", "？", "：", "…", ")", "）", "*")


@dataclass(frozen=True, slots=True)
class Places:
    """The parts of a text in which nothing is a call: thoughts, comments, code, what was preformatted."""

    text: str
    apart: Extents

    @classmethod
    def of(cls, text: str) -> Places:
        stretches = [found.span() for found in _APART.finditer(text)]
        return cls(text, Extents([*stretches, *(found.span() for found in _SPAN.finditer(text))]))

    def is_shown(self, start: int, end: int) -> bool:
        """Whether the call from `start` to `end` is only shown."""
        before = self.text[max(0, start - LOOK) : start]
        behind = self.text[end : end + LOOK]
        return (
            self.apart.meet(start, start + 1)
            or not _begins_where_a_call_may(before)
            or _is_told_of(before)
            or bool(_NO.search(_sentence(behind)))
            or _stands_under_an_example(before)
        )


def _begins_where_a_call_may(before: str) -> bool:
    """At the beginning of a line, hardly indented, or behind a whole sentence."""
    line = before.rsplit("\n", 1)[-1]
    if not line.strip():
        return len(line.expandtabs(4)) <= 3 and not _line_before(before).lstrip().startswith(">")
    ends = line.rstrip().endswith(_ENDS_A_SENTENCE) or _MARK.search(line) is not None
    return ends and not line.lstrip().startswith((">", "|"))


def _is_told_of(before: str) -> bool:
    """The line right before says that it is somebody's words, a form, a result, or what will not be done."""
    told = _line_before(before)
    announces = told.rstrip("*_` ").endswith((":", "："))
    return bool((_TOLD if announces else _NO).search(told))


def _line_before(before: str) -> str:
    """The last line before that says something."""
    return before.rstrip().rsplit("\n", 1)[-1]


def _sentence(behind: str) -> str:
    """What is said right behind, up to the end of its first line with words."""
    return behind.strip().split("\n", 1)[0]


def _stands_under_an_example(before: str) -> bool:
    headings = _HEADING.findall(before)
    return bool(headings) and bool(_EXAMPLE.search(headings[-1]))
