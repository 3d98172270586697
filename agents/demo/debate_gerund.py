"""English verbs as names of doing: "rewrite it" is "rewriting it". Pure."""

from __future__ import annotations

import re

_VERBS_WORDS = """
    abolish accept add adopt allow apply ask automate avoid ban be become begin believe bet block book
    borrow break bring build buy call cancel change charge choose close collect come commute compete cook
    cover create cut cycle deal debate declare decide delay delete deploy develop die do double draw drink
    drive drop eat enable end enter exercise expand explain fast find fire fix fly follow forbid force
    forgive fund get give go grow hand have help hire hold ignore implement import improve increase
    introduce invest join keep kill launch lead learn leave legalise legalize lend let lie limit listen live
    lose lower make marry measure merge migrate move nationalise open outsource own pay permit pick plan
    plant play postpone prefer prevent privatise promote protect publish punish pursue put quit raise read
    rebuild reduce refactor regulate reject release remove rename rent replace require restrict retire
    return rewrite ride run save say scrap search sell send share ship shut skip sleep speak spend split
    sponsor standardise start stay stop study subsidise support switch take talk tax teach tell test tip
    trade train travel trust try turn upgrade use vaccinate visit vote wait walk watch wear work write
    """
_VERBS = frozenset(_VERBS_WORDS.split())
_DOUBLED_WORDS = """get put quit run stop cut let shut plan ban begin bet drop hit ship skip split
swim scrap step tip trim"""
_DOUBLED = frozenset(_DOUBLED_WORDS.split())
_AWAY = re.compile(r"^(?:really|now|still|ever|always|just|finally|rather|also|to)\s+", re.IGNORECASE)
_HYPHENS = re.compile(r"^((?:re|co|over|under|out)-)(\w+)(.*)$", re.IGNORECASE)


def is_verb(text: str) -> bool:
    """Whether a phrase begins with a verb in its plain form."""
    first, _, rest = text.strip().partition(" ")
    known = first.lower() in _VERBS
    return known and not (first.lower() in {"work", "school", "tax", "test", "share", "market"} and not rest)


def gerund(phrase: str) -> str:
    """ "not eat meat" is "not eating meat"; what begins with no verb stays as it is."""
    phrase = _AWAY.sub("", phrase.strip())
    if phrase.lower().startswith(("not ", "never ")):
        word, _, rest = phrase.partition(" ")
        return f"{word.lower()} {gerund(rest)}"
    first, space, rest = phrase.partition(" ")
    if found := _HYPHENS.match(first):
        return f"{found[1]}{_ing(found[2])}{space}{_second(rest)}"
    if first.lower().endswith("ing") and first.lower() not in ("bring", "sing", "ring"):
        return first[0].lower() + first[1:] + space + rest
    return f"{_ing(first.lower())}{space}{_second(rest)}" if first.isalpha() else phrase


def _second(rest: str) -> str:
    """ "buy and sell", "rewrite or patch": the second verb, too."""
    found = re.match(r"^(and|or) (\w+)(.*)$", rest)
    return f"{found[1]} {_ing(found[2])}{found[3]}" if found and found[2] in _VERBS else rest


def _ing(verb: str) -> str:
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{verb}ing"
