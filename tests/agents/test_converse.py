"""Whole conversations of the demo mall guide with a canned shop, and of the script that plays without one."""

from __future__ import annotations

import pytest

from tests.agents.talk import (
    BUDS,
    CART,
    LINE,
    LINE_2,
    SHOES,
    Talk,
    bought,
    names,
    shop,
    tool,
)


def test_shopping_goes_from_search_to_order_in_english() -> None:
    """M3: search, inspect, ask the size, add, offer to order, order."""
    talk = Talk()
    recommended = talk.say("Nike running shoes under 500")
    assert names(talk) == ["search_products", "get_product_detail"]
    assert "1. Nike Pegasus Running Shoes: ¥399" in recommended and "Which size" in recommended
    assert talk.options == ["EU 41", "EU 42"]
    assert "Would you like to order now?" in talk.say("EU 42")
    assert talk.made == [("add_to_cart", {"product_id": "pegasus", "quantity": 1, "sku_id": "size_42"})]
    assert talk.options == ["Order it", "Continue shopping", "Show my cart"]
    assert "M000009 is placed" in talk.say("Order it")
    assert talk.made == [("create_order", {"cart_id": "cart_1"})]
    assert "placed" in talk.say("where is my order?")
    assert "cancelled" in talk.say("cancel my order")
    assert talk.made == [("cancel_order", {"order_id": "order_9"})]


def test_shopping_goes_from_search_to_order_in_chinese() -> None:
    talk = Talk()
    assert "请问您要哪个尺码" in talk.say("帮我买一双 Nike 跑鞋，500 以内的")
    assert talk.options == ["41 码", "42 码"]
    assert "需要现在下单吗" in talk.say("42码")
    assert talk.options == ["立即下单", "继续逛逛", "查看购物车"]
    assert "耐克 Pegasus 跑鞋 42 码 × 1" in talk.say("查看购物车")
    assert talk.made == []
    assert "已提交" in talk.say("立即下单")
    assert "您的购物车是空的" in talk.say("查看购物车")
    assert "已下单" in talk.say("查订单")


def test_size_said_with_the_wish_needs_no_question() -> None:
    talk = Talk()
    talk.say("buy me Nike running shoes under 500 in size 42")
    assert names(talk) == ["search_products", "get_product_detail", "add_to_cart"]


def test_how_many_is_remembered_over_the_question_for_the_size() -> None:
    talk = Talk()
    talk.say("buy two Nike running shoes under 500")
    talk.say("42")
    assert talk.made[-1][1]["quantity"] == 2


def test_it_means_what_was_looked_at_last() -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    talk.say("the second one")
    assert names(talk) == ["get_product_detail"]
    talk.say("42")
    assert talk.made == [("add_to_cart", {"product_id": "winflo", "quantity": 1, "sku_id": "size_42"})]


def test_something_not_shown_is_searched_not_guessed() -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    assert talk.hear("the ultraboost in 42").calls[0].name == "search_products"


def test_a_product_without_sizes_is_offered_and_added_on_yes() -> None:
    talk = Talk()
    assert "Shall I add it" in talk.say("show me headphones")
    talk.say("yes")
    assert talk.made == [("add_to_cart", {"product_id": "buds", "quantity": 1})]


def test_comparing_inspects_both_side_by_side() -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    reply = talk.hear("compare the first two")
    assert [made.name for made in reply.calls] == ["get_product_detail", "get_product_detail"]
    talk.messages.pop()
    assert "I would take **Nike Pegasus" in talk.say("compare the first two")


def test_two_wanted_at_once_are_added_side_by_side() -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    talk.say("add the first two to my cart in 42")
    assert names(talk) == ["get_product_detail", "get_product_detail", "add_to_cart", "add_to_cart"]


def test_a_sold_out_size_is_not_added() -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    assert "in EU 43 is sold out" in talk.say("43")
    assert talk.made == [] and talk.options == ["EU 41", "EU 42"]


