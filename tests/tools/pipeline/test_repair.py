"""Mending by itself: what is mended, what is hopeless, what is cut off, what it costs, and that it invents nothing."""

from __future__ import annotations

import json

import json_repair
import pytest

from tests.cost import cost_of
from tests.tools.pipeline.hostile import HOSTILE
from tools import strictjson
from tools.pipeline.repair import Hopeless, Mended, mend
from tools.pipeline.repair_proof import stands_in

CALL = {
    "title": 'She said "go", then {left}; it\'s // no ``` fence ,}',
    "count": 12,
    "price": -2.5e3,
    "ok": True,
    "none": None,
    "tags": ["a", "雪夜", "😀 \n\t\\ end"],
    "inner": {"list": [[1], {}], "text": ""},
}


def mended(raw: str) -> Mended:
    found = mend(raw)
    assert isinstance(found, Mended), found
    return found


def hopeless(raw: str) -> Hopeless:
    found = mend(raw)
    assert isinstance(found, Hopeless), found
    return found


def names(found: Mended) -> list[str]:
    return [flag["name"] + ("?" if flag.get("contested") else "") for flag in found.flags]


@pytest.mark.parametrize(
    "value",
    ["}{", "```", "```json\n{}\n```", "//", "/* */", "#", "'", ",}", ",]", '"', '\\"', "“”", "True", "\\n"],
)
def test_valid_json_passes_as_it_is(value: str) -> None:
    """T16."""
    raw = json.dumps({"a": value, value: [value]}, ensure_ascii=False)
    assert mended(raw) == Mended(raw, {"a": value, value: [value]}, ())


def test_what_stands_in_the_texts_is_not_touched_by_mends_around_them() -> None:
    """T16: here the comma at the end is wrong, and nothing else is changed."""
    raw = json.dumps(CALL, ensure_ascii=False)[:-1] + ",}"
    found = mended(raw)
    assert (found.value, names(found)) == (CALL, ["commas"])
    assert found.text == json.dumps(CALL, ensure_ascii=False)


def test_the_text_before_and_after_is_shown() -> None:
    """A9."""
    (flag,) = mended('{"name": "lamp", "on": True}').flags
    assert flag == {
        "name": "literals", "before": '{"name": "lamp", "on": True}', "after": '{"name": "lamp", "on": true}',
    }  # fmt: skip


def test_mends_of_one_kind_are_counted_and_the_contested_one_is_shown() -> None:
    far = "x" * 200
    (flag,) = mended(f"{{'a': 'b', 'far': '{far}', 'c': 'it's'}}").flags
    assert (flag["name"], flag["contested"], flag["detail"]) == ("quotes", True, 6)
    assert "it's" in flag["before"] and "it's" in flag["after"]


def test_a_long_text_is_shown_shortened() -> None:
    (flag,) = mended("{'a': '" + "x" * 5_000 + "'}").flags[:1]
    assert max(len(flag["before"]), len(flag["after"])) <= 120


@pytest.mark.parametrize("ascii_only", [True, False])
def test_cut_at_every_place_it_is_cut_off_or_hopeless(ascii_only: bool) -> None:
    """T15: no beginning of a call is taken for the whole of it."""
    raw = json.dumps(CALL, ensure_ascii=ascii_only)
    for place in range(1, len(raw)):
        found = mend(raw[:place])
        assert found.cut_off, raw[:place]
        if isinstance(found, Mended):
            assert "brackets" in names(found)


