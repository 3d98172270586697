"""What a question is read as: something to do, a choice, or something to look into; in both languages."""

from __future__ import annotations

import pytest

from agents.demo.debate_gerund import gerund
from agents.demo.debate_stepping import point_of
from agents.demo.debate_topic import topic_of
from tests.cost import cost_of


@pytest.mark.parametrize(
    ("question", "change"),
    [
        ("Should we rewrite the backend in Rust?", "rewriting the backend in Rust"),
        ("Should I quit my job?", "quitting your job"),
        ("Should schools ban phones?", "having schools ban phones"),
        ("Should AI be regulated?", "having AI regulated"),
        ("Is remote work a good idea?", "remote work"),
        ("Is it worth learning Latin?", "learning Latin"),
        ("What do you think about electric cars?", "electric cars"),
        ("We should move to a four day week", "moving to a four day week"),
        ("pineapple on pizza", "pineapple on pizza"),
        ("quit smoking", "quitting smoking"),
        ("远程办公好不好？", "远程办公"),
        ("我们应该用Rust重写后端吗？", "“用 Rust 重写后端”"),
        ("学校该不该禁止手机？", "“学校禁止手机”"),
        ("我该不该辞职？", "辞职"),
        ("要不要孩子", "要孩子"),
    ],
)
def test_something_that_may_be_done_or_left(question: str, change: str) -> None:
    reading = topic_of(question, "en", has_picture=False).reading
    assert (reading.family, reading.change) == ("act", change)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("tabs or spaces", ("tabs", "spaces")),
        ("Cats vs dogs", ("cats", "dogs")),
        ("Should we use Postgres or MySQL for the new service?", ("Postgres", "MySQL")),
        ("Should we hire a senior or two juniors?", ("hiring a senior", "hiring two juniors")),
        ("Should I stay or should I go?", ("staying", "going")),
        ("Is Python better than Java?", ("Python", "Java")),
        ("Kubernetes, Nomad or plain VMs?", ("Kubernetes", "Nomad", "plain VMs")),
        ("买房还是租房？", ("买房", "租房")),
        ("猫还是狗更适合做宠物？", ("猫", "狗")),
        ("Postgres和MySQL哪个好？", ("Postgres", "MySQL")),
        ("豆腐脑应该吃甜的还是咸的？", ("甜的豆腐脑", "咸的豆腐脑")),
    ],
)
def test_a_choice(question: str, options: tuple[str, ...]) -> None:
    reading = topic_of(question, "en", has_picture=False).reading
    assert (reading.family, reading.options) == ("choose", options)


@pytest.mark.parametrize(
    ("question", "form", "asks_why"),
    [
        ("What is wrong with this chart?", "question", True),
        ("Why did our sales drop by 12% last month?", "question", True),
        ("Is nuclear power safe?", "question", False),
        ("The earth is flat.", "claim", False),
        ("?", "question", False),
        ("为什么我们的销售下降了12%？", "question", True),
        ("人工智能会取代程序员吗？", "question", False),
        ("地球是平的", "claim", False),
    ],
)
def test_something_to_look_into(question: str, form: str, asks_why: bool) -> None:
    reading = topic_of(question, "en", has_picture=False).reading
    assert (reading.family, reading.form, reading.asks_why) == ("examine", form, asks_why)


def test_a_figure_is_noticed_and_a_version_is_none() -> None:
    assert topic_of("Why did sales drop by 12% last month?", "en", has_picture=False).number == "12%"
    assert topic_of("Should we move to Python 3 or stay?", "en", has_picture=False).number == ""


def test_a_passage_has_a_main_claim_and_its_question_is_the_question() -> None:
    passage = (
        "Our council plans to close Main Street to cars from May. Shop owners fear for their turnover. Closing it will "
        "always divide us, because nobody asked the side streets."
    )
    topic = topic_of(passage, "en", has_picture=False)
    assert topic.claim.startswith("Closing it will always divide us")
    assert (topic.sentences, topic.reading.form) == (3, "claim")
    asked = topic_of(f"{passage} Should we close it?", "en", has_picture=False)
    assert (asked.reading.family, asked.reading.change) == ("act", "closing it")


def test_what_the_demo_is_told_to_do_is_no_part_of_the_question() -> None:
    plain = topic_of("Tea or coffee?", "en", has_picture=False)
    assert topic_of("fault 503 twice then Tea or coffee?", "en", has_picture=False) == plain
    assert topic_of('Tea or coffee?\ncall buy {"item": "hat"}', "en", has_picture=False) == plain


@pytest.mark.parametrize(
    ("verb", "doing"),
    [
        ("make it", "making it"), ("stop", "stopping"), ("die", "dying"), ("not eat meat", "not eating meat"),
        ("re-write it", "re-writing it"), ("buy and sell", "buying and selling"), ("agree", "agreeing"),
        ("be kind", "being kind"),
    ],
)  # fmt: skip
def test_english_verbs_become_names_of_doing(verb: str, doing: str) -> None:
    assert gerund(verb) == doing


@pytest.mark.parametrize(
    ("said", "named", "kind"),
    [
        ("please consider the cost too", "the cost", "cost"),
        ("What about my children?", "your children", "people"),
        ("Both of you forgot that we have no servers at all", "“that we have no servers at all”", "other"),
        ("consider the colour", "the colour", "other"),
    ],
)
def test_who_steps_in_makes_a_point(said: str, named: str, kind: str) -> None:
    point = point_of(said, "en")
    assert point and (point.named, point.kind) == (named, kind)


def test_who_steps_in_in_chinese_makes_a_point() -> None:
    point = point_of("请也考虑一下成本吧", "zh")
    assert point and (point.named, point.kind) == ("“成本”", "cost")
    assert point_of("调用 buy {}", "zh") is None


@pytest.mark.parametrize("piece", ["1,", "a ", "is a ", "or ", "\n", "should ", "请", "call ", "please "])
def test_a_question_of_any_length_is_read_at_once(piece: str) -> None:
    """What a person types cannot keep the server busy."""
    text = piece * (32_000 // len(piece))
    assert cost_of(lambda: (topic_of(text, "en", has_picture=False), point_of(text, "en"))) < 1
