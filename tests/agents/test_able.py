"""Which models can take a request, and the request as each of them takes it. And how large it is, roughly."""

from __future__ import annotations

from dataclasses import replace

from agents import tokens
from agents.able import UNSEEN, able, asked_of
from agents.messages import ImagePart, ModelMessage, Part, Request, TextPart, ToolCallPart, ToolResultPart
from agents.spec import ModelSpec
from tests.agents.talk import MALL

SEES = ModelSpec("sees", "x", "sees-1", images=True)
BLIND = ModelSpec("blind", "x", "blind-1")
PICTURE = ImagePart("u1", "image/png")


def said(*parts: Part, role: str = "user") -> ModelMessage:
    return ModelMessage(role, parts)  # type: ignore[arg-type]


def asking(*messages: ModelMessage) -> Request:
    return Request("", "Be kind.", messages, MALL)


def names(request: Request, *models: ModelSpec) -> list[str]:
    return [model.slug for model in able(request, models).models]


def test_a_picture_goes_to_a_model_that_sees() -> None:
    request = asking(said(TextPart("What is this?"), PICTURE))
    assert names(request, BLIND, SEES) == ["sees"]
    assert able(request, [BLIND]).lacks == {"blind": "images"}


def test_a_picture_from_earlier_rules_nobody_out_and_is_told_in_words() -> None:
    request = asking(said(PICTURE), said(TextPart("A cat."), role="assistant"), said(TextPart("Thanks")))
    assert names(request, BLIND, SEES) == ["blind", "sees"]
    assert asked_of(BLIND, request).messages[0].parts == (TextPart(UNSEEN),)
    assert asked_of(SEES, request).messages[0].parts == (PICTURE,)


def test_a_picture_still_counts_while_its_calls_are_answered() -> None:
    call = said(ToolCallPart("c", "look", "{}"), role="assistant")
    result = said(ToolResultPart("c", "look", "ok", "succeeded"), role="tool")
    assert names(asking(said(PICTURE), call, result), BLIND, SEES) == ["sees"]


def test_a_model_without_tools_is_offered_none_and_told_of_them_in_words() -> None:
    plain = replace(BLIND, tools=False)
    call = said(ToolCallPart("c", "look", '{"item": "hat"}'), role="assistant")
    result = said(ToolResultPart("c", "look", "red", "succeeded"), role="tool")
    asked = asked_of(plain, asking(said(TextPart("Look")), call, result))
    assert asked.tools == ()
    assert [message.role for message in asked.messages] == ["user", "assistant", "user"]
    assert "hat" in str(asked.messages[1]) and "red" in str(asked.messages[2])
    kept = asked_of(BLIND, asking(call, result))
    assert kept.tools == MALL
    assert kept.messages == (call, result)


def test_a_window_that_is_too_small_is_passed_over() -> None:
    request = asking(said(TextPart("word " * 4_000)))
    small, large = replace(BLIND, slug="small", context=2_000), replace(BLIND, slug="large", context=50_000)
    assert names(request, small, large) == ["large"]
    assert able(request, [small]).lacks == {"small": "context_too_long"}
    assert names(request, BLIND) == ["blind"], "nobody said how large its window is"


def test_english_comes_to_a_token_for_four_letters_and_chinese_to_one_a_character() -> None:
    assert tokens.of_text("abcd" * 100) == 100
    assert tokens.of_text("汉字" * 100) == 200
    assert tokens.of_text("") == 0
    assert tokens.of_text("汉字 abcd") == 2 + 2
    assert tokens.of_part(PICTURE) == tokens.IMAGE


def test_a_request_is_its_instructions_tools_and_messages() -> None:
    bare = Request("", "Be kind.", ())
    with_tools = replace(bare, tools=MALL)
    longer = replace(with_tools, messages=(said(TextPart("x" * 400)),))
    sizes = [tokens.of_request(one) for one in (bare, with_tools, longer)]
    assert sizes[0] == 2
    assert sizes[0] < sizes[1]
    assert sizes[2] == sizes[1] + 100 + tokens.MESSAGE