@pytest.mark.parametrize("around", ["```json\n{}\n```", "Here it is: {}", "{}"])
def test_cut_at_every_place_of_broken_json_nothing_is_whole(around: str) -> None:
    """T15: neither with damage of other kinds."""
    raw = around.replace("{}", "{'a': 'x', b: [1, 2,], \"c\": {\"d\": True}}")
    end = raw.rindex("}") + 1
    assert not mended(raw[:end]).cut_off
    for place in range(raw.index("{") + 1, end):
        found = mend(raw[:place])
        assert isinstance(found, Hopeless) or found.cut_off, raw[:place]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ('{"id": 007}', "007 is not a number as JSON writes it"),
        ('{"a": 1, "a": 2,}', 'the key "a" stands twice in one object'),
        ("{'a': NaN}", "NaN is not a JSON value"),
        ("{'a': 1e400}", "the number 1e400 is too large"),
        ("shoes", "there is no JSON object in it"),
        ('{"a": "5" tube"}', "a quotation mark within a text is not escaped"),
        ('{"a" 1}', "a name is not followed by a colon"),
        ('{"a": (1, 2)}', "what begins with '(1, 2)}' cannot be read"),
        ('{"a": "\\x41"}', "\\x is not an escape that JSON knows"),
        ('{"a":' * 70, "it is nested more than 64 levels deep"),
    ],
)
def test_what_is_hopeless_says_why(raw: str, why: str) -> None:
    """T17: nothing that strict reading refuses comes back by way of a mend."""
    found = hopeless(raw)
    assert (str(found.why), found.cut_off) == (why, False)


def test_only_closing_brackets_are_added_to_what_ends_early() -> None:
    """T15."""
    found = mended('{"a": [{"b": "c"}')
    assert (found.text, names(found), found.cut_off) == ('{"a": [{"b": "c"}]}', ["brackets"], True)
    assert hopeless('{"a": [{"b": "c"}, ').cut_off
    assert hopeless('{"a": [{"b": 1').cut_off


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_no_text_takes_long(raw: str) -> None:
    """T18: under 100 ms of CPU whatever it is."""
    assert cost_of(lambda: mend(raw)) < 0.1


def test_why_the_library_does_not_mend_for_us() -> None:
    """T17: json-repair changes values. If this fails, look again at whether it could."""
    assert json_repair.loads('{"id": 007}', strict=True) == {"id": 7}
    assert json_repair.loads('{"a": 10 apples}', strict=True) == {"a": 10}
    assert json_repair.loads('{"a": 1, "a": 2,}', strict=True) == {"a": 2}
    assert json_repair.loads('{"a": "x\n"}', strict=True) == {"a": "x"}


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ('{"a": 1}', "{'a': 1}"), ('{"a": "it\'s"}', "{'a': 'it\\'s'}"), ('{"a": "雪"}', "{a: \\u96ea}"),
        ('{"a": null, "b": true}', "{a: None, b: True}"), ('{"a": "x\\ny"}', "{a: 'x\ny'}"), ('{"a": ""}', "{a: ''}"),
        ('{"a": "\\ud83d\\ude00"}', "{a: '😀'}"),
    ],
)  # fmt: skip
def test_the_proof_accepts_what_was_said(text: str, raw: str) -> None:
    assert stands_in(text, raw)


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ('{"a": 1}', "{'a': 10}"), ('{"a": 7}', "{'a': 007}"), ('{"a": 1}', "{'a': 1.5}"), ('{"a": -1}', "{'a': 1}"),
        ('{"b": 1}', "{'a': 1}"), ('{"a": "xy"}', "{'a': 'x' 'y'}"), ('{"a": null}', "{'a': }"),
        ('{"a": true}', "{'a': 1}"),
        ('{"a": 1, "b": 2}', "{'b': 2, 'a': 1}"), ('{"a": [1, 1]}', "{'a': [1]}"), ('{"a": "10"}', "{'a': 1 0}"),
        ('{"a": 1000}', "{'a': 1_000}"), ('{"a": 1}', "{'a': 1_000}"),
    ],
)  # fmt: skip
def test_the_proof_finds_what_was_not_said(text: str, raw: str) -> None:
    """A value that was invented, changed, joined, doubled, or put in another order."""
    assert not stands_in(text, raw)


def test_every_mended_text_is_strict_json() -> None:
    for raw in ("{'a': 1,}", "```\n{a: True}\n```", '{"a": "x\ny"} ok', '{"a": [1 2}'):
        found = mended(raw)
        assert strictjson.loads(found.text) == found.value
