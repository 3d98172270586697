"""What people say, and what the demo model does first. One row a wording."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.demo.language import language_of
from agents.demo.scripts import decide
from agents.demo.understand import understand
from agents.messages import ModelMessage, Request, TextPart
from tests.agents.talk import MALL, Talk
from tests.cost import cost_of

NIKE_500 = {"keyword": "Nike running shoes", "brand": "Nike", "max_price": 500}
FRESH: list[tuple[str, str, dict[str, Any]]] = [
    ("Nike running shoes under 500", "search_products", NIKE_500),
    ("Find me Nike running shoes under 500", "search_products", {"brand": "Nike", "max_price": 500}),
    ("帮我买一双 Nike 跑鞋，500 以内的", "search_products", {**NIKE_500, "keyword": "Nike 跑鞋"}),
    ("show me cheap headphones", "search_products", {"keyword": "headphones"}),
    ("I'm looking for a jacket, not more than 600", "search_products", {"keyword": "jacket", "max_price": 600}),
    ("between 300 and 600 yuan jackets", "search_products", {"keyword": "jackets", "min_price": 300, "max_price": 600}),
    ("jackets from 300 to 600", "search_products", {"min_price": 300, "max_price": 600}),
    ("300到600的外套", "search_products", {"keyword": "外套", "min_price": 300, "max_price": 600}),
    ("不超过五百的耳机", "search_products", {"keyword": "耳机", "max_price": 500}),
    ("五百以内的耳机", "search_products", {"keyword": "耳机", "max_price": 500}),
    ("有没有500块以内的双肩包", "search_products", {"keyword": "双肩包", "max_price": 500}),
    ("给我推荐一款1000元左右的手机", "search_products", {"keyword": "手机", "min_price": 800, "max_price": 1200}),
    ("I want a phone between 1k and 2k", "search_products", {"keyword": "phone", "min_price": 1000, "max_price": 2000}),
    ("phones over 5000", "search_products", {"keyword": "phones", "min_price": 5000}),
    ("laptops for ￥8,000 or less", "search_products", {"keyword": "laptops", "max_price": 8000}),
    ("李宁的跑鞋", "search_products", {"keyword": "李宁 跑鞋", "brand": "Li-Ning"}),
    ("Levi's jeans", "search_products", {"keyword": "Levi's jeans", "brand": "Levi's"}),
    ("do you have coffee?", "search_products", {"keyword": "coffee"}),
    ("咖啡", "search_products", {"keyword": "咖啡"}),
    ("what about adidas?", "search_products", {"brand": "Adidas"}),
    ("那阿迪的呢", "search_products", {"keyword": "阿迪", "brand": "Adidas"}),
    ("size 42 nike running shoes below 500 please", "search_products", {**NIKE_500, "keyword": "nike running shoes"}),
    ("where is the Nike store?", "navigate_to_store", {"store_name": "Nike"}),
    ("Where's Uniqlo", "navigate_to_store", {"store_name": "Uniqlo"}),
    ("Nike 店在哪", "navigate_to_store", {"store_name": "Nike"}),
    ("优衣库在哪里？", "navigate_to_store", {"store_name": "优衣库"}),
    ("优衣库几楼", "navigate_to_store", {"store_name": "优衣库"}),
    ("怎么去火锅店", "navigate_to_store", {"store_name": "火锅店"}),
    ("How do I get to Lego?", "navigate_to_store", {"store_name": "Lego"}),
    ("take me to the food court", "navigate_to_area", {"area_name": "food court"}),
    ("Where is the Food Court?", "navigate_to_area", {"area_name": "Food Court"}),
    ("带我去美食区", "navigate_to_area", {"area_name": "美食区"}),
    ("运动区怎么走", "navigate_to_area", {"area_name": "运动区"}),
    ("哪里可以吃饭", "navigate_to_area", {"area_name": "美食区"}),
    ("where are the restaurants", "navigate_to_area", {"area_name": "food court"}),
    ("how do I get to the sports area", "navigate_to_area", {"area_name": "sports area"}),
    ("which stores sell phones?", "search_stores", {"keyword": "phones"}),
    ("where can I buy headphones", "search_stores", {"keyword": "headphones"}),
    ("哪里可以买手机", "search_stores", {"keyword": "手机"}),
    ("有哪些餐厅", "search_stores", {"keyword": "餐厅"}),
    ("opening hours of Nike", "search_stores", {"keyword": "Nike"}),
    ("What are Nike's opening hours?", "search_stores", {"keyword": "Nike"}),
    ("when does Uniqlo close?", "search_stores", {"keyword": "Uniqlo"}),
    ("优衣库几点关门", "search_stores", {"keyword": "优衣库"}),
    ("Nike 的营业时间", "search_stores", {"keyword": "Nike"}),
    ("any deals at Sony?", "search_stores", {"keyword": "Sony"}),
    ("Nike 有什么优惠", "search_stores", {"keyword": "Nike"}),
    ("reviews of Muji", "search_stores", {"keyword": "Muji"}),
    ("无印良品的评价怎么样", "search_stores", {"keyword": "无印良品"}),
    ("change my address to 12 Garden Road, Shanghai", "modify_address", {"address": "12 Garden Road, Shanghai"}),
    ("please ship it to 5 Nanjing Road", "modify_address", {"address": "5 Nanjing Road"}),
    ("修改地址为上海市花园路12号", "modify_address", {"address": "上海市花园路12号"}),
    ("寄到南京路5号", "modify_address", {"address": "南京路5号"}),
    ("delete my account", "delete_account", {}),
    ("我要注销账户", "delete_account", {}),
    ("cancel order order_5f0c2a", "cancel_order", {"order_id": "order_5f0c2a"}),
    ("track order order_5f0c2a", "get_order_status", {"order_id": "order_5f0c2a"}),
    ("订单 order_5f0c2a 到哪了", "get_order_status", {"order_id": "order_5f0c2a"}),
    ('call add_to_cart {"product_id": 7}', "add_to_cart", {"product_id": 7}),
]  # fmt: skip

SHOPPING: list[tuple[str, str, dict[str, Any]]] = [
    ("add the second one, size 42", "get_product_detail", {"product_id": "winflo"}),
    ("第二双，42 码", "get_product_detail", {"product_id": "winflo"}),
    ("put the third one in my cart", "get_product_detail", {"product_id": "revolution"}),
    ("the last one", "get_product_detail", {"product_id": "revolution"}),
    ("最后一双", "get_product_detail", {"product_id": "revolution"}),
    ("number 2", "get_product_detail", {"product_id": "winflo"}),
    ("第2个", "get_product_detail", {"product_id": "winflo"}),
    ("the winflo in 42", "get_product_detail", {"product_id": "winflo"}),
    ("buy the Nike Revolution", "get_product_detail", {"product_id": "revolution"}),
    ("tell me more about the second one", "get_product_detail", {"product_id": "winflo"}),
    ("第三双多少钱", "get_product_detail", {"product_id": "revolution"}),
    ("42码", "add_to_cart", {"product_id": "pegasus", "quantity": 1, "sku_id": "size_42"}),
    ("42", "add_to_cart", {"product_id": "pegasus", "sku_id": "size_42"}),
    ("EU 42", "add_to_cart", {"product_id": "pegasus", "sku_id": "size_42"}),
    ("I'll take size 41", "add_to_cart", {"sku_id": "size_41"}),
    ("two of them in 42", "add_to_cart", {"quantity": 2, "sku_id": "size_42"}),
    ("我要两双 42码的", "add_to_cart", {"quantity": 2, "sku_id": "size_42"}),
    ("the pegasus in 42", "add_to_cart", {"product_id": "pegasus", "sku_id": "size_42"}),
    ("the cheapest one in 41", "add_to_cart", {"product_id": "pegasus", "sku_id": "size_41"}),
    ("cheaper ones", "search_products", {"keyword": "Nike running shoes", "max_price": 398}),
    ("便宜点的", "search_products", {"max_price": 398}),
    ("under 300", "search_products", {"keyword": "Nike running shoes", "max_price": 300}),
    ("show similar products", "search_products", {"keyword": "Running shoes"}),
    ("看看类似的", "search_products", {"keyword": "跑鞋"}),
    ("compare the first two", "get_product_detail", {"product_id": "pegasus"}),
    ("对比前两款", "get_product_detail", {"product_id": "pegasus"}),
]  # fmt: skip

BOUGHT: list[tuple[str, str, dict[str, Any]]] = [
    ("order it", "create_order", {"cart_id": "cart_1"}),
    ("checkout", "create_order", {"cart_id": "cart_1"}),
    ("下单", "create_order", {"cart_id": "cart_1"}),
    ("立即下单", "create_order", {"cart_id": "cart_1"}),
    ("yes please", "create_order", {"cart_id": "cart_1"}),
    ("好的", "create_order", {"cart_id": "cart_1"}),
    ("remove it", "remove_from_cart", {"cart_id": "cart_1", "product_id": "pegasus", "sku_id": "size_42"}),
    ("移除第一个", "remove_from_cart", {"product_id": "pegasus"}),
    ("删掉 pegasus", "remove_from_cart", {"product_id": "pegasus"}),
    ("clear the cart", "clear_cart", {"cart_id": "cart_1"}),
    ("清空购物车", "clear_cart", {"cart_id": "cart_1"}),
]

TALK: list[tuple[str, str]] = [
    ("hello", "I am the mall guide"),
    ("你好", "商城导购"),
    ("thanks!", "welcome"),
    ("谢谢", "不客气"),
    ("help", "I can search products"),
    ("你能做什么", "我可以搜索商品"),
    ("who are you?", "scripted demo"),
    ("are you a real person", "scripted demo"),
    ("你是谁", "脚本演示"),
    ("continue shopping", "look around"),
    ("继续逛逛", "慢慢逛"),
    ("no thanks", "All right"),
    ("不用了", "好的"),
    ("what's in my cart", "not put anything"),
    ("查看购物车", "还没有加过"),
    ("order it", "not put anything"),
    ("where is my order?", "no order"),
    ("取消订单", "没有订单"),
    ("change my address", "What is the new address"),
    ("try again", "nothing to try"),
    ("any deals?", "Which store"),
    ("what's the weather", "did not understand"),
    ("今天天气怎么样", "没听懂"),
    ("call me a taxi", "did not understand"),
]


def first_call(talk: Talk, text: str) -> tuple[str, dict[str, Any]]:
    made = talk.hear(text).calls
    assert made, text
    return made[0].name, json.loads(made[0].arguments)


def check(talk: Talk, text: str, tool: str, arguments: dict[str, Any]) -> None:
    name, given_arguments = first_call(talk, text)
    assert (name, {key: given_arguments.get(key) for key in arguments}) == (tool, arguments)


@pytest.mark.parametrize(("text", "tool", "arguments"), FRESH)
def test_a_first_wish_leads_to_the_call(text: str, tool: str, arguments: dict[str, Any]) -> None:
    check(Talk(), text, tool, arguments)


@pytest.mark.parametrize(("text", "tool", "arguments"), SHOPPING)
def test_a_choice_refers_to_what_was_shown(text: str, tool: str, arguments: dict[str, Any]) -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    check(talk, text, tool, arguments)


@pytest.mark.parametrize(("text", "tool", "arguments"), BOUGHT)
def test_the_cart_is_known_from_its_last_result(text: str, tool: str, arguments: dict[str, Any]) -> None:
    talk = Talk()
    talk.say("Nike running shoes under 500")
    talk.say("42")
    check(talk, text, tool, arguments)


@pytest.mark.parametrize(("text", "answer"), TALK)
def test_what_needs_no_tool_is_answered_in_words(text: str, answer: str) -> None:
    reply = Talk().hear(text)
    assert answer in reply.text
    assert {made.name for made in reply.calls} <= {"suggest_replies"}


def test_two_places_are_two_parallel_calls() -> None:
    for text in ("where is Nike and Adidas?", "Nike 和 Adidas 在哪里？"):
        calls = Talk().hear(text).calls
        assert [json.loads(made.arguments)["store_name"] for made in calls] == ["Nike", "Adidas"]


def test_every_quick_reply_is_understood() -> None:
    seen: set[str] = set()
    for opening in (
        "hello",
        "你好",
        "Nike running shoes under 500",
        "帮我买一双 Nike 跑鞋，500 以内的",
        "show me headphones",
    ):
        talk = Talk()
        talk.say(opening)
        for option in talk.options:
            again = Talk(messages=list(talk.messages))
            again.say(option)
            assert "did not understand" not in again.text and "没听懂" not in again.text, option
            seen.add(option)
    assert len(seen) > 10


def test_a_number_is_answered_in_the_language_spoken_before() -> None:
    assert language_of(["42", "帮我买鞋"], "en") == "zh"
    assert language_of(["42"], "zh-hans") == "zh"
    assert language_of(["Nike 跑鞋"], "en") == "zh"
    assert language_of(["shoes", "你好"], "zh-hans") == "en"


@pytest.mark.parametrize(
    "seed",
    [
        "a",
        "1",
        " ",
        "一",
        "a ",
        "the ",
        "1-",
        "第一个",
        "show me ",
        "and,",
        "0.0.",
        "\n",
        "cancel ",
        "地址是",
    ],
)
def test_a_document_costs_no_more_than_a_sentence(seed: str) -> None:
    """T19: no wording makes the patterns explode."""
    text = (seed * 32_000)[:32_000]
    request = Request("demo", "", (ModelMessage("user", (TextPart(text),)),), MALL)
    decide(request)
    assert cost_of(lambda: decide(request)) < 0.1


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_no_text_breaks_the_understanding(text: str) -> None:
    assert understand(text).intent
