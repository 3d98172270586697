"""What holds for every text, tried on texts made at random; always the same ones, so that a failure can be repeated."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.cost import cost_of
from tests.tools.pipeline.tools_of_cases import TOOLS
from tools import arguments, strictjson
from tools.arguments import Accepted, Rejected
from tools.pipeline.repair import Hopeless, Mended, mend
from tools.pipeline.repair_proof import stands_in
from tools.spec import HttpExecutor, ToolSpec

settings.register_profile(
    "pipeline", derandomize=True, deadline=None, database=None, max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)  # fmt: skip
PROFILE = settings.get_profile("pipeline")

SIGNS = [
    "{", "}", "[", "]", ":", ",", '"', "'", "“", "”", "‘", "’", "\\", "\n", " ", "//", "/*", "*/", "#", "```",
    "```json\n", "`", "True", "None", "null", "NaN", "007", "1", "-", "1.5e3", '"a": ', "'b': ", "c: ", "x y",
    "，", "：", '"""',
    "\\u00e9", "\\x41", "\ufeff", "\u3000", "雪", "😀", "\ud800", "\0", "Sure: ", '{\\"',
]  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
WORDS = TEXTS | st.lists(st.sampled_from(SIGNS[:26]), max_size=6).map("".join)
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(WORDS, VALUES, max_size=5)
THINGS = st.fixed_dictionaries(
    {"name": WORDS.filter(bool).map(lambda text: text[:100])},
    optional={
        "count": st.integers(1, 99), "price": st.floats(0, 1e6), "on": st.booleans(),
        "tags": st.lists(WORDS, max_size=5), "size": st.sampled_from("SML"),
        "opts": st.fixed_dictionaries({"colour": WORDS}),
        "parts": st.lists(st.fixed_dictionaries({"id": WORDS, "n": st.integers(0, 9)}), max_size=2),
    },
)  # fmt: skip
"""Good arguments of the tools `read`, `write`, `confirm` and `critical`."""


def free(risk: Any = "CONFIRM", read_only: bool = False) -> ToolSpec:
    return ToolSpec(
        "any", "", {"type": "object"}, risk, HttpExecutor("POST", "http://shop.test/"), read_only=read_only
    )


