"""A request as OpenAI's two protocols take it, whoever wrote the history."""

from __future__ import annotations

import json
from typing import Any

from agents.messages import (
    ImagePart,
    ModelMessage,
    Native,
    Picture,
    Request,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from agents.providers import openai_items, openai_messages
from agents.providers.openai_messages import NOT_SEEN, call_id
from agents.providers.openai_tools import Toolbox
from agents.spec import ModelSpec
from tools.spec import PythonExecutor, ToolSpec

SEES = ModelSpec("m", "openai", "model-1", images=True)
BLIND = ModelSpec("m", "openai", "model-1")
THINKS = ModelSpec("m", "openai-responses", "model-1")
PICTURE = Picture("image/png", b"png")
SEARCH = ToolSpec(
    name="shop.search",
    description="Look for things.",
    schema={
        "type": "object",
        "properties": {"words": {"type": "string"}, "most": {"type": "integer"}},
        "required": ["words"],
    },
    risk="SAFE",
    executor=PythonExecutor("nothing"),
    version="v1",
)
ANY = ToolSpec("any", "Anything.", {"type": "object"}, "SAFE", PythonExecutor("nothing"))


def user(*parts: Any) -> ModelMessage:
    return ModelMessage("user", tuple(TextPart(part) if isinstance(part, str) else part for part in parts))


def asked(*messages: ModelMessage, **values: Any) -> Request:
    return Request("model-1", "Be brief.", messages, **values)


def chat(request: Request, model: ModelSpec = SEES, *, is_openai: bool = False) -> dict[str, Any]:
    return openai_messages.body(request, model, Toolbox(request.tools), is_openai=is_openai)


def responses(request: Request, model: ModelSpec = THINKS) -> dict[str, Any]:
    return openai_items.body(request, model, Toolbox(request.tools))


SEARCHED = (
    ModelMessage(
        "assistant",
        (
            ThinkingPart("Hm."),
            TextPart("Looking."),
            ToolCallPart("c1", "shop.search", '{"words": "tea"}'),
            ToolCallPart("c2", "shop.search", ""),
        ),
    ),
    ModelMessage(
        "tool",
        (
            ToolResultPart("c1", "shop.search", "3 teas", "succeeded"),
            ToolResultPart("c2", "shop.search", "words: missing", "rejected"),
        ),
    ),
)


def test_a_history_with_calls_is_told_with_each_result_beside_its_call() -> None:
    first, second = call_id("c1"), call_id("c2")
    assert chat(asked(user("Tea?"), *SEARCHED, tools=(SEARCH,)))["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Tea?"},
        {"role": "assistant", "content": "Looking.", "tool_calls": [
            {"id": first, "type": "function", "function": {"name": "shop_search", "arguments": '{"words": "tea"}'}},
            {"id": second, "type": "function", "function": {"name": "shop_search", "arguments": "{}"}},
        ]},
        {"role": "tool", "tool_call_id": first, "content": "3 teas"},
        {"role": "tool", "tool_call_id": second, "content": "words: missing"},
    ]  # fmt: skip
    assert responses(asked(user("Tea?"), *SEARCHED, tools=(SEARCH,)))["input"] == [
        {"role": "user", "content": [{"type": "input_text", "text": "Tea?"}]},
        {"role": "assistant", "content": "Looking."},
        {"type": "function_call", "call_id": first, "name": "shop_search", "arguments": '{"words": "tea"}'},
        {"type": "function_call", "call_id": second, "name": "shop_search", "arguments": "{}"},
        {"type": "function_call_output", "call_id": first, "output": "3 teas"},
        {"type": "function_call_output", "call_id": second, "output": "words: missing"},
    ]


def test_call_ids_are_nine_plain_signs_and_no_two_alike() -> None:
    ids = [call_id(f"call_{number}") for number in range(1_000)]
    assert len(set(ids)) == 1_000 and all(len(id) == 9 and id.isalnum() and id.isascii() for id in ids)
    assert call_id("c1") == call_id("c1")


def test_arguments_that_were_no_object_are_told_as_one() -> None:
    """vLLM reads them, and would refuse the whole conversation."""
    for raw in ('{"words": "te', "[1]", '"tea"', "{'words': 1}"):
        told = json.loads(openai_messages.as_object(raw))
        assert told == {"unreadable": raw}
    assert openai_messages.as_object(' {"a":  1}') == ' {"a":  1}'


