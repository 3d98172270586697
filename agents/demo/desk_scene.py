"""A request as the desk script reads it: what is offered, what time it is, what it asked last, and its voice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from agents.demo import desk_time
from agents.demo import desk_words as words
from agents.demo.desk_reading import READ
from agents.demo.script import Scripted, call
from agents.demo.story import SUGGEST, Story, spoken


@dataclass(frozen=True)
class Scene:
    story: Story

    @cached_property
    def text(self) -> str:
        """What the person said last, as far as it is looked at; without the agent's name, by which a group calls it."""
        plain = " ".join(self.story.text[:READ].split())
        group = self.story.request.settings.get("group")
        names = group.get("agent", ()) if isinstance(group, dict) else ()
        called = next((f"@{name}" for name in names if plain.lower().startswith(f"@{name}".lower())), "")
        return plain[len(called) :].lstrip(" ,:，：")

    @cached_property
    def now(self) -> datetime | None:
        return desk_time.now_in(self.story.request)

    def asked(self, *keys: str) -> bool:
        """Whether the script's own last words asked this."""
        said = [message for message in self.story.request.messages if message.role == "assistant"]
        return bool(said) and any(one in spoken(said[-1]) for key in keys for one in words.PHRASES[key])

    def has(self, tool: str) -> bool:
        return any(spec.name == tool for spec in self.story.request.tools)

    def say(self, key: str, **values: Any) -> str:
        return words.say(key, self.story.language, **values)

    def act(self, tool: str, arguments: dict[str, Any], before: str) -> Scripted:
        """Call a tool, with a word before it."""
        return Scripted(self.say(before), (call(tool, arguments),))

    def tell(self, key: str, *options: str, **values: Any) -> Scripted:
        """A phrase, with quick replies named by their phrases."""
        return self.reply(self.say(key, **values), *(self.say(option) for option in options))

    def reply(self, text: str, *options: str) -> Scripted:
        """A text, with quick replies where they can be shown."""
        calls = (call(SUGGEST, {"options": list(options)}),) if options and self.has(SUGGEST) else ()
        return Scripted(text, calls)
