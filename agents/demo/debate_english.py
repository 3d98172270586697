"""Taking an English question apart: what may be done, what may be chosen, what is claimed. Pure."""

from __future__ import annotations

import re
from functools import partial
from typing import Literal

from agents.demo.debate_gerund import gerund, is_verb
from agents.demo.debate_reading import Reading

_spots = partial(re.compile, flags=re.IGNORECASE)
_LEAD = _spots(
    r"^(?:(?:please|so|ok(?:ay)?|hi|hello|well|now|debate|discuss|topic|question)\b[\s,:;-]*|let(?:'"
    r"|’)?s (?:debate|discuss|talk about)\s+|(?:what do you (?:both )?think|what are your (?:thoughts"
    r"|opinions)|your (?:thoughts|opinions?)|tell me) (?:of|about|on)\s+|(?:i wonder|we wonder"
    r"|we are wondering|i am wondering|i(?:'|’)m wondering|whether|if)\s+(?=(?:if|whether|we|i|to)\b))+"
)
_WE = r"(?:we(?: all| both)?|i|you|one|they|he|she|people|everyone|everybody|our (?:team|company))"
_SHOULD = _spots(
    rf"^(?:(?:should|shall|must|ought) {_WE}|{_WE} (?:should|must|shall|ought to|need to|have to|want to"
    r"|could))\s+(?:(?:really|now|still|ever|always|just|finally|rather|probably|also|to)\s+)*(.+)$"
)
_SHOULD_THEY = _spots(r"^(?:should|must|shall)\s+(.+)$")
_THEY_SHOULD = _spots(r"^(.{2,60}?) (?:should|must|ought to)\s+(.+)$")
_WORTH = _spots(
    r"^(?:is|would) it(?: be)?(?: (?:a|the))? ?(?:still |really )?(?:good idea|bad idea|worth(?: it"
    r"| while|while)?|wise|right|better|ok|okay|sensible|smart|time|ethical|fair|reasonable|safe|good|bad"
    r"|wrong)(?: for (?:us|me|you|a \w+|\w+))?(?: to)?\s+(.+)$"
)
_NEED = _spots(r"^(?:do|does) (?:we|i|you|one|anybody|anyone)(?: really| still)? need (to )?(.+)$")
_JUDGED = _spots(
    r"^(?:is|are) (.+?) (?:(?:really|still|actually|a|an|the|so|too|just)\s+)*(?:(?:good|bad|great|wise"
    r"|smart|poor)(?: \w+)?|worth (?:it|the .+)|overrated|underrated|useful|useless|necessary|sensible"
    r"|mistake|waste of .+|better|ethical|right|wrong|fair|acceptable)(?: for .{2,40})?$"
)
_BETTER = _spots(
    r"^(?:is|are) (?!it (?:better|worse) to\b)(.+?) (?:really )?(?:better|worse|preferable)(?: \w+)? (?:than|to) (.+)$"
)
_CHOICE_LEAD = _spots(
    rf"^(?:(?:which|what)(?: one)?(?: is| are)?(?: \w+)? (?:better|best|preferable|worse)?[^,:?]{{0,30}}[,:?]\s*"
    rf"|(?:is it|would it be) (?:better|worse|wiser|best) to\s+|would {_WE} rather\s+"
    rf"|do {_WE} (?:prefer|want|choose)\s+|(?:should|shall) {_WE}\s+"
    r"|(?:is|are) (?=.{1,40} or )|(?:choose|pick|decide)(?: between)?\s+)"
)
_OR = _spots(r"\s*,?\s+(?:or(?: rather| else)?|vs\.?|versus)\s+")
_BETWEEN = _spots(r"^(?:.{0,40}\b)?between (.+) and (.+)$")
_TAKING = _spots(
    r"^(?:use|choose|pick|take|buy|get|have|adopt|prefer|learn|eat|drink|go with|go for|be for|support)\s+"
)
_CONTEXT = _spots(r"\s+(?:for|in|on|when|if|as|with|at|to|during)\s+.*$")
_ASKS = _spots(
    r"^(?:why|how|what|which|who|whom|whose|when|where|is|are|was|were|will|can|could|do|does|did|has"
    r"|have|had|would|may|might|am)(?:n(?:'|’)?t)?\b"
)
_WHY = _spots(r"^(?:why|how|what|which|who|whose|where|when)\b")
_IS = _spots(r"^(?:is|are|was|were|does|do|did)\b")
_STATES = _spots(
    r"\b(?:is|are|was|were|will|can(?:not)?|can't|has|have|had|does|do|did|makes?|causes?|leads?|needs?"
    r"|helps?|kills?|works?|means|isn't|aren't|won't|don't|doesn't|would|could|beats?|costs?|loves?"
    r"|hates?)\b"
)
_SWAP = {
    "i": "you",
    "my": "your",
    "me": "you",
    "mine": "yours",
    "myself": "yourself",
    "i'm": "you are",
    "am": "are",
}
_LITTLE_WORDS = """
    about above after again against because been before being below between both could does doing down
    during each from further have having here into itself just more most only other over same should some
    such than that their them then there these they this those through under until very what when where
    which while will with would your whether really actually question think wrong
    """
_LITTLE = frozenset(_LITTLE_WORDS.split())
MOST_WORDS = 9


