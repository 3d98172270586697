"""Texts made to cost as much as possible: whole and broken ones, most of them as large as arguments may be."""

from __future__ import annotations

import json
from typing import Any

HOSTILE = {
    "1,000 levels": '{"a":' + "[" * 1_000 + "]" * 1_000 + ",}",
    "30,000 levels": '{"a":' + "[" * 30_000 + "]" * 30_000 + ",}",
    "10,000 objects": '{"a":' * 10_000 + "1" + "}" * 10_000 + ",",
    "only brackets": "{" * 65_536,
    "only quotes": '{"a":' + '"' * 65_000,
    "single quotes": "{'a':" + "'x" * 32_000 + "'}",
    "curly quotes": "{“a”:" + "“x”" * 20_000 + "}",
    "backticks": "`" * 65_000 + "{",
    "fences": "```json\n" * 8_000 + "{}",
    "backslashes": '{"a":"' + "\\" * 65_000 + '"}',
    "escapes that are none": '{"a":"' + "\\d" * 32_000 + '"}',
    "line breaks": '{"a":"' + "\n" * 65_000 + '"}',
    "commas": "{" + "," * 65_000 + "}",
    "comments": "{" + "/**/" * 16_000 + "}",
    "comments that never end": '{"a":1,' + "/*" * 32_000,
    "slashes": '{"a":1' + "//\n" * 21_000 + "}",
    "colons": "{" + "a:" * 32_000,
    "members": "{" + "a:1," * 16_000 + "}",
    "members without commas": "{" + '"a":1 ' * 10_000 + "}",
    "texts side by side": '{"a":[' + '"x" ' * 16_000 + "]}",
    "unescaped quotes": '{"a":"' + 'x" "' * 16_000 + '"}',
    "numbers": '{"a":[' + "1," * 32_000 + "]}",
    "one long number": '{"a":' + "9" * 65_000 + ",}",
    "words": '{"a":' + "x " * 32_000 + "}",
    "spaces": '{"a":"x"' + " " * 65_000 + "'",
    "quotes and spaces": '{"a":"x' + '" ' * 32_000 + "}",
    "no-break spaces": "{" + "\u00a0 " * 32_000 + "}",
    "slow for the library": '{"a":' + "]\\ {a" * 10_000,
    "slow for the library, in a text": "{'a':'" + "]\\ {a" * 10_000 + "'}",
    "a large text in single quotes": "{'a': '" + 'He said "so". ' * 4_000 + "'}",
    "numbers as texts": '{"a":[' + '"1",' * 16_000 + '"1"]}',
    "members that do not belong": json.dumps({f"k{n}": n for n in range(5_000)}),
    "objects within lists": '{"a":' + json.dumps([{"a": 1}] * 5_000) + "}",
    "lists of one": '{"a":[' + "[1]," * 12_000 + "[1]]}",
    "10 MB": json.dumps({"a": "x" * 10_000_000}),
    "dotted capital I": "{'a': '" + "İ" * 20_000 + "', 'b': True}",
}


def _list_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": {"type": "array", "items": items}}}


def _given(item: str, times: int) -> str:
    return '{"a":[' + ",".join([item] * times) + "]}"


_FILLED = {"type": "object", "properties": {f"p{n}": {"type": "integer", "default": n} for n in range(20)}}
_LONG_DEFAULT = {"type": "object", "properties": {"p": {"default": [1] * 20_000}}}
_WHOLE = {"type": "object", "properties": {"n": {"type": "integer"}}}
_OPTIONS = [f"option {n} of many" for n in range(1_500)]
_NUMBERS = {"enum": list(range(1_500))}
_EITHER = {"anyOf": [{"type": "array", "items": {"enum": _OPTIONS[:200]}}, {"type": "null"}]}

WITH_SCHEMAS: dict[str, tuple[dict[str, Any], str]] = {
    "defaults of 21,000 objects": (_list_of(_FILLED), _given("{}", 21_000)),
    "defaults of 200 fields": (_list_of(_FILLED), _given("{}", 10)),
    "long defaults": (_list_of(_LONG_DEFAULT), _given("{}", 200)),
    "16,000 whole doubles": (_list_of({"type": "integer"}), _given("1.0", 16_000)),
    "whole doubles in objects": (_list_of(_WHOLE), _given('{"n":1.0}', 6_500)),
    "an enum of numbers, texts that are some": (_list_of(_NUMBERS), _given('"7"', 400)),
    "an enum of numbers, one text": (_list_of(_NUMBERS), _given('"7"', 1)),
    "an enum of numbers, texts that are none": (_list_of(_NUMBERS), _given('"x7"', 400)),
    "an enum of few numbers, many texts": (_list_of({"enum": [1, 2, 3]}), _given('"2"', 1_400)),
    "an enum of texts, numbers": (_list_of({"enum": [str(n) for n in range(1_500)]}), _given("7", 400)),
    "an enum of texts, others": (_list_of({"enum": _OPTIONS}), _given('"an option of none"', 400)),
    "an enum in an alternative": ({"type": "object", "properties": {"a": _EITHER}}, _given('"another"', 400)),
    "members almost of that name": (
        {
            "type": "object",
            "properties": {f"name_{n}": {} for n in range(1_000)},
            "additionalProperties": False,
        },
        json.dumps({f"nane_{n}": n for n in range(4_000)}),
    ),
}
"""A schema of a tool, and what is costly for it."""
