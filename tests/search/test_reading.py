"""What an answer of a search service means. Pure: nothing is asked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.search.conftest import answered
from tools.packs.search.reading import LONGEST_ANSWER, MOST_SOURCES, Malformed, question, read

PAGE = {
    "title": "Copper",
    "url": "https://www.example.org/copper?a=1",
    "date": "2026-10-19",
    "snippet": "It\n conducts.",
}


def test_it_is_asked_as_a_chat() -> None:
    assert question("why?", "sonar") == {
        "model": "sonar", "messages": [{"role": "user", "content": "why?"}], "stream": False,
    }  # fmt: skip


def test_an_answer_with_its_sources() -> None:
    found = read(answered(search_results=[PAGE]))
    assert (found.text, found.answered, found.is_sample) == ("Copper conducts. [1]", False, False)
    assert [source.told() for source in found.sources] == [{**PAGE, "n": 1, "snippet": "It conducts."}]


def test_an_older_service_gives_addresses_alone() -> None:
    (source,) = read(answered(citations=["https://www.example.org/copper"])).sources
    assert (source.n, source.title, source.url) == (1, "example.org", "https://www.example.org/copper")


def test_a_source_that_cannot_be_followed_is_left_out_and_the_others_keep_their_numbers() -> None:
    found = read(answered(search_results=[{"url": "javascript:alert(1)", "title": "x"}, PAGE]))
    assert [source.n for source in found.sources] == [2]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//example.org/", "https://", "ftp://example.org/",
        "https://bank.example@evil.example/", "https://a\\@b/", "https://exa mple.org/", "https://a.example/\n", "",
        None,
        7,
        'https://a.example/"onclick=', "https://[::1", "https://" + "a" * 2_000 + ".example/",
    ],
)  # fmt: skip
def test_what_is_no_web_address_is_no_source(url: Any) -> None:
    """T49: an address has one reading or none."""
    assert read(answered(search_results=[{"title": "x", "url": url}])).sources == ()


@pytest.mark.parametrize(
    "bad",
    [
        None, [], "text", {}, {"choices": []}, {"choices": [{}]}, {"choices": [{"message": None}]}, answered(None),
        answered(7), answered(""), answered("<think>only thoughts</think>"), {"choices": "x"}, answered({"a": 1}),
    ],
)  # fmt: skip
def test_what_says_nothing_is_malformed(bad: Any) -> None:
    with pytest.raises(Malformed):
        read(bad)


@pytest.mark.parametrize("listed", [{}, "x", 3, [None, 3, {}, []]])
def test_sources_that_are_none_cost_no_answer(listed: Any) -> None:
    assert read(answered(search_results=listed)).sources == ()


def test_parts_are_put_together_and_thoughts_are_left_out() -> None:
    assert (
        read(answered([{"type": "text", "text": "<think>hm</think>\nIt "}, {"text": "is."}])).text == "It is."
    )


def test_everything_is_bounded() -> None:
    """T52."""
    many = [{**PAGE, "title": "t" * 5_000, "snippet": "s" * 5_000, "date": "d" * 500}] * 200
    found = read(answered("a" * 50_000, search_results=many))
    assert (len(found.text), len(found.sources)) == (LONGEST_ANSWER, MOST_SOURCES)
    assert max(len(found.sources[0].title), len(found.sources[0].snippet)) <= 400


def test_a_service_may_have_answered_the_person_itself() -> None:
    """R6; it then needs no text, and only a plain `true` counts."""
    assert read({"answered_user": True}).answered
    assert read(answered("Sent.", answered_user=True)).answered
    assert not read(answered("Text.", answered_user="yes")).answered
