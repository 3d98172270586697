"""Calls between the marks that models were trained to write, one reader a style. Pure.

Hermes and Qwen `<tool_call>`, GLM `<arg_key>`, Mistral `[TOOL_CALLS]`, Llama `<function=…>` and `<|python_tag|>`, Qwen
Coder `<parameter=…>`, MiniMax `<invoke>`, DeepSeek and Kimi `<|tool_call_begin|>`, gpt-oss `to=functions.…`, ReAct.
Values given between marks are texts; the pipeline coerces them to what the schema asks for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tools.pipeline import written_python, written_shapes
from tools.pipeline.written_scan import Reader
from tools.pipeline.written_shapes import Said

_NAME = r"(?:functions\.)?([A-Za-z_][\w.-]{0,99})"
_FENCE = r"(?:```\w{0,20}[ \t]*\n\s*)?"
_BEHIND = re.compile(r"\s*(?:```\s*)?</\|?(?:tool_calls?|function_call|tool_use|tools|function)\|?>")
_IN_TAG = re.compile(r"\s*" + _FENCE)
_GLM_NAME = re.compile(rf"\s*{_NAME}\s*(?=<arg_key>|</tool_call>)")
_MISTRAL_NAME = re.compile(rf"\s*{_NAME}(?:\[CALL_ID\][\w-]{{0,64}})?\s*(?:\[ARGS\])?\s*(?=\{{)")
_PYTHON_CALL = re.compile(r"[A-Za-z_][\w.]{0,99}(?=\()")


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a style's call stands, and what it says."""

    start: int
    end: int
    style: str
    said: tuple[Said, ...]


Read = Callable[[Reader, re.Match[str]], "tuple[int, list[Said]] | None"]


def find(reader: Reader) -> list[Hit]:
    """The calls between marks, in the order of the text."""
    found = [hit for style in _STYLES for hit in _of_style(reader, style)]
    return sorted(found, key=lambda hit: hit.start)


def _of_style(reader: Reader, style: _Style) -> Iterator[Hit]:
    behind = 0
    for opened in style.opener.finditer(reader.text):
        if opened.start() >= behind and reader.spend(4) and (read := style.read(reader, opened)) and read[1]:
            behind = read[0]
            yield Hit(opened.start(), behind, style.name, tuple(read[1]))


def _in_tag(reader: Reader, opened: re.Match[str]) -> tuple[int, list[Said]] | None:
    """`<tool_call>`: JSON, one or several; a name with `<arg_key>` pairs; or Python's form."""
    if named := _GLM_NAME.match(reader.text, opened.end()):
        return _with_pairs(reader, named.group(1), named.end(), _GLM_PAIR, "</tool_call>")
    at, found = _IN_TAG.match(reader.text, opened.end()).end(), list[Said]()  # type: ignore[union-attr]
    while (read := _json_or_python(reader, at)) and read[1]:
        found += read[1]
        at = reader.space(read[0])
    closed = _BEHIND.match(reader.text, at)
    return (closed.end() if closed else at), found


def _json_or_python(reader: Reader, at: int) -> tuple[int, list[Said]] | None:
    if reader.text.startswith(("{", "["), at):
        read = written_shapes.read(reader, at, sure=True)
        return read if read is None or read[1] else _python_list(reader, at, read[0])
    return _python_call(reader, at)


def _python_list(reader: Reader, start: int, end: int) -> tuple[int, list[Said]]:
    found = written_python.calls(reader.text[start:end])
    return end, [Said(name, raw, True) for name, raw in found]


def _python_call(reader: Reader, at: int) -> tuple[int, list[Said]] | None:
    named = _PYTHON_CALL.match(reader.text, at)
    bracket = reader.bracket(named.end(), python=True) if named else None
    return _python_list(reader, at, bracket.end) if bracket else None


def _after_mistral(reader: Reader, opened: re.Match[str]) -> tuple[int, list[Said]] | None:
    """`[TOOL_CALLS] […]`, or since their eleventh tokenizer `[TOOL_CALLS]name[ARGS]{…}`."""
    if named := _MISTRAL_NAME.match(reader.text, opened.end()):
        return _named_object(reader, named.group(1), named.end())
    at = reader.space(opened.end())
    return written_shapes.read(reader, at, sure=True) if reader.text.startswith(("{", "["), at) else None


