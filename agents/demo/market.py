"""The market script: prices, news and charts by the tools of the market pack. Everything else it leaves to others."""

from __future__ import annotations

from typing import Any

from agents.demo import market_words as words
from agents.demo.market_words import Wish
from agents.demo.script import Scripted, call
from agents.demo.story import SUGGEST, Result, Story

TOOLS = frozenset({"get_price", "get_news", "draw_chart"})
TOOL_OF = {"price": "get_price", "news": "get_news", "chart": "draw_chart"}
MOST_NEWS = 5
MOST_NAMES = 3
MOST_ALONE = 24
"""Characters of a message that may be a period and nothing else."""


def play(story: Story) -> Scripted | None:
    """The next reply; None when the person wants something else, or no tool for it is offered."""
    scene = Scene(story)
    if story.speaks_last == "user":
        wish = scene.wish()
        return scene.begin(wish) if wish and TOOL_OF[wish.intent] in scene.offered else None
    results = [one for one in story.newest if one.name in TOOLS]
    return scene.tell_of(results[0]) if results else None


class Scene:
    """A request as this script reads it."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.offered = {spec.name for spec in story.request.tools}

    def say(self, key: str, **values: Any) -> str:
        return words.say(key, self.story.language, **values)

    def reply(self, text: str, *options: str) -> Scripted:
        """A text, with quick replies where they can be shown."""
        calls = (call(SUGGEST, {"options": list(options)}),) if SUGGEST in self.offered and options else ()
        return Scripted(text, calls)

    def begin(self, wish: Wish) -> Scripted | None:
        """Call the tool, about what was talked of last if nothing is named."""
        about = wish.about or self._last("symbol")
        if not about:  # "how much is it?" may be meant for another script
            return None if wish.intent == "price" else self._ask(wish)
        match wish.intent:
            case "price":
                given = {"name": about}
            case "news":
                given = {"keyword": about}
            case "chart":
                given = {"symbol": about, "period": wish.period or "1d"}
        text = self.say("drawing" if wish.intent == "chart" else "looking")
        return Scripted(text, (call(TOOL_OF[wish.intent], given),))

    def _ask(self, wish: Wish) -> Scripted:
        names = ("黄金", "原油") if self.story.language == "zh" else ("gold", "crude oil")
        return self.reply(self.say("which"), *(self._option(wish.intent, name) for name in names))

    def wish(self) -> Wish | None:
        """What the person wants; a period alone ("and weekly?") is about the chart before."""
        text = self.story.text
        period = words.period_in(text) if len(text) <= MOST_ALONE and self._last("period") else ""
        return words.read(text) or (Wish("chart", "", period) if period else None)

    def _last(self, key: str) -> str:
        """What the newest good answer of our tools that says something there says."""
        told = (one.data.get(key) for one in self.story.results() if one.name in TOOLS and one.ok)
        return next((str(found) for found in told if found), "")

    def tell_of(self, result: Result) -> Scripted:
        """What a tool answered, in words."""
        if not result.ok:
            return self._failed(result)
        match result.name:
            case "get_price":
                return self._price(result.data)
            case "draw_chart":
                return self._chart(result.data)
            case _:
                return self._news(result)

    def _price(self, told: dict[str, Any]) -> Scripted:
        facts = {**told, "name": self._name(told), "unit": self._own(told, "unit"), "change": _signed(told)}
        facts["price"] = f"{told.get('price', 0):,}"
        text = self._dated(self.say("price", **facts), told)
        name = self._name(told)
        return self.reply(text, self._option("chart", name), self._option("news", name))

    def _chart(self, told: dict[str, Any]) -> Scripted:
        period = words.period_words(str(told.get("period")), self.story.language)
        facts = {**told, "name": self._name(told), "period": period, "change": _signed(told)}
        facts |= {key: f"{told.get(key, 0):,}" for key in ("low", "high")}
        text = self._dated(self.say("chart", **facts), told)
        name = self._name(told)
        other = "1d" if told.get("period") == "1w" else "1w"
        return self.reply(text, self._option("chart", name, other), self._option("price", name))

    def _news(self, result: Result) -> Scripted:
        about = str(result.arguments.get("keyword", ""))
        items = [one for one in result.data.get("items") or [] if isinstance(one, dict)][:MOST_NEWS]
        if not items:
            near = [str(one) for one in result.data.get("suggestions") or []][:MOST_NAMES]
            return self.reply(
                self.say("no_news", about=about), *(self._option("news", name) for name in near)
            )
        lines = [
            f"- {self._own(one, 'title')} ({self._own(one, 'source')}, {_day(one.get('published_at'))})"
            for one in items
        ]
        ending = [self.say("sample_news")] if result.data.get("sample") else []
        return self.reply("\n\n".join([self.say("news", about=about), "\n".join(lines), *ending]))

    def _failed(self, result: Result) -> Scripted:
        about = str(next(iter(result.arguments.values()), ""))
        near = [one for one in result.error.get("suggestions") or [] if isinstance(one, dict)][:MOST_NAMES]
        if result.error.get("code") != "unknown_symbol" or not near:
            return Scripted(self.say("failed", why=result.error.get("message") or result.content[:200]))
        names = [self._name(one) for one in near]
        told = self.say("or").join(filter(None, [self.say("comma").join(names[:-1]), names[-1]]))
        intent = next(intent for intent, tool in TOOL_OF.items() if tool == result.name)
        text = self.say("unknown", about=about, names=told)
        return self.reply(text, *(self._option(intent, name) for name in names))

    def _dated(self, text: str, told: dict[str, Any]) -> str:
        """With the time the numbers are of, and whether they are real."""
        as_of = str(told.get("as_of", "")).replace("T", " ").replace(":00Z", " UTC")
        dated = [self.say("stale" if told.get("stale") else "as_of", as_of=as_of)] if as_of else []
        return self.say("space").join([text, *dated, *([self.say("sample")] if told.get("sample") else [])])

    def _option(self, intent: str, name: str, period: str = "1d") -> str:
        return self.say(f"s_{intent}", name=name, period=words.period_words(period, self.story.language))

    def _name(self, told: dict[str, Any]) -> str:
        return self._own(told, "name") or str(told.get("symbol", ""))

    def _own(self, told: dict[str, Any], key: str) -> str:
        """A text in the person's language."""
        return str((told.get(f"{key}_zh") if self.story.language == "zh" else "") or told.get(key) or "")


def _signed(told: dict[str, Any]) -> str:
    change = told.get("change_percent")
    return f"{change:+.2f}" if isinstance(change, int | float) else "?"


def _day(published: Any) -> str:
    return str(published or "")[:10]