def exactly(value: Any) -> str:
    """For comparing: 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


ANY_TEXT = st.lists(st.sampled_from(SIGNS) | st.text(max_size=4), max_size=60).map("".join)
BROKEN = st.builds(
    lambda whole, cuts: _damaged(json.dumps(whole, ensure_ascii=False), cuts),
    OBJECTS,
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 2), st.sampled_from(["", *SIGNS])), max_size=3),
)
"""Good JSON with a few pieces taken out or put in."""


def _damaged(text: str, cuts: list[tuple[float, int, str]]) -> str:
    for where, length, sign in cuts:
        place = int(where * len(text))
        text = text[:place] + sign + text[place + length :]
    return text


@settings(PROFILE)
@given(OBJECTS, st.sampled_from([None, 0, 2]), st.booleans())
def test_valid_json_in_same_value_out(value: dict[str, Any], indent: int | None, ascii_only: bool) -> None:
    """T16: whatever its texts look like."""
    raw = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = arguments.check(free("CRITICAL"), raw)
    assert isinstance(found, Accepted)
    assert (exactly(found.arguments), found.flags, found.mended) == (exactly(value), (), "")


@settings(PROFILE)
@given(THINGS, st.sampled_from(["read", "write", "confirm", "critical"]))
def test_valid_arguments_in_the_same_out(value: dict[str, Any], tool: str) -> None:
    """T21: what the schema accepts is not coerced."""
    assert arguments.check(TOOLS[tool], json.dumps(value)) == Accepted(value)


@settings(PROFILE)
@given(OBJECTS)
def test_mending_what_is_whole_changes_nothing(value: dict[str, Any]) -> None:
    """T16."""
    raw = json.dumps(value, ensure_ascii=False)
    assert mend(raw) == Mended(raw, value, ())


@settings(PROFILE, max_examples=150)
@given(ANY_TEXT | BROKEN | st.text(max_size=80))
@example("\ud800{'a': '\udc00'}")
def test_any_text_is_a_verdict(raw: str) -> None:
    """T18: never an exception; and the verdict can be told and stored."""
    verdicts = [arguments.check(tool, raw) for tool in (free("SAFE", True), TOOLS["read"], TOOLS["critical"])]
    for found in verdicts:
        if isinstance(found, Rejected):
            assert found.errors
            assert len(json.dumps([error.as_json() for error in found.errors])) < 100_000


@settings(PROFILE, max_examples=25)
@given(
    st.lists(st.sampled_from(SIGNS), min_size=1, max_size=6).map("".join),
    st.sampled_from(['{"a":', "{'a':'", ""]),
)
def test_no_pattern_repeated_to_the_limit_takes_long(unit: str, head: str) -> None:
    """T18: 100 ms of CPU."""
    raw = (head + unit * 65_536)[: 65_536 // 4]
    assert cost_of(lambda: arguments.check(free("SAFE", True), raw)) < 0.1


@settings(PROFILE, max_examples=300)
@given(ANY_TEXT | BROKEN)
def test_a_mend_invents_nothing_and_is_strict(raw: str) -> None:
    """Every text, number and literal of the result stands in what was given, in the same order."""
    found = mend(raw)
    if isinstance(found, Hopeless):
        return
    assert exactly(strictjson.loads(found.text)) == exactly(found.value)
    assert all(flag["before"] != flag["after"] for flag in found.flags)
    assert found.flags or found.text == raw.strip(" \t\r\n")
    if not any(flag["name"] == "encoded" for flag in found.flags):
        assert stands_in(found.text, raw)


@settings(PROFILE, max_examples=150)
@given(BROKEN)
def test_mending_twice_changes_nothing_more(raw: str) -> None:
    """What was mended is whole."""
    found = mend(raw)
    if isinstance(found, Mended):
        assert mend(found.text) == Mended(found.text, found.value, ())


@settings(PROFILE, max_examples=25)
@given(THINGS, st.sampled_from(["write", "confirm", "critical"]), st.booleans())
def test_a_beginning_of_a_call_is_never_accepted_where_something_is_written(
    value: dict[str, Any], tool: str, ascii_only: bool
) -> None:
    """T15: cut at every byte, the first included."""
    whole = json.dumps(value, ensure_ascii=ascii_only).encode()
    for place in range(len(whole)):
        raw = whole[:place].decode(errors="replace")
        assert isinstance(arguments.check(TOOLS[tool], raw), Rejected), raw


def clearing(risk: Any, read_only: bool = False) -> ToolSpec:
    """A tool with nothing but optional arguments: with none it does the most."""
    schema = {
        "type": "object",
        "properties": {
            "category": {"type": "string"},
            "sizes": {"type": "array"},
            "all": {"type": "boolean"},
        },
    }
    executor = HttpExecutor("POST", "http://shop.test/")
    return ToolSpec("clear_cart", "", schema, risk, executor, read_only=read_only)


WRAPPERS = [("", ""), ("```json\n", "\n```"), ("<tool_call>", "</tool_call>"), ("`", "`"), ("'", "'")]
CLEARINGS = st.fixed_dictionaries(
    {}, optional={"category": WORDS, "sizes": st.lists(WORDS, max_size=3), "all": st.booleans()}
)


@settings(PROFILE, max_examples=25)
@given(CLEARINGS, st.sampled_from(["SAFE", "CONFIRM", "CRITICAL"]), st.sampled_from(WRAPPERS))
def test_neither_where_every_argument_is_optional(
    value: dict[str, Any], risk: str, wrapper: tuple[str, str]
) -> None:
    """T15: cut within its wrapper as well; a fence and markup may lack their end, a stop sequence takes it away."""
    before, after = wrapper
    whole = before + json.dumps(value) + after
    for place in range(len(before) + len(json.dumps(value))):
        assert isinstance(arguments.check(clearing(risk), whole[:place]), Rejected), whole[:place]
    for place in range(len(whole)):
        found = arguments.check(clearing(risk), whole[:place])
        assert isinstance(found, Rejected) or exactly(found.arguments) == exactly(value)


def test_nothing_at_all_means_no_arguments_where_that_is_beyond_doubt() -> None:
    """T15: to look something up, or where there are no arguments."""
    nothing = ToolSpec("ping", "", {"type": "object"}, "CRITICAL", HttpExecutor("POST", "http://shop.test/"))
    for spec in (clearing("SAFE", read_only=True), nothing):
        found = arguments.check(spec, " ")
        assert isinstance(found, Accepted)
        assert (found.arguments, found.flags) == ({}, ({"name": "empty"},))


@settings(PROFILE, max_examples=30)
@given(THINGS)
def test_a_beginning_of_a_call_that_reads_is_closed_and_never_continued(value: dict[str, Any]) -> None:
    """T15: what is looked up is a part of what was meant."""
    whole = json.dumps(value, ensure_ascii=False)
    for place in range(len(whole)):
        found = arguments.check(TOOLS["read"], whole[:place])
        if isinstance(found, Accepted):
            assert [flag["name"] for flag in found.flags] == ["brackets"]
            assert _is_part(found.arguments, value)


def _is_part(part: Any, whole: Any) -> bool:
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and _is_part(item, whole[name]) for name, item in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(_is_part, part, whole))
    return exactly(part) == exactly(whole)


MENDABLE = {
    "fence": lambda text: f"```json\n{text}\n```",
    "prose": lambda text: f"Here you are: {text}\nDone!",
    "commas": lambda text: text[:-1] + (",}" if len(text) > 2 else "}"),
    "encoded": json.dumps,
}


@pytest.mark.parametrize("name", MENDABLE)
@settings(PROFILE, max_examples=25)
@given(value=OBJECTS.filter(bool))
def test_damage_of_a_known_kind_is_undone_exactly(name: str, value: dict[str, Any]) -> None:
    found = mend(MENDABLE[name](json.dumps(value, ensure_ascii=False)))
    assert isinstance(found, Mended)
    assert exactly(found.value) == exactly(value)
    assert [flag["name"] for flag in found.flags] == [name]


PYTHON_TEXTS = st.text(st.characters(categories=["L", "Zs"], max_codepoint=0x2FF), max_size=20)
PYTHON_TEXTS |= st.sampled_from(["it's", 'a "b" c', "a, b", "雪夜"])
PYTHON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(st.characters(categories=["L", "Zs"], max_codepoint=0x2FF))
    | st.sampled_from(["it's", 'a "b" c', "a, b"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc'é", min_size=1), inner, max_size=4)
    ),
    max_leaves=10,
)


@settings(PROFILE)
@given(st.dictionaries(st.text("abcdé", min_size=1), PYTHON_VALUES, min_size=1, max_size=4))
def test_what_python_prints_is_read_as_python_would(value: dict[str, Any]) -> None:
    """The most common damage of all: `str(arguments)`."""
    found = mend(str(value))
    if isinstance(found, Mended) and not any(flag.get("contested") for flag in found.flags):
        assert exactly(found.value) == exactly(value)
        return
    assert "\\" in str(value) or "\"'" in str(value)
