"""How much may be mended at which risk (architecture, section 6): reading any, asking only form, critical nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tools.pipeline.shop import tool, verdict
from tools.pipeline import allowance
from tools.pipeline.flags import FORMAT_MENDS
from tools.pipeline.values import Accepted, Rejected

FORMAT = [{"name": name} for name in sorted(FORMAT_MENDS)]
CONTESTED = {"name": "quotes", "contested": True}
BRACKETS = {"name": "brackets"}
NO_MENDS = [
    {"name": name} for name in ("coerced", "default", "empty", "written_as_text", "rule:x", "after_untrusted")
]


@pytest.mark.parametrize("flag", FORMAT)
def test_what_changed_only_the_form_may_be_asked_about_but_not_be_critical(flag: dict[str, Any]) -> None:
    assert allowance.check("SAFE", [flag]) is None
    assert allowance.check("CONFIRM", [flag]) is None
    assert allowance.check("CRITICAL", [flag]).keyword == "not_allowed"


@pytest.mark.parametrize("flag", [CONTESTED, BRACKETS])
def test_what_is_in_doubt_may_only_read(flag: dict[str, Any]) -> None:
    assert allowance.check("SAFE", [flag]) is None
    assert allowance.check("CONFIRM", [{"name": "fence"}, flag]).keyword == "not_allowed"
    assert allowance.check("CRITICAL", [flag]).keyword == "not_allowed"


def test_words_around_it_need_somebody_who_sees_them() -> None:
    """A SAFE tool that writes acts at once: only fences, known markup and blanks may stand around its arguments."""
    words, markup = {"name": "prose", "words": True}, {"name": "prose"}
    assert allowance.check("CONFIRM", [words]) is None
    assert allowance.check("CONFIRM", [markup], at_once=True) is None
    assert allowance.check("CONFIRM", [words], at_once=True).keyword == "not_allowed"


def test_what_is_no_mend_is_allowed_everywhere() -> None:
    assert allowance.check("CRITICAL", NO_MENDS) is None
    assert allowance.format_only(NO_MENDS)


@pytest.mark.parametrize(
    ("raw", "allowed"),
    [
        ('{"a": 1}', {"read", "write", "CONFIRM", "CRITICAL"}), ('```\n{"a": 1}\n```', {"read", "write", "CONFIRM"}),
        ('{"a": 1} {"a": 2}', {"read"}), ('Here: {"a": 1}', {"read", "CONFIRM"}),
        ('<tool_call>{"a": 1}</tool_call>', {"read", "write", "CONFIRM"}), ('Do not: {"a": 1}', {"read"}),
        ('{"a": 1} or 2', {"read"}), ('{"a": 1 # 10\n}', {"read"}), ('`{"a": 1}', set()), ("`{}", set()),
        ('{"b": [1, 2]', {"read"}),
        ('{"a": "1"}', {"read", "write", "CONFIRM", "CRITICAL"}),
        ('{"a": 1', set()), ('{"c": "abc', set()),
    ],
)  # fmt: skip
def test_a_tool_that_writes_is_never_called_with_what_was_guessed(raw: str, allowed: set[str]) -> None:
    """T15: output that was cut off is completed by no more than closing brackets, and only to look something up."""
    properties = {"a": {"type": "integer"}, "b": {"type": "array"}, "c": {"type": "string"}}
    tools = {
        "read": tool(properties, risk="SAFE", read_only=True), "write": tool(properties, risk="SAFE"),
        "CONFIRM": tool(properties), "CRITICAL": tool(properties, risk="CRITICAL"),
    }  # fmt: skip
    assert {name for name, spec in tools.items() if isinstance(verdict(spec, raw), Accepted)} == allowed


def test_what_may_not_be_mended_is_kept_for_the_person() -> None:
    found = verdict(tool({"a": {"type": "integer"}}, risk="CRITICAL"), "{'a': 1}")
    assert isinstance(found, Rejected)
    assert (found.value, found.mended) == ({"a": 1}, '{"a": 1}')
    assert [flag["name"] for flag in found.flags] == ["quotes"]
