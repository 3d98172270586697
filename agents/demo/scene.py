"""One request as the mall script plays it: the story, the wish, the voice, and what may be called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents.demo import memory
from agents.demo.memory import Thing
from agents.demo.say import LONGEST_OPTION, MOST_OPTIONS, Voice
from agents.demo.script import Scripted, ScriptedCall, call
from agents.demo.story import SUGGEST, Story
from agents.demo.understand import Wish, understand
from tools.spec import ToolSpec

_LONGEST_LABEL = 60
_OPEN_INTENTS = ("search", "unknown", "pick", "refine")


@dataclass(frozen=True)
class Scene:
    story: Story

    @cached_property
    def tools(self) -> dict[str, ToolSpec]:
        return {spec.name: spec for spec in self.story.request.tools}

    @cached_property
    def voice(self) -> Voice:
        return Voice(self.story.language)

    @cached_property
    def wish(self) -> Wish:
        """The wish, with names looked up in what was shown before."""
        wish = understand(self.story.text)
        if wish.intent not in _OPEN_INTENTS or wish.low is not None or wish.high is not None:
            return wish
        if self._names_one_shown(wish):
            return replace(wish, intent="pick")
        return replace(wish, intent="pick", keyword="", buys=True) if self._answers_which(wish) else wish

    def _answers_which(self, wish: Wish) -> bool:
        """Whether the words are a size or variant of the product talked about, and name nothing else."""
        focus = memory.focus(self.before)
        if not focus or wish.picks or (wish.size and wish.keyword) or len(wish.text) > _LONGEST_LABEL:
            return False
        return bool(memory.sku_said(memory.detail(self.before, focus), wish.size, wish.text))

    @cached_property
    def before(self) -> Story:
        """The story up to the person's last words."""
        messages = self.story.request.messages
        last = max((place for place, message in enumerate(messages) if message.role == "user"), default=0)
        return Story(replace(self.story.request, messages=messages[: last + 1]))

    def _names_one_shown(self, wish: Wish) -> bool:
        shown = memory.products(self.before)
        return bool(wish.keyword) and len(memory.called_so(shown, wish.keyword)) == 1 and len(shown) > 1

    def say(self, key: str, **values: Any) -> str:
        return self.voice.say(key, **values)

    def reply(self, text: str, options: Sequence[str] = ()) -> Scripted:
        """A text, with quick replies where they can be shown."""
        chosen = list(dict.fromkeys(text for text in options if 0 < len(text) <= LONGEST_OPTION))[
            :MOST_OPTIONS
        ]
        if not chosen or SUGGEST not in self.tools:
            return Scripted(text)
        return Scripted(text, (call(SUGGEST, {"options": chosen}),))

    def tell(self, key: str, *options: str, **values: Any) -> Scripted:
        """A phrase, with quick replies named by their phrases."""
        return self.reply(self.say(key, **values), self.voice.options(*options))

    def act(self, name: str, arguments: Thing, text: str = "") -> Scripted:
        """Call a tool, with a word before it."""
        return self.act_all([(name, arguments)], text)

    def act_all(self, wanted: Iterable[tuple[str, Thing]], text: str = "") -> Scripted:
        """Call tools side by side."""
        calls = [self._call(name, arguments) for name, arguments in wanted]
        known = tuple(made for made in calls if made)
        return Scripted(text, known) if known else self.tell("cannot")

    def _call(self, name: str, arguments: Thing) -> ScriptedCall | None:
        """The call with those arguments that the tool's schema has; None when the tool is not offered."""
        spec = self.tools.get(name)
        if spec is None:
            return None
        properties = spec.schema.get("properties")
        given = {key: value for key, value in arguments.items() if value not in (None, "")}
        if isinstance(properties, dict):
            given = {key: value for key, value in given.items() if key in properties}
        return call(name, given)
