"""What Gemini is asked: address, tools, pictures, settings, and a history that any model may have made."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import pytest

from agents.messages import (
    ImagePart,
    ModelMessage,
    Request,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from agents.providers import gemini_line
from agents.providers.gemini_history import BEGINNING, NOT_SHOWN, Teller
from agents.providers.gemini_request import body, declarations, generation_config
from tests.agents.wire.cases import MODEL, PICTURE, REQUESTS, TOOLS
from tests.agents.wire.gemini_talk import KEY, gemini, said, stream_of, talk
from tools.compile import gemini as compiler
from tools.compile.names import Table

DONE = stream_of(said({"text": "Rain."}, end="STOP"))
PLAIN, IMAGE = REQUESTS["plain"], REQUESTS["image"]


def made(request: Request, **model: Any) -> dict[str, Any]:
    return body(request, gemini(name=request.model, **model), Table(request.tools), "")


def told(*messages: ModelMessage, model: str = MODEL) -> list[dict[str, Any]]:
    return Teller(model, "", Table(TOOLS)).contents(messages)


@pytest.mark.parametrize("base", ["", "/", "/v1beta", "/behind/a/proxy"])
def test_the_version_stands_in_the_address_once_and_the_key_in_a_header(monkeypatch: Any, base: str) -> None:
    _heard, (seen,) = talk(monkeypatch, DONE, PLAIN, base=base, key=KEY)

    before = base.removesuffix("/v1beta").rstrip("/")
    assert seen.path == f"{before}/v1beta/models/model-1:streamGenerateContent?alt=sse"
    assert seen.headers["x-goog-api-key"] == KEY
    assert KEY.encode() not in seen.body


def test_without_a_key_none_is_sent(monkeypatch: Any) -> None:
    _heard, (seen,) = talk(monkeypatch, DONE, PLAIN)
    assert "x-goog-api-key" not in seen.headers


def test_the_environment_of_the_operator_changes_nothing(monkeypatch: Any) -> None:
    """The SDK reads keys, addresses and versions from the environment; a tenant's request has its own."""
    monkeypatch.setenv("GOOGLE_API_KEY", "of-the-operator")
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v9")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    gemini_line.sdk.cache_clear()
    _heard, (seen,) = talk(monkeypatch, DONE, PLAIN, key=KEY)
    gemini_line.sdk.cache_clear()

    assert seen.path.startswith("/v1beta/")
    assert seen.headers["x-goog-api-key"] == KEY


def test_the_whole_body(monkeypatch: Any) -> None:
    _heard, (seen,) = talk(monkeypatch, DONE, PLAIN, model=gemini(settings={"temperature": 0.5, "seed": 0}))

    city = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    weather = {"name": "weather", "description": "The weather in a city.", "parametersJsonSchema": city}
    assert seen.json.pop("tools")[0]["functionDeclarations"][0] == weather
    assert seen.json == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [{"role": "user", "parts": [{"text": "What is it like there?"}]}],
        "tools": seen.json["tools"],
        "generationConfig": {"temperature": 0.5, "seed": 0},
    }


def test_a_picture_is_sent_to_a_model_that_sees_and_only_named_to_another() -> None:
    data = base64.b64encode(PICTURE.data).decode()
    seen = {"inlineData": {"mimeType": "image/png", "data": data}}

    assert made(IMAGE)["contents"][0]["parts"] == [{"text": "What is this?"}, seen]
    assert made(IMAGE, images=False)["contents"][0]["parts"] == [
        {"text": "What is this?"},
        {"text": NOT_SHOWN},
    ]
    gone = replace(IMAGE, images={})
    assert made(gone)["contents"][0]["parts"][1] == {"text": NOT_SHOWN}


def test_tools_have_names_the_provider_takes_and_calls_come_back_under_ours(monkeypatch: Any) -> None:
    odd = replace(TOOLS[0], name="wetter.für/morgen")
    name = Table((odd,)).told(odd.name)
    call = {"functionCall": {"name": name, "args": {}}}
    (heard,), (seen,) = talk(monkeypatch, stream_of(said(call, end="STOP")), replace(PLAIN, tools=(odd,)))

    assert name != odd.name and name.isascii()
    assert seen.json["tools"][0]["functionDeclarations"][0]["name"] == name
    assert [call.name for call in heard.reply.calls] == [odd.name]


