"""Calls in Python's form, `name(arg=1, other="x")`: keyword arguments that are literals, made into JSON. Pure.

Nothing is evaluated: the text is parsed, and anything that is not a plain literal is no call.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable

LONGEST = 8 * 1024
_NO_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = frozenset("\n\\'\"abfnrtvxuUN0")
_TOO_DEEP = re.compile(r"(?:[-+~(\[{]\s*|not\s+){32}")
_RAW_TEXT = re.compile(r"(?<![\w\"'])[rR][\"']")
_WORDS = {"true": "true", "false": "false", "null": "null"}
_MODULES = frozenset({"default_api", "functions", "tools", "api"})
"""What models write before a tool's name, after what their makers trained them on."""

Pairs = Iterable[tuple[str, str]]


class _NotLiteral(ValueError):
    """A name, an operation, a call inside: not to be guessed at."""


def arguments(inside: str) -> str | None:
    """The arguments between the brackets of a call as JSON text; None if they are not keyword literals."""
    tree = _parsed(f"f({inside})")
    return _arguments(tree) if isinstance(tree, ast.Call) else None


def calls(expression: str) -> list[tuple[str, str]]:
    """The calls an expression consists of: one, a list of them, or one in `print(…)`. Name and JSON arguments."""
    tree = _parsed(expression)
    nodes = tree.elts if isinstance(tree, ast.List) else [tree]
    found = [_call(_unprinted(node)) for node in nodes]
    return [one for one in found if one] if all(found) else []


def object_text(pairs: Pairs) -> str:
    """A JSON object as text; a name given twice stays twice, so that the pipeline refuses it."""
    return "{" + ", ".join(f"{_dumped(name)}: {value}" for name, value in pairs) + "}"


def _parsed(expression: str) -> ast.expr | None:
    if len(expression) > LONGEST or _TOO_DEEP.search(expression) or _RAW_TEXT.search(expression):
        return None
    try:
        return ast.parse(_NO_ESCAPE.sub(_as_python_reads_it, expression.strip()), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _as_python_reads_it(escape: re.Match[str]) -> str:
    """A backslash before a letter that is no escape is a backslash: Python reads it so, but complains."""
    return escape.group() if escape.group(1) in _ESCAPES else "\\" + escape.group()


def _unprinted(node: ast.expr | None) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Name(id="print"), args=[ast.Call() as inner], keywords=[]):
            return inner
    return node


def _call(node: ast.expr | None) -> tuple[str, str] | None:
    if not isinstance(node, ast.Call):
        return None
    name, given = _name(node.func), _arguments(node)
    return (name, given) if name and given is not None else None


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _MODULES:
            return name
        case ast.Attribute(value=ast.Name(id=name), attr="call"):
            return name
    return ""


def _arguments(node: ast.Call) -> str | None:
    try:
        match node:
            case ast.Call(args=[ast.Dict() as only], keywords=[]):
                return _literal(only)
            case ast.Call(args=[]):
                return object_text((_given_name(word), _literal(word.value)) for word in node.keywords)
    except (_NotLiteral, RecursionError, ValueError):
        return None
    return None


def _given_name(word: ast.keyword) -> str:
    if word.arg is None:
        raise _NotLiteral
    return word.arg


def _literal(node: ast.expr | None) -> str:
    """A literal as JSON text."""
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return _dumped(value)
        case ast.Name(id=word) if word in _WORDS:
            return _WORDS[word]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return _dumped(-number)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return "[" + ", ".join(map(_literal, items)) + "]"
        case ast.Dict(keys=keys, values=values):
            return object_text((_text(key), _literal(value)) for key, value in zip(keys, values, strict=True))
    raise _NotLiteral


def _text(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise _NotLiteral


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
