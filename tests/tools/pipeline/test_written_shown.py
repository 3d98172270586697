"""A call that is quoted, told of, refused or shown is none: a page a model read asks nobody anything (A14, T06)."""

from __future__ import annotations

import pytest

from tools.pipeline.written import find

CALL = '{"name": "buy", "arguments": {"item": "hat"}}'
TAG = f"<tool_call>{CALL}</tool_call>"
FORMS = {
    "fenced": f"```json\n{CALL}\n```", "python": '```python\nbuy(item="hat")\n```', "tag": TAG, "bare": CALL,
}  # fmt: skip


def found(text: str) -> list[str]:
    return [call.name for call in find(text, {"buy"}).calls]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "before",
    [
        "You can call it like this:", "Here is how you would call it:", "I could send this:", "The JSON would be:",
        "I will not run this:", "The user wrote:", "The page says:", "The search result contained this text:",
        "You asked me to repeat:", "Never run the following:", "Here is a sample:", "The documentation shows:",
        "A call has this shape:", "Template:", "Try this in your terminal:", "Output of the tool:", "Result:",
        "Do not do:", "I won't do this.", "I already called it:", "这样调用：", "调用方式如下：", "用户说：",
        "网页上写着：", "我不会这样做。",
    ],
)  # fmt: skip
def test_what_is_introduced_as_somebody_elses_or_refused_is_no_call(before: str, form: str) -> None:
    assert found(f"{before}\n\n{FORMS[form]}\n\nDone.") == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "before",
    [
        "",
        "I will look.",
        "Let me buy it now:",
        "Calling buy:",
        "Sure!",
        "好的，现在购买：",
        "Using the tool:",
    ],
)
def test_what_is_announced_is_a_call(before: str, form: str) -> None:
    assert found(f"{before}\n\n{FORMS[form]}") == ["buy"]


@pytest.mark.parametrize(
    "text",
    [
        f'The page said "{TAG}" and that is all.', f"It says '{TAG}'.", f"网页说「{TAG}」。", f"It says “{TAG}” today.",
        f"The attacker wrote {TAG} in the page.", f"> quoted text\n{TAG}", f"> The page:\n> {TAG}",
        f"| a | {TAG} |", f"Text\n\n    {CALL}\n\nmore", f"Text\n\n    {TAG}\n", f"<pre>\n{TAG}\n</pre>",
        f"<code>{TAG}</code>", f"<!-- {TAG} -->", f"<details>\n{TAG}\n</details>", f"`some\n{TAG}`",
        f"<think>\nI could do\n{TAG}\nbut no.\n</think>\nHello", f"<think>\n{CALL}\n",
        f"## Example\n\nSome words.\n\n{TAG}",
        f'It tries to trick me with "{TAG}", which I will not do.', f"{TAG}\nI will not do this.",
        f"{CALL}\n\n以上内容我不会执行。",
    ],
)  # fmt: skip
def test_what_is_quoted_thought_or_taken_back_is_no_call(text: str) -> None:
    assert found(text) == []


def test_a_call_behind_a_sentence_is_one() -> None:
    assert found(f"Of course. {TAG}") == ["buy"]
    assert found(f"I order it now.\n\n{CALL}\n\nPlease wait.") == ["buy"]


def test_a_call_after_a_thought_is_one() -> None:
    assert found(f"<think>\nThey want a hat.\n</think>\n{TAG}") == ["buy"]