def test_a_tool_version_is_compiled_once(monkeypatch: Any) -> None:
    compiled: list[str] = []
    original = compiler.compile

    def counting(spec: Any) -> Any:
        compiled.append(spec.name)
        return original(spec)

    monkeypatch.setattr(compiler, "compile", counting)
    stored = replace(TOOLS[0], version="test-of-compiling-once")
    for _request in range(3):
        declarations((stored,), Table((stored,)))
    assert compiled == ["weather"]
    for _request in range(2):
        declarations(TOOLS[:1], Table(TOOLS))
    assert compiled == ["weather"] * 3, "a spec that is not stored has no version to know it by"


def test_without_tools_none_are_declared() -> None:
    assert "tools" not in made(replace(PLAIN, tools=()))


@pytest.mark.parametrize(
    ("model", "effort", "thinking"),
    [
        ("gemini-3.8-flash", None, {"includeThoughts": True}),
        ("gemini-3.8-flash", "none", {"includeThoughts": True, "thinkingLevel": "minimal"}),
        ("gemini-3.8-flash", "medium", {"includeThoughts": True, "thinkingLevel": "medium"}),
        ("gemini-3-pro-preview", "minimal", {"includeThoughts": True, "thinkingLevel": "low"}),
        ("gemini-3-pro-preview", "medium", {"includeThoughts": True, "thinkingLevel": "high"}),
        ("gemini-3.1-pro-preview", "medium", {"includeThoughts": True, "thinkingLevel": "medium"}),
        ("gemini-flash-latest", "high", {"includeThoughts": True, "thinkingLevel": "high"}),
        ("models/gemini-3.8-flash", "low", {"includeThoughts": True, "thinkingLevel": "low"}),
        ("gemini-3.8-flash", "utmost", {"includeThoughts": True}),
        ("gemini-2.5-flash", "low", {"includeThoughts": True, "thinkingBudget": 1024}),
        ("gemini-2.5-flash", "none", {"includeThoughts": False, "thinkingBudget": 0}),
        ("gemini-2.5-pro", "none", {"includeThoughts": True, "thinkingBudget": 128}),
        ("gemini-2.5-flash", None, None),
        ("gemini-2.0-flash", "high", None),
        ("gemma-4-27b-it", "high", None),
    ],
)
def test_the_effort_becomes_what_the_model_takes(model: str, effort: str | None, thinking: Any) -> None:
    settings = {"reasoning_effort": effort} if effort else {}
    assert generation_config(model, settings).get("thinkingConfig") == thinking


def test_settings_of_the_request_come_before_those_of_the_model() -> None:
    request = replace(PLAIN, settings={"temperature": 0, "max_output_tokens": 50})
    made_of_both = made(request, settings={"temperature": 1.0, "top_p": 0.9, "unknown": True})
    assert made_of_both["generationConfig"] == {"temperature": 0, "topP": 0.9, "maxOutputTokens": 50}


def test_a_history_begins_with_the_user_and_two_replies_in_a_row_are_one() -> None:
    """A call must come right after the user's words or an answer, or the whole request is refused."""
    call = ToolCallPart("c1", "weather", "{}")
    contents = told(
        ModelMessage("assistant", (TextPart("Hello."),)),
        ModelMessage("user", (TextPart("Hi."),)),
        ModelMessage("assistant", (ThinkingPart("hm"),)),
        ModelMessage("assistant", (TextPart("Broken o"),)),
        ModelMessage("assistant", (TextPart("I look."), call)),
        ModelMessage("tool", (ToolResultPart("c1", "weather", "rain", "succeeded"),)),
    )
    assert [content["role"] for content in contents] == ["user", "model", "user", "model", "user"]
    assert contents[0]["parts"] == [{"text": BEGINNING}]
    assert contents[3]["parts"][:2] == [{"text": "Broken o"}, {"text": "I look."}]


@pytest.mark.parametrize(
    ("raw", "args"),
    [
        ('{"city": "Oslo"}', {"city": "Oslo"}),
        ("", {}),
        ('{"city": "Os', {"unreadable": '{"city": "Os'}),
        ("[1]", {"unreadable": "[1]"}),
        ('{"x": NaN}', {"unreadable": '{"x": NaN}'}),
    ],
)
def test_arguments_of_the_history_are_an_object_whatever_was_written(raw: str, args: Any) -> None:
    (content,) = told(
        ModelMessage("user", ()), ModelMessage("assistant", (ToolCallPart("c1", "weather", raw),))
    )[1:]
    assert content["parts"][0]["functionCall"] == {"id": "c1", "name": "weather", "args": args}


def test_an_upload_is_never_sent_under_another_ones_name() -> None:
    request = replace(IMAGE, messages=(ModelMessage("user", (ImagePart("up2", "image/png"),)),))
    assert made(request)["contents"][0]["parts"] == [{"text": NOT_SHOWN}]
