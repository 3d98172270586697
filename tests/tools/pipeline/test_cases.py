"""The table of cases: broken and whole texts, a tool, and what comes of them. The cases are data, in `cases/`.

A flag is written `name`, `name:detail` for a coercion, and `name?` where it must be contested. In `raw`,
`{"repeat": [text, times], "within": [before, after]}` stands for a long text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import json_repair
import pytest

from tests.tools.pipeline.tools_of_cases import FOLDER, TOOLS
from tools import arguments
from tools.arguments import Accepted, Rejected
from tools.pipeline.flags import FORMAT_MENDS, MENDS

COERCIONS = {
    "text_to_number", "text_to_integer", "text_to_boolean", "number_to_integer", "number_to_text", "wrapped_in_list",
    "parsed_json_text",
}  # fmt: skip


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(FOLDER.glob("*.json")):
        if path.name != "tools.json":
            for case in json.loads(path.read_text()):
                yield f"{path.stem}: {case['name']}", case


CASES = dict(cases())


def raw_of(case: dict[str, Any]) -> str:
    raw = case["raw"]
    if isinstance(raw, str):
        return raw
    (text, times), (before, after) = raw["repeat"], raw["within"]
    return str(before + text * times + after)


def verdict_of(case: dict[str, Any]) -> Accepted | Rejected:
    return arguments.check(TOOLS[case["tool"]], raw_of(case), truncated=case.get("truncated", False))


def short(flag: dict[str, Any]) -> str:
    detail = f":{flag['detail']}" if flag["name"] == "coerced" else ""
    return flag["name"] + detail + ("?" if flag.get("contested") else "")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case(case: dict[str, Any]) -> None:
    verdict = verdict_of(case)
    match verdict:
        case Accepted(arguments=found):
            assert exactly({"arguments": found}) == exactly(case["expect"])
        case Rejected(errors=errors):
            keywords = sorted({error.keyword for error in errors})
            assert {"refused": keywords} == {name: sorted(told) for name, told in case["expect"].items()}
    assert sorted(map(short, verdict.flags)) == sorted(case.get("flags", []))
    assert all(is_shown(flag) for flag in verdict.flags if flag["name"] in MENDS)


def exactly(value: Any) -> str:
    """For comparing: 1, 1.0 and true are equal to Python; to a tool they are not."""
    return json.dumps(value, sort_keys=True)


def is_shown(flag: dict[str, Any]) -> bool:
    """A9: a person sees the change beside the mend."""
    before, after = flag["before"], flag["after"]
    return before != after and len(before) <= 120 and len(after) <= 120


WRONG_OF_THE_LIBRARY = json.loads((Path(__file__).parent / "second_opinion.json").read_text())
"""Where json-repair reads a case in a way that is not sensible, and why."""


def test_what_is_not_contested_has_no_second_reading() -> None:
    """T16: a general repair library reads every mend that we call beyond doubt as we do, or is plainly wrong."""
    differing = set()
    for name, case in CASES.items():
        verdict = verdict_of(case)
        if not isinstance(verdict, Accepted) or not verdict.mended:
            continue
        if not any(flag.get("contested") for flag in verdict.flags):
            read = json_repair.loads(raw_of(case))
            if exactly(read) != exactly(json.loads(verdict.mended)):
                differing.add(name)
    assert differing == set(WRONG_OF_THE_LIBRARY)


def test_there_are_enough_cases_and_each_has_its_own_text() -> None:
    assert len(CASES) >= 300
    told = [(case["tool"], json.dumps(case["raw"]), case.get("truncated")) for case in CASES.values()]
    twice = {one for one in told if told.count(one) > 1}
    assert not twice


def test_every_flag_is_covered() -> None:
    seen = {flag for case in CASES.values() for flag in case.get("flags", [])}
    wanted = MENDS | {f"coerced:{detail}" for detail in COERCIONS}
    wanted |= {"default", "empty", "truncated", "too_large"}
    assert {flag.removesuffix("?") for flag in seen} == wanted
    assert {f"{name}?" for name in FORMAT_MENDS - {"fence", "literals"}} <= seen


@pytest.mark.parametrize("mend", sorted(FORMAT_MENDS))
@pytest.mark.parametrize("tool", ["read", "write", "confirm", "critical"])
def test_every_mend_is_decided_for_every_risk(mend: str, tool: str) -> None:
    """Reads and what a person confirms may be mended in format; what is hard to undo never; what acts at once may have
    no words around it (`test_allowance`)."""
    found = [case for case in CASES.values() if case["tool"] == tool and mend in case.get("flags", [])]
    assert found
    assert all(("arguments" in case["expect"]) is (tool != "critical") or is_faulty(case) for case in found)


def is_faulty(case: dict[str, Any]) -> bool:
    """Refused for another reason than the mend."""
    flags = case["flags"]
    acts_on_words = case["tool"] == "write" and "prose" in flags
    return acts_on_words or any(flag.endswith("?") or flag == "brackets" for flag in flags) or not {
        "not_allowed", "truncated"
    } & set(case["expect"].get("refused", []))  # fmt: skip