def read(asked: str) -> Reading:
    """What the question asks for."""
    text = _LEAD.sub("", asked.strip()).rstrip(" ?.!") or asked
    text = re.sub(
        r"[,\s]+(?:or not|yes or no|right|correct|and why|why or why not)$", "", text, flags=re.IGNORECASE
    )
    word = _word_of(text)
    if options := _options(text):
        return Reading("choose", options=options, word=word)
    if change := _change(text):
        return Reading("act", change=change, word=word)
    is_question = bool(_ASKS.match(text)) or asked.rstrip().endswith("?")
    form: Literal["question", "claim"] = "question" if is_question else "claim"
    return Reading("examine", text=text, form=form, word=word, asks_why=bool(_WHY.match(text)))


def _options(text: str) -> tuple[str, ...]:
    """The two or more things between which is chosen."""
    if found := _BETTER.match(text) or _BETWEEN.match(text):
        return tuple(_own(_noun(part)) for part in found.groups())
    if len(text) > 140 or not _OR.search(text):
        return ()
    bare = _CHOICE_LEAD.sub("", text)
    first, *rest = _OR.split(bare)
    parts = [*first.split(", "), *rest] if len(rest) == 1 else [first, *rest]
    parts = [_CHOICE_LEAD.sub("", part).strip(" ,:") for part in parts]
    if not all(parts) or any(len(part.split()) > MOST_WORDS for part in parts) or _ASKS.match(parts[0]):
        return ()
    return tuple(_own(one) for one in _same_form(_without_capital(parts)))


def _without_capital(parts: list[str]) -> list[str]:
    """ "Cats vs dogs" are cats and dogs; "Rust vs Go" stay as they are."""
    others = "".join(parts[1:])
    return [parts[0].lower(), *parts[1:]] if others.islower() and parts[0].istitle() else parts


def _same_form(parts: list[str]) -> list[str]:
    """ "use tabs", "spaces" are tabs and spaces; "hire one", "two juniors" are hiring one and hiring two."""
    if any(part.startswith("to ") for part in parts):
        return [gerund(part.removeprefix("to ")) for part in parts]
    parts = [*parts[:-1], _CONTEXT.sub("", parts[-1]) if not is_verb(parts[-1]) else parts[-1]]
    if not is_verb(parts[0]):
        return parts
    if all(is_verb(part) for part in parts):
        return [gerund(part) for part in parts]
    if _TAKING.match(parts[0]):
        return [_TAKING.sub("", parts[0]), *parts[1:]]
    verb = parts[0].split()[0]
    return [gerund(parts[0]), *(gerund(f"{verb} {part}") for part in parts[1:])]


def _change(text: str) -> str:
    """What may be done or left, as a phrase that can follow "for"."""
    if found := _SHOULD.match(text):
        return gerund(_own(found[1]))
    if found := _WORTH.match(text):
        return gerund(_own(found[1]))
    if found := _NEED.match(text):
        return gerund(_own(found[2])) if found[1] else _own(found[2])
    if found := _SHOULD_THEY.match(text):
        return _by_ours(found[1]) or _having(found[1])
    if found := _JUDGED.match(text):
        return _own(_noun(found[1]))
    if (found := _THEY_SHOULD.match(text)) and not _ASKS.match(text):
        return _having(f"{_noun(found[1])} {found[2]}")
    return _bare(text)


def _by_ours(text: str) -> str:
    """ "our town ban cars from its centre" is banning cars from our town's centre; empty for somebody else."""
    found = re.match(r"^(our|my|your) (\w+) (.+)$", text, re.IGNORECASE)
    if not found or not is_verb(found[3]):
        return ""
    whose = _own(f"{found[1].lower()} {found[2]}'s")
    doing, count = re.subn(r"\b(?:its|their)\b", whose, gerund(_own(found[3])))
    return doing if count else ""


def _having(text: str) -> str:
    """ "schools ban phones" is having schools ban phones; "AI be regulated" is having AI regulated."""
    return f"having {re.sub(r' be ', ' ', _own(text), count=1)}"


def _bare(text: str) -> str:
    """A few words that are no sentence: a thing, or something to do."""
    count = len(text.split())
    is_sentence = _ASKS.match(text) or (count > 2 and _STATES.search(text))
    if count > MOST_WORDS or is_sentence or not re.search(r"[^\W\d_]", text):
        return ""
    return gerund(_own(text)) if is_verb(text) else _own(_noun(text))


def _noun(text: str) -> str:
    """In the middle of a sentence: without the capital of a beginning, which names keep."""
    first, _, rest = text.strip().partition(" ")
    is_name = not first[1:].islower() or (bool(rest) and rest[0].isupper())
    little = first.lower() in {
        "the",
        "a",
        "an",
        "my",
        "our",
        "this",
        "that",
        "it",
        "working",
        "having",
        "being",
    }
    lower = little or (not is_name and bool(rest)) or first.endswith("ing")
    return f"{first[0].lower()}{first[1:]} {rest}".strip() if first and lower else text.strip()


def _own(text: str) -> str:
    """As somebody else says it: my is your."""
    swapped = (_SWAP.get(word.lower(), word) for word in text.strip(" ,:;").split())
    return " ".join(swapped)


def _word_of(text: str) -> str:
    """The word on which most depends: what is said of something, or the longest that says something."""
    words = [word for word in re.findall(r"[A-Za-z][A-Za-z'’-]{2,24}", text) if word.lower() not in _LITTLE]
    if words and _IS.match(text):
        return words[-1]
    return max(words, key=len, default=text[:24])
