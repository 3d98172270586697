"""The steps of the pipeline, one after the other, as the playground shows them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tools.pipeline.shop import rejected, tool
from tools.pipeline.check import trace
from tools.pipeline.phrase import OwnWords, Phrase
from tools.pipeline.values import Accepted, Rejected, Step, Trace
from tools.schema_words import ArgumentError

SIZE = {"size": {"type": "integer", "minimum": 1}, "colour": {"enum": ["red", "dark green"]}}
ORDER = tool(SIZE | {"n": {"type": "integer", "default": 1}}, required=["size"])


def steps(found: Trace) -> dict[str, str]:
    return {step.name: step.outcome for step in found.steps}


def step(found: Trace, name: str) -> Step:
    return next(one for one in found.steps if one.name == name)


def test_whole_arguments_pass_every_step() -> None:
    assert steps(trace(ORDER, '{"size": 1, "n": 1}', handler=lambda given: [])) == {
        "size": "ok", "whole": "ok", "json": "ok", "repair": "skipped", "coerce": "ok", "schema": "ok",
        "defaults": "ok", "handler": "ok",
    }  # fmt: skip


def test_each_step_shows_what_it_changed() -> None:
    found = trace(ORDER, "```json\n{'size': '3'}\n```")
    assert steps(found) == {
        "size": "ok", "whole": "ok", "json": "failed", "repair": "changed", "coerce": "changed", "schema": "ok",
        "defaults": "changed", "handler": "skipped",
    }  # fmt: skip
    assert [flag["name"] for flag in step(found, "repair").flags] == ["fence", "quotes"]
    assert step(found, "repair").value == {"size": "3"}
    assert step(found, "coerce").value == {"size": 3}
    assert step(found, "defaults").value == {"size": 3, "n": 1}
    assert isinstance(found.verdict, Accepted)
    assert found.verdict.arguments == {"size": 3, "n": 1}
    assert len(found.verdict.flags) == 4, "every change is told"


@pytest.mark.parametrize(
    ("raw", "truncated", "failed", "keyword"),
    [
        ("x" * 70_000, False, "size", "too_large"), ('{"size": 1}', True, "whole", "truncated"),
        ('{"size": 1, "size": 2}', False, "json", "json"), ('{"size": 1, "colour": "re', False, "repair", "truncated"),
        ("size one", False, "repair", "json"), ('{"size": 0}', False, "schema", "minimum"),
        ("[1]", False, "schema", "type"),
    ],
)  # fmt: skip
def test_what_fails_ends_it(raw: str, truncated: bool, failed: str, keyword: str) -> None:
    found = trace(ORDER, raw, truncated=truncated)
    assert isinstance(found.verdict, Rejected)
    assert [error.keyword for error in found.verdict.errors] == [keyword]
    names = list(steps(found))
    after = names[names.index(failed) + 1 :]
    assert steps(found)[failed] == "failed"
    assert all(steps(found)[name] == "skipped" for name in after)


def test_what_the_model_of_a_handler_objects_to_is_an_error_like_others() -> None:
    error = ArgumentError("$.size", "value_error", "There is no such size.")
    found = trace(ORDER, '{"size": 1}', handler=lambda given: [error])
    assert isinstance(found.verdict, Rejected)
    assert (found.verdict.errors, found.verdict.value) == ((error,), {"size": 1, "n": 1})


@pytest.mark.parametrize(
    ("given", "path", "fix"),
    [
        ({"size": 1, "color": "red"}, "$.color", "Did you mean colour?"),
        ({"Size": 1, "size": 1}, "$.Size", "Leave Size out."),
        ({"size": 1, "zebra": 1}, "$.zebra", "Leave zebra out."), ({}, "$.size", "Add size."),
        ({"size": 1, "colour": "Red"}, "$.colour", "Did you mean red?"),
        ({"size": 1, "colour": "dark-green"}, "$.colour", "Did you mean dark green?"),
        ({"size": "two"}, "$.size", "Send a whole number, without quotes."),
    ],
)  # fmt: skip
def test_an_error_says_how_to_put_it_right(given: dict[str, Any], path: str, fix: str) -> None:
    """A13, T22: near matches for names and values that do not exist."""
    (error,) = rejected(ORDER, given).errors
    assert (error.path, str(error.fix)) == (path, fix)


@pytest.mark.parametrize(
    ("schema", "given", "fix"),
    [
        ({"type": "string", "minLength": 5}, "abc", "It has 3 now."),
        ({"type": "array", "maxItems": 1}, [1, 2], "It has 2 now."),
        ({"type": "string", "format": "date"}, "tomorrow", "For example 2026-11-20."),
        ({"type": "array", "items": {"type": "string"}}, "a, b", 'Send a list: ["first", "second"].'),
    ],
)  # fmt: skip
def test_limits_and_formats_are_explained(schema: dict[str, Any], given: Any, fix: str) -> None:
    (error,) = rejected(tool({"a": schema}), {"a": given}).errors
    assert str(error.fix) == fix


def test_texts_are_english_until_somebody_reads_them() -> None:
    inner = Phrase("at least {limit}", limit=3)
    assert str(Phrase("This must be {what}.", what=inner)) == "This must be at least 3."
    own = OwnWords("Too short {really}.", {"zh-hans": "太短。"})
    assert (str(own), own.for_language("zh-hans"), own.for_language("de")) == (
        "Too short {really}.", "太短。", "Too short {really}.",
    )  # fmt: skip