def _function(reader: Reader, opened: re.Match[str]) -> tuple[int, list[Said]] | None:
    """`<function=name>{…}</function>`, or with `<parameter=key>value</parameter>` in it."""
    at = reader.space(opened.end())
    if not reader.text.startswith("{", at):
        return _with_pairs(reader, opened.group(1), at, _PARAMETER, "</function>")
    read = _named_object(reader, opened.group(1), at)
    closed = _BEHIND.match(reader.text, read[0]) if read else None
    return (closed.end(), read[1]) if read and closed else read


def _invoke(reader: Reader, opened: re.Match[str]) -> tuple[int, list[Said]] | None:
    """`<invoke name="…">` with `<parameter name="…">` in it; whatever stands before both words is repeated."""
    prefix = opened.group(1)
    key = re.compile(rf'\s*<{re.escape(prefix)}parameter name="([^"\n]{{1,100}})"[^>\n]{{0,40}}>')
    pair = _Pair(key, f"</{prefix}parameter>")
    return _with_pairs(reader, opened.group(2), opened.end(), pair, f"</{prefix}invoke>")


def _after_python_tag(reader: Reader, opened: re.Match[str]) -> tuple[int, list[Said]] | None:
    return _json_or_python(reader, reader.space(opened.end()))


def _name_then_object(reader: Reader, opened: re.Match[str]) -> tuple[int, list[Said]] | None:
    return _named_object(reader, opened.group(1), opened.end())


def _named_object(reader: Reader, name: str, at: int, *, sure: bool = True) -> tuple[int, list[Said]] | None:
    bracket = reader.bracket(at)
    return (bracket.end, [Said(name, reader.text[at : bracket.end], sure)]) if bracket else None


@dataclass(frozen=True, slots=True)
class _Pair:
    """How one style writes a key and its value."""

    opener: re.Pattern[str]
    closer: str


_GLM_PAIR = _Pair(re.compile(r"\s*<arg_key>\s*([^<]{1,100}?)\s*</arg_key>\s*<arg_value>"), "</arg_value>")
_PARAMETER = _Pair(re.compile(r"\s*<parameter=([^>\n]{1,100})>"), "</parameter>")


def _with_pairs(
    reader: Reader, name: str, at: int, pair: _Pair, closer: str
) -> tuple[int, list[Said]] | None:
    given: list[tuple[str, str]] = []
    while key := pair.opener.match(reader.text, at):
        end = reader.until(pair.closer, key.end())
        if end < 0:
            return None
        value = reader.text[key.end() : end].strip("\n")
        given.append((key.group(1).strip(), json.dumps(value, ensure_ascii=False)))
        at = end + len(pair.closer)
    at = reader.space(at)
    if not reader.text.startswith(closer, at):
        return None
    return at + len(closer), [Said(name, written_python.object_text(given), True)]


@dataclass(frozen=True, slots=True)
class _Style:
    """How a style begins, and who reads on from there."""

    name: str
    opener: re.Pattern[str]
    read: Read


_SEPARATOR = r"<[|｜]tool[▁_]sep[|｜]>"
_STYLES = (
    _Style("tool_call", re.compile(r"<\|?(?:tool_call|function_call|tool_use|tools)\|?>"), _in_tag),
    _Style("mistral", re.compile(r"\[TOOL_CALLS\]"), _after_mistral),
    _Style("function", re.compile(rf"<function={_NAME}>"), _function),
    _Style("invoke", re.compile(rf'<((?:\w{{1,20}}:|｜DSML｜)?)invoke name="{_NAME}">'), _invoke),
    _Style("python_tag", re.compile(r"<\|python_tag\|>"), _after_python_tag),
    _Style(
        "deepseek",
        re.compile(
            rf"<[|｜]tool[▁_]call[▁_]begin[|｜]>\s*(?:function{_SEPARATOR})?\s*{_NAME}(?::\d{{1,4}})?\s*"
            rf"(?:{_SEPARATOR}|<\|tool_call_argument_begin\|>)?\s*{_FENCE}(?=\{{)"
        ),
        _name_then_object,
    ),
    _Style(
        "harmony",
        re.compile(r"\bto=functions\.([A-Za-z_][\w.-]{0,99})[^{\n]{0,80}?<\|message\|>\s*(?=\{)"),
        _name_then_object,
    ),
    _Style(
        "react",
        re.compile(rf"^Action:[ \t]*{_NAME}[ \t]*\n\s*Action Input:[ \t]*{_FENCE}(?=\{{)", re.MULTILINE),
        _name_then_object,
    ),
)
