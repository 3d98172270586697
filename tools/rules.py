"""Content rules of a tool, in CEL: read arguments, reject them, tell something, or raise the risk. Never lower it.

A rule fires when its `when` holds (or is absent) and its `check` is false. A rule that cannot be evaluated counts
as fired: it rejects, or raises to its level (fail closed). CEL has no side effects and linear patterns; nested
comprehensions could still take days over a long list, so their cost is estimated before they run (`rule_cost`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import cel

from tools.kept import Kept
from tools.pipeline.phrase import OwnWords, Phrase, Text
from tools.pipeline.phrase import gettext_noop as _
from tools.pipeline.plain import plain_text
from tools.pipeline.rule_cost import MACRO, TEXT, Load, load_of, steps
from tools.schema_words import ArgumentError
from tools.spec import RiskLevel, Rule

VARIABLES = frozenset({"args", "call", "user", "now", "text"})
CALL_FIELDS = frozenset({"tool", "risk", "flags", "tainted"})
USER_FIELDS = frozenset({"id", "email", "name", "role"})
MAX_RULES = 50
LONGEST_RULE = 2_000
MAX_STEPS = 2_000_000
"""Of one rule; some 50 ms (tools.pipeline.rule_cost)."""
MAX_STEPS_OF_A_CALL = 4_000_000
"""Of all its rules; those it does not suffice for count as broken."""

_FUNCTIONS = frozenset(
    {
        "size", "matches", "contains", "startsWith", "endsWith", "int", "uint", "double", "string", "bytes",
        "timestamp", "duration", "dyn", "type", "getFullYear", "getMonth", "getDate", "getDayOfMonth",
        "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes", "getSeconds", "getMilliseconds",
    }
)  # fmt: skip
_UNREADABLE = re.compile(r"""(?i)(?<![\w'"])[rb]{1,2}['"]|\'{3}|"{3}""")
_MEMBER = re.compile(r"(?<![\w.])(args|call|user)\.([A-Za-z_]\w*)")

_SIZE = re.compile(rf"{TEXT.pattern}|(?<!\w)size(?=\s*\()")

_programs: Kept[Any] = Kept(2_000)


@dataclass(frozen=True, slots=True)
class Facts:
    """What rules may read beside the arguments."""

    tool: str
    risk: str
    now: datetime
    user: Mapping[str, str]
    flags: Sequence[str] = ()
    tainted: bool = False
    language: str = ""
    """Of the person who reads what a rule has to tell."""


@dataclass(slots=True)
class Findings:
    """What the rules of one call came to."""

    errors: list[ArgumentError] = field(default_factory=list)
    flags: list[dict[str, Any]] = field(default_factory=list)
    raised: list[tuple[RiskLevel, Text]] = field(default_factory=list)
    """Levels the call is raised to, each with the rule's reason."""


def apply(rules: Iterable[Rule], arguments: Mapping[str, Any], facts: Facts) -> Findings:
    """Evaluate every rule."""
    findings, rules = Findings(), list(rules)
    if not rules:
        return findings
    reading = _Reading(_context(rules, arguments, facts), load_of(arguments, facts.flags))
    for rule in rules:
        try:
            if _fires(rule, reading):
                _note(findings, rule, _in_own_words(rule, "message"), facts.language)
        except _CannotTell:
            words = _("{message} (This rule could not be evaluated, so it counts as broken.)")
            _note(findings, rule, Phrase(words, message=_in_own_words(rule, "message")), facts.language)
    return findings


def check_rule(rule: Rule, schema: Mapping[str, Any]) -> list[dict[str, Text]]:
    """What is wrong with a rule somebody wants to save, as [{path, message}] below the rule."""
    parts = [("check", rule.check)] + ([("when", rule.when)] if rule.when else [])
    return [
        {"path": f".{part}", "message": problem}
        for part, text in parts
        for problem in _problems(text, schema)
    ]


class _CannotTell(Exception):
    """The expression failed, or would cost too much."""


@dataclass(slots=True)
class _Reading:
    """What the rules of a call read, handed to the engine once, and what they may still cost."""

    context: cel.Context
    load: Load
    steps_left: float = MAX_STEPS_OF_A_CALL


def _context(rules: Sequence[Rule], arguments: Mapping[str, Any], facts: Facts) -> cel.Context:
    """The variables that rules may read."""
    call = {"tool": facts.tool, "risk": facts.risk, "flags": list(facts.flags), "tainted": facts.tainted}
    known = {"args": dict(arguments), "call": call, "user": dict(facts.user), "now": facts.now}
    if any("text" in rule.when + rule.check for rule in rules):
        known["text"] = plain_text(arguments)
    return cel.Context(known, {"length_of": _length_of})


def _fires(rule: Rule, reading: _Reading) -> bool:
    if rule.when and not _evaluate(rule.when, reading):
        return False
    return not _evaluate(rule.check, reading)


def _evaluate(text: str, reading: _Reading) -> bool:
    cost = steps(text, reading.load)
    if cost > min(MAX_STEPS, reading.steps_left):
        raise _CannotTell
    reading.steps_left -= cost
    try:
        program = _programs.get_or_make(text, lambda: cel.compile(_counting_characters(text)))
        verdict = program.execute(reading.context)
    except Exception as error:  # the engine raises whatever Python type fits: KeyError, TypeError, …
        raise _CannotTell from error
    if not isinstance(verdict, bool):
        raise _CannotTell
    return verdict


def _counting_characters(text: str) -> str:
    """The engine's own `size` counts the bytes of a text; CEL says characters, and so do people."""
    return _SIZE.sub(lambda found: found[0] if found[0][0] in "\"'" else "length_of", text)


def _length_of(value: Any) -> int | None:
    return len(value) if isinstance(value, str | bytes | list | dict) else None


def _note(findings: Findings, rule: Rule, reason: Text, language: str) -> None:
    match rule.severity:
        case "error":
            fix = _in_own_words(rule, "fix")
            findings.errors.append(ArgumentError(_place(rule), f"rule:{rule.name}", reason, fix=fix))
        case "warn":
            told = reason.for_language(language) if isinstance(reason, OwnWords) else str(reason)
            findings.flags.append({"name": f"rule:{rule.name}", "detail": told})
        case "confirm":
            findings.raised.append(("CONFIRM", reason))
        case "critical":
            findings.raised.append(("CRITICAL", reason))


def _place(rule: Rule) -> str:
    """The argument a rule is about, if it reads only one: the form shows the error beside it."""
    read = {name for of, name in _MEMBER.findall(TEXT.sub("''", rule.check)) if of == "args"}
    return f"$.{read.pop()}" if len(read) == 1 else "$"


def _in_own_words(rule: Rule, part: Literal["message", "fix"]) -> Text:
    """What the rule says, with its translations if it has any."""
    text = rule.message if part == "message" else rule.fix
    translated = {language: words.get(part, "") for language, words in rule.translations.items()}
    return OwnWords(text, translated) if any(translated.values()) else text


def _problems(text: str, schema: Mapping[str, Any]) -> list[Text]:
    if len(text) > LONGEST_RULE:
        return [Phrase(_("a rule has at most {most} characters"), most=LONGEST_RULE)]
    try:
        program = cel.compile(text)
    except ValueError as error:
        return [str(error).splitlines()[0][-300:]]
    bare = TEXT.sub("''", text)
    if _UNREADABLE.search(text) or "//" in bare:
        return [Phrase(_("raw texts (r'…'), triple quotes and comments are not supported"))]
    unknown = set(program.variables()) - VARIABLES - {found[2] for found in MACRO.finditer(bare)}
    problems: list[Text] = [
        Phrase(_("there is no variable {name}; there are args, call, user, now and text"), name=name)
        for name in sorted(unknown)
    ]
    strange = {name for name in program.functions() if name[0] not in "_@!-"} - _FUNCTIONS
    problems += [Phrase(_("there is no function {name}"), name=name) for name in sorted(strange)]
    return problems + _unknown_members(bare, schema)


def _unknown_members(bare: str, schema: Mapping[str, Any]) -> list[Text]:
    known = {"call": CALL_FIELDS, "user": USER_FIELDS}
    if schema.get("additionalProperties") is False and "properties" in schema:
        known["args"] = frozenset(schema["properties"])
    members = sorted(set(_MEMBER.findall(bare)))
    missing = (f"{of}.{name}" for of, name in members if of in known and name not in known[of])
    return [Phrase(_("there is no {name}"), name=name) for name in missing]
