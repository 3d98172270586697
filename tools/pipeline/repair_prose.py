"""What words around an object, or in a comment, may say against it. Pure.

'I must NOT call this: {…} because…', '{"amount": 5} should be 50', '{"price": 5 # 50': leaving such words out would
change what was meant, so the mend is contested. Markup that is known to hold arguments says nothing.
"""

from __future__ import annotations

import re

TAG = re.compile(
    r"</?\|?(?:arguments?|args|parameters?|params|input|json|tool|tool_?calls?|tool_?use|tool_?input|function"
    r"|function_?calls?|python_tag|im_end|eot_id|eom_id|endoftext)\|?>",
    re.IGNORECASE,
)
BLANK = re.compile("[\\s\ufeff\u200b-\u200d\u2060]+")
_DOUBT = re.compile(
    r"\b(?:not|never|no|nor|none|neither|cannot|cant|dont|wont|without|instead|unless|if|avoid|refus\w*|wrong|example"
    r"|would|e\.g)\b|n['’‘`]t\b|[不别別勿没沒未非无無禁莫]|如果|若|例如|比如|示例|[❌✗✘✖🚫⛔]",
    re.IGNORECASE,
)
_LEADS_TO_IT = frozenset(":：=(（>")
"""What may stand right before the object."""
_ENDS = frozenset(")）;；.。!！")
"""What may stand after it."""


def has_words(prose: str) -> bool:
    """Whether anything but blanks and known markup was left out."""
    return bool(_bare(prose))


def is_doubtful(before: str, after: str) -> bool:
    """Whether what stands around an object could mean that it is not what was wanted. Both as they stand beside it."""
    head, tail = TAG.sub(" ", before), TAG.sub(" ", after)
    abuts = head[-1:] and not BLANK.fullmatch(head[-1]) and head[-1] not in _LEADS_TO_IT
    return bool(abuts or _DOUBT.search(head) or set(_bare(tail)) - _ENDS)


def comment_is_doubtful(text: str, start: int, comment: str) -> bool:
    """Whether a comment could say another value: beside a value any word or number, on a line of its own a number or
    a no."""
    if not any(map(str.isalnum, comment)):
        return False
    place = start - 1
    while place >= 0 and text[place] in " \t":
        place -= 1
    stands_alone = place < 0 or text[place] in "\r\n{["
    return not stands_alone or any(map(str.isdecimal, comment)) or _DOUBT.search(comment) is not None


def _bare(prose: str) -> str:
    return BLANK.sub("", TAG.sub(" ", prose))