def test_pictures_are_shown_to_models_that_see_and_mentioned_to_others() -> None:
    request = asked(user("What?", ImagePart("up1", "image/png")), images={"up1": PICTURE})
    url = "data:image/png;base64,cG5n"
    assert chat(request)["messages"][1]["content"] == [
        {"type": "text", "text": "What?"},
        {"type": "image_url", "image_url": {"url": url}},
    ]
    assert chat(request, BLIND)["messages"][1]["content"] == f"What?\n\n{NOT_SEEN}"
    assert responses(request, SEES)["input"][0]["content"][1] == {
        "type": "input_image", "image_url": url, "detail": "auto",
    }  # fmt: skip
    assert responses(request)["input"][0]["content"][1] == {"type": "input_text", "text": NOT_SEEN}
    gone = asked(user("What?", ImagePart("up2", "image/png")))
    assert NOT_SEEN in chat(gone)["messages"][1]["content"]


def test_a_person_who_wrote_twice_is_told_as_one_message() -> None:
    picture = ImagePart("up1", "image/png")
    request = asked(user("One."), user("Two."), user(picture), user("Four."), images={"up1": PICTURE})
    _system, told = chat(request)["messages"]
    assert [part["type"] for part in told["content"]] == ["text", "image_url", "text"]
    assert told["content"][0]["text"] == "One.\n\nTwo."


def test_an_answer_of_thoughts_alone_is_not_told() -> None:
    thought = ModelMessage("assistant", (ThinkingPart("Hm."),))
    assert [one["role"] for one in chat(asked(user("A"), thought))["messages"]] == ["system", "user"]
    assert len(responses(asked(user("A"), thought))["input"]) == 1


def test_settings_come_from_the_model_and_the_request_wins() -> None:
    model = ModelSpec(
        "m", "openai", "model-1",
        settings={"temperature": 0.5, "max_output_tokens": 100, "seed": 7, "reasoning_effort": "low", "secret": 1},
    )  # fmt: skip
    made = chat(asked(user("A"), settings={"temperature": 0}), model)
    assert (made["temperature"], made["max_tokens"], made["seed"], made["reasoning_effort"]) == (
        0,
        100,
        7,
        "low",
    )
    assert "secret" not in made and "top_p" not in made and "tools" not in made
    assert chat(asked(user("A")), model, is_openai=True)["max_completion_tokens"] == 100
    made = responses(asked(user("A")), model)
    assert (made["max_output_tokens"], made["reasoning"]) == (100, {"effort": "low", "summary": "auto"})
    assert (
        made["store"] is False and made["include"] == ["reasoning.encrypted_content"] and "seed" not in made
    )
    assert "include" not in responses(asked(user("A")))


def test_a_strict_tool_is_told_as_strict_and_a_loose_one_as_loose() -> None:
    request = asked(user("A"), tools=(SEARCH, ANY))
    strict, loose = (tool["function"] for tool in chat(request)["tools"])
    assert strict["strict"] is True and strict["parameters"]["required"] == ["words", "most"]
    assert "strict" not in loose
    assert [tool["strict"] for tool in responses(request)["tools"]] == [True, False]


ITEMS = [
    {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "signed=="},
    {"id": "fc_1", "type": "function_call", "call_id": "call_X", "name": "shop_search", "arguments": "{}"},
]


def thought(
    *calls: str, model: str = "model-1", provider: str = "openai-responses"
) -> tuple[ModelMessage, ...]:
    parts = tuple(ToolCallPart(call, "shop.search", "{}") for call in calls)
    results = tuple(ToolResultPart(call, "shop.search", "3 teas", "succeeded") for call in calls)
    return (
        ModelMessage("assistant", parts, Native(provider, model, ITEMS)),
        ModelMessage("tool", results),
    )


def test_the_model_that_thought_is_given_its_items_back_unchanged() -> None:
    items = responses(asked(user("Tea?"), *thought("c1")))["input"]
    assert items[1:3] == ITEMS
    assert items[3] == {"type": "function_call_output", "call_id": "call_X", "output": "3 teas"}


def test_every_other_model_is_told_the_neutral_parts() -> None:
    for messages in (thought("c1", model="model-2"), thought("c1", provider="openai"), thought("c1", "c2")):
        told = responses(asked(user("Tea?"), *messages))["input"]
        assert "signed" not in json.dumps(told)
        calls = [item["call_id"] for item in told if item.get("type") == "function_call"]
        assert calls == [item["call_id"] for item in told if item.get("type") == "function_call_output"]
    assert "signed" not in json.dumps(chat(asked(user("Tea?"), *thought("c1"))))


def test_thoughts_without_a_signature_are_not_given_back() -> None:
    bare = [{"id": "rs_1", "type": "reasoning", "summary": []}, ITEMS[1]]
    message = ModelMessage(
        "assistant", (ToolCallPart("c1", "shop.search", "{}"),), Native("openai-responses", "model-1", bare)
    )
    assert responses(asked(user("Tea?"), message))["input"][1:] == [ITEMS[1]]
