"""What the demo mall guide does when a call is refused, fails, or gets lost (M6, M7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agents.demo.scripts import decide
from agents.messages import ToolResultPart
from tests.agents.talk import (
    MALL,
    Answer,
    Talk,
    bought,
    failing,
    names,
    shop,
    tool,
)


def refusal(code: str, message: str = "No.", **more: Any) -> dict[str, Any]:
    return {"status": "FAILED", "error": {"code": code, "message": message, **more}}


def test_a_changed_price_is_told_and_asked_again() -> None:
    """M6."""
    lines = [{"name": "Nike Pegasus Running Shoes", "old_price": 399, "new_price": 420}]
    details = {"cart_id": "cart_1", "lines": lines, "total": 420}
    talk = bought()
    talk.answers = failing("create_order", "failed", refusal("price_changed", details=details))
    text = talk.say("order it")
    assert "was ¥399, now ¥420" in text and "Nothing was ordered" in text
    talk.answers = shop
    talk.say(talk.options[0])
    assert talk.made == [("create_order", {"cart_id": "cart_1"})]


def test_what_the_shop_says_beforehand_is_told_like_what_it_says_afterwards() -> None:
    """The preview of an order failed, so nobody was asked: the call is refused with the shop's own error."""
    talk = bought()
    talk.answers = failing("create_order", "refused", refusal("cart_empty"))
    assert "cart is empty" in talk.say("order it")
    talk.answers = failing("create_order", "refused", refusal("unreachable"))
    assert "does not answer" in talk.say("order it")
    talk.answers = failing("create_order", "refused", '{"status": "REFUSED", "message": "Not here."}')
    assert "not allowed to do that: Not here." in talk.say("order it")


def test_a_changed_price_is_agreed_to_with_yes() -> None:
    talk = bought()
    talk.answers = failing("create_order", "failed", "price_changed: now 420.")
    assert "price has changed" in talk.say("order it")
    talk.answers = shop
    talk.say("yes")
    assert talk.made == [("create_order", {"cart_id": "cart_1"})]


def test_out_of_stock_offers_what_is_similar() -> None:
    """M6."""
    similar = [{"id": "buds", "name": "Wireless Headphones", "price": 299}]
    talk = Talk(answers=failing("add_to_cart", "failed", refusal("out_of_stock", suggestions=similar)))
    talk.say("Nike running shoes under 500")
    assert "1. Wireless Headphones: ¥299" in talk.say("42")
    talk.say("Number 1")
    assert talk.made == [("get_product_detail", {"product_id": "buds"})]


def test_nothing_found_suggests_other_searches() -> None:
    """M6."""
    empty = {"count": 0, "products": [], "message": "Nothing found.", "suggestions": ["Running shoes"]}
    talk = Talk(answers=failing("search_products", "succeeded", empty))
    assert "found nothing" in talk.say("show me unicorns")
    assert talk.options == ["Search for Running shoes"]


def test_nothing_found_tries_the_kind_of_goods_alone_once() -> None:
    empty = {"count": 0, "products": [], "message": "Nothing found."}
    talk = Talk(answers=failing("search_products", "succeeded", empty))
    talk.say("show me sparkling green shoes")
    assert [given["keyword"] for _, given in talk.made] == ["sparkling green shoes", "shoes"]


@pytest.mark.parametrize(
    ("status", "content", "told"),
    [
        ("denied", "The person said no.", "I did not do it"),
        ("expired", "Nobody decided.", "nothing was done"),
        ("lapsed", "Too late.", "nothing was done"),
        ("withdrawn", "Not carried out.", "nothing was changed"),
        ("pending_confirmation", '{"status": "PENDING_CONFIRMATION"}', "Nothing has been changed yet"),
        ("unknown", '{"status": "UNKNOWN"}', "cannot tell whether"),
        ("refused", '{"status": "UNKNOWN_TOOL", "message": "There is no such tool."}', "not allowed"),
        ("failed", refusal("timeout"), "does not answer"),
        ("failed", refusal("unreachable"), "does not answer"),
        ("failed", "read timed out", "does not answer"),
        (
            "failed",
            refusal("size_needed", suggestions=[{"sku_id": "size_41", "label": "EU 41"}]),
            "In stock: EU 41",
        ),
        (
            "failed",
            refusal("account_deleted", "The account is gone. Tell the person."),
            "The account is gone.",
        ),
        ("failed", "", "did not work"),
        ("rejected", {"status": "REJECTED", "message": "quantity is too large."}, "in a wrong way"),
    ],
)
def test_no_effect_is_claimed_that_did_not_happen(status: str, content: Any, told: str) -> None:
    talk = Talk(answers=failing("add_to_cart", status, content))
    talk.say("Nike running shoes under 500")
    text = talk.say("42")
    assert told in text and "Added" not in text
    assert names(talk) == ["add_to_cart"]


