"""The sample search service: what it finds in both languages, what it does not, and that its links lead somewhere."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tools.packs.market.backend.app import create_app
from tools.packs.market.backend.instruments import INSTRUMENTS, Instrument
from tools.packs.market.backend.library import articles, find
from tools.packs.search.reading import question, read

HTTP = TestClient(create_app(), base_url="http://127.0.0.1:8802")
KEY = {"Authorization": "Bearer sample"}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("what moves the price of copper", "copper"), ("铜价受什么影响", "copper"), ("玉米期货一手是多少", "corn"),
        ("Sluice是什么", "sluice"), ("how do I brew tea", "tea"), ("what is a moving average", "candlesticks"),
        ("夏令时", "daylight-saving"), ("why does it ask after a search", "sluice-outside-text"),
    ],
)  # fmt: skip
def test_it_finds_what_is_meant(query: str, first: str) -> None:
    assert find(query)[0].id == first


@pytest.mark.parametrize("one", INSTRUMENTS, ids=[one.symbol for one in INSTRUMENTS])
def test_each_future_has_an_article_in_both_languages(one: Instrument) -> None:
    first, second = (find(name)[0] for name in (one.name, one.name_zh))
    assert first is second and first.text and first.text_zh


@pytest.mark.parametrize(
    "query", ["quantum chromodynamics", "who won the world cup", "今天的足球比赛", "???", "the"]
)
def test_what_it_does_not_know_it_says(query: str) -> None:
    answer = HTTP.post("/search/chat/completions", json=question(query, "sonar"), headers=KEY).json()
    found = read(answer)
    assert not found.sources and query[:5] in found.text and found.is_sample


@pytest.mark.parametrize(("query", "language"), [("what moves gold", "en"), ("黄金为什么上涨", "zh")])
def test_its_answers_are_those_of_the_protocol_and_its_links_lead_to_the_articles(
    query: str, language: str
) -> None:
    answer = HTTP.post("/search/chat/completions", json=question(query, "sonar"), headers=KEY).json()
    found = read(answer)
    assert "[1]" in found.text and found.is_sample
    for source in found.sources:
        page = HTTP.get(source.url)
        assert page.status_code == 200 and source.title in page.text and f'lang="{language}"' in page.text
        assert page.headers["content-security-policy"] == "default-src 'none'"


def test_it_wants_a_key_and_a_question() -> None:
    assert HTTP.post("/search/chat/completions", json=question("gold", "sonar")).status_code == 401
    for body in ({}, {"messages": []}, {"messages": [{"role": "user"}]}, {"messages": "x"}, []):
        assert HTTP.post("/search/chat/completions", json=body, headers=KEY).status_code == 400
    assert HTTP.post("/search/chat/completions", content=b"{", headers=KEY).status_code == 400
    assert HTTP.get("/search/articles/nothing").status_code == 404


def test_every_article_is_whole() -> None:
    for one in articles().values():
        assert one.words and one.date and len(one.sentences("en")) > 1 and len(one.sentences("zh")) > 1