def test_a_size_that_does_not_exist_is_said() -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    assert "does not come in 36" in talk.say("size 36")


def test_a_place_beyond_the_list_is_asked_about() -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    assert "only 3" in talk.say("the seventh one")


def test_which_line_to_remove_is_asked() -> None:
    talk = bought()
    talk.answers = lambda name, given: (
        ("succeeded", {**CART, "lines": [LINE, LINE_2]}) if name == "add_to_cart" else shop(name, given)
    )
    talk.say("the second one in 41")
    assert "Which one shall I take out" in talk.say("remove it")
    talk.say("Remove number 2")
    assert talk.made[0][1]["product_id"] == "winflo"


@pytest.mark.parametrize(
    ("asked", "topic", "told"),
    [
        ("opening hours of Nike", "basic", "10:00-22:00"),
        ("Nike 有什么优惠", "promotions", "送袜子"),
        ("reviews of Nike", "reviews", "Lin ★★★★★ Friendly."),
    ],
)
def test_a_question_about_a_store_looks_its_id_up_first(asked: str, topic: str, told: str) -> None:
    talk = Talk()
    assert told in talk.say(asked)
    assert talk.made[1:] == [("get_store_info", {"store_id": "nike", "info_type": topic})]


def test_reviews_of_a_product_shown_are_its_details() -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    assert talk.hear("reviews of the winflo").calls[0].name == "get_product_detail"


def test_the_way_is_told_for_each_place() -> None:
    text = Talk().say("where is Nike and Adidas?")
    assert "**Nike** is on floor 2" in text and "**Adidas** is on floor 2" in text


def test_the_reply_is_in_the_language_of_the_last_message() -> None:
    talk = Talk()
    talk.say("你好")
    assert "I recommend" in talk.say("show me headphones")
    assert "推荐" in talk.say("耳机")


# Agents without the mall's tools


def test_a_generic_agent_lists_its_tools() -> None:
    talk = Talk(tools=(tool("draw_chart", "symbol"), tool("suggest_replies", "options")))
    text = talk.say("hello")
    assert "scripted demo model" in text and "`draw_chart`: Does draw_chart." in text
    assert talk.options == ["call draw_chart {}"]
    assert "脚本演示" in talk.say("你好")


def test_spelled_out_calls_go_side_by_side_with_their_raw_text() -> None:
    talk = Talk(tools=(tool("draw_chart", "symbol"),))
    calls = talk.hear(
        'call draw_chart {"symbol": \'x\',}\n调用 draw_chart {\n  "symbol": "y"\n}\ncall nobody_has_this []'
    ).calls
    assert [(made.name, made.arguments) for made in calls] == [
        ("draw_chart", "{\"symbol\": 'x',}"),
        ("draw_chart", '{\n  "symbol": "y"\n}'),
        ("nobody_has_this", "[]"),
    ]


def test_spelled_out_calls_are_reported() -> None:
    talk = Talk(
        tools=(tool("draw_chart", "symbol"),), answers=lambda name, given: ("failed", "no such symbol")
    )
    assert talk.say('call draw_chart {"symbol": "x"}').endswith(
        "`draw_chart` did not succeed (failed): no such symbol"
    )


def test_the_call_pattern_works_in_the_mall_too() -> None:
    talk = Talk()
    assert "`clear_cart` answered" in talk.say('call clear_cart {"cart_id": "cart_1"}')


def test_echo_and_count_make_long_answers() -> None:
    assert Talk().hear("echo  a\n b").text == " a\n b"
    assert Talk().hear("count to 5").text == "1 2 3 4 5"
    assert len(Talk().hear("count to 999999999").text.split()) == 5000
    assert Talk().hear("数到 3").text == "1 2 3"


def test_the_canned_shop_has_what_the_tests_name() -> None:
    assert [shoe["id"] for shoe in SHOES] == ["pegasus", "winflo", "revolution"] and BUDS["id"] == "buds"