def test_trying_again_repeats_the_call_that_failed() -> None:
    talk = Talk(answers=failing("add_to_cart", "failed", refusal("timeout")))
    talk.say("Nike running shoes under 500")
    talk.say("42")
    first = talk.made
    talk.answers = shop
    talk.say("Try again")
    assert talk.made == first


def test_bad_arguments_are_corrected_once() -> None:
    """M7."""
    seen: list[dict[str, Any]] = []

    def strict(name: str, given: dict[str, Any]) -> Answer:
        if name != "search_products":
            return shop(name, given)
        seen.append(given)
        if "brand" in given:
            return "rejected", {
                "status": "REJECTED",
                "errors": [{"path": "$.brand", "message": "there is no such key"}],
            }
        return shop(name, given)

    talk = Talk(answers=strict)
    talk.say("Nike running shoes under 500")
    assert [sorted(given) for given in seen] == [["brand", "keyword", "max_price"], ["keyword", "max_price"]]
    assert "get_product_detail" in names(talk)


def test_bad_arguments_twice_are_apologised_for() -> None:
    talk = Talk(
        answers=failing("search_products", "rejected", '{"message": "brand and max_price are wrong."}')
    )
    assert "in a wrong way" in talk.say("Nike running shoes under 500")
    assert names(talk) == ["search_products", "search_products"]


def test_a_store_nobody_knows_leads_to_near_ones() -> None:
    near = [{"id": "nike", "name": "Nike", "name_zh": "耐克"}]
    talk = Talk(answers=failing("navigate_to_store", "failed", refusal("store_not_found", suggestions=near)))
    assert "does not know “Nikke”" in talk.say("where is Nikke?")
    assert talk.options == ["Take me to Nike"]


def test_a_decision_that_comes_later_is_told() -> None:
    """M5: a reviewer approves while the conversation goes on; the next run tells the outcome."""
    talk = Talk(
        answers=failing("delete_account", "pending_confirmation", '{"status": "PENDING_CONFIRMATION"}')
    )
    assert "reviewer has to approve" in talk.say("delete my account")
    talk.say("show me headphones")
    place = next(
        nth for nth, message in enumerate(talk.messages)
        for part in message.parts if isinstance(part, ToolResultPart) and part.name == "delete_account"
    )  # fmt: skip
    [waiting] = talk.messages[place].parts
    assert isinstance(waiting, ToolResultPart)
    settled = replace(waiting, status="succeeded", content='{"deleted": true}')
    talk.messages[place] = replace(talk.messages[place], parts=(settled,))
    assert talk.go_on() == "Your account is deleted."


def test_quick_replies_that_could_not_be_shown_are_written_out() -> None:
    talk = Talk(answers=failing("suggest_replies", "failed", "no"))
    talk.say("hello")
    assert "You can answer: Nike running shoes under 500" in decide(talk.request()).text


def test_without_the_suggestions_tool_there_is_text_alone() -> None:
    talk = Talk(tools=tuple(spec for spec in MALL if spec.name != "suggest_replies"))
    assert talk.hear("hello").calls == ()


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    talk = Talk(tools=tuple(spec for spec in MALL if spec.name != "create_order"))
    talk.say("Nike running shoes under 500")
    talk.say("42")
    assert "cannot do that here" in talk.say("order it")
    assert talk.made == []


def test_only_arguments_of_the_schema_are_given() -> None:
    talk = Talk(tools=(tool("search_products", "keyword"), tool("get_product_detail", "product_id")))
    talk.say("Nike running shoes under 500")
    assert talk.made[0] == ("search_products", {"keyword": "Nike running shoes"})


@pytest.mark.parametrize(
    "content", ["", "[]", "null", "7", '"text"', "{", "<html>", '{"products": 5}', '{"products": [1, {}]}']
)
def test_a_strange_answer_does_not_break_the_talk(content: str) -> None:
    for name in ("search_products", "get_product_detail", "add_to_cart"):
        talk = Talk(answers=failing(name, "succeeded", content))
        talk.say("Nike running shoes under 500")
        talk.say("42")
        talk.say("order it")


def test_an_empty_conversation_gets_a_reply() -> None:
    assert decide(Talk().request()).text
