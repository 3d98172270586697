"""Bob's studio: the storyboard's tools as the demo tenant has them, and a conversation to call them in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import wait
from dataclasses import dataclass
from threading import Barrier
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from platform_site.env import BASE_DIR
from platform_site.ids import new_id
from platform_site.models import Tenant, User
from tools import rules
from tools.definition import parsed, spec_from
from tools.executors.python import THREADS, _threads
from tools.outcome import Failed
from tools.packs.storyboard.models import Story
from tools.registry import Result, ToolContext, find
from tools.spec import ToolSpec

STUDIO = json.loads((BASE_DIR / "platform_site" / "setup" / "demo" / "studio.json").read_text())
SPECS: dict[str, ToolSpec] = {entry["name"]: spec_from(parsed(entry)) for entry in STUDIO["tools"]}
ENGLISH = "word " * 110
CHINESE = "风起于青萍之末" * 80
BIBLE = {
    "character_status": "Mara: keeper of the light",
    "key_items_and_locations": "The key: with Mara",
    "active_plot_threads": "Who shut the valve?",
}


def chapter(**given: Any) -> dict[str, Any]:
    """Good arguments of `update_storyboard`, but for what is given."""
    good = {
        "chapterNumber": 1, "chapterTitle": "The Lamp Goes Out", "chapter_content": ENGLISH * 2,
        "chapter_outline": ENGLISH,
    }  # fmt: skip
    return good | given


def broken(tool: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    """The rules these arguments break, by name: error, or warn."""
    facts = rules.Facts(tool=tool, risk="SAFE", now=timezone.now(), user={})
    found = rules.apply(SPECS[tool].rules, arguments, facts)
    errors = {error.keyword.removeprefix("rule:"): "error" for error in found.errors}
    return errors | {flag["name"].removeprefix("rule:"): "warn" for flag in found.flags}


@dataclass
class Desk:
    """A conversation in which tools are called."""

    context: ToolContext

    def call(self, tool: str, **given: Any) -> dict[str, Any]:
        """A call that works: what it answered."""
        answer = self.ask(tool, **given)
        assert isinstance(answer, Result), answer
        content: dict[str, Any] = answer.content
        return content

    def ask(self, tool: str, **given: Any) -> Result | Failed:
        handler = find(f"storyboard.{tool}")
        assert handler
        answer = handler.function(self.context, handler.typed(given))
        assert isinstance(answer, Result | Failed)
        return answer

    def refused(self, tool: str, **given: Any) -> Failed:
        answer = self.ask(tool, **given)
        assert isinstance(answer, Failed)
        return answer

    def warned(self, tool: str, **given: Any) -> list[str]:
        """What a call that works is warned of."""
        answer = self.ask(tool, **given)
        assert isinstance(answer, Result), answer
        return [str(warning) for warning in answer.warnings]

    @property
    def story(self) -> Story:
        return Story.objects.get(topic=self.context.topic)


@pytest.fixture
def tool_threads(transactional_db: None) -> Iterator[None]:
    """For tests in which tools run in threads of their own: these keep connections, which others would trip over."""
    yield
    all_there = Barrier(THREADS)

    def close() -> None:
        all_there.wait(timeout=5)
        connections.close_all()

    wait([_threads.submit(close) for _thread in range(THREADS)])


@pytest.fixture
def desk(inside: Tenant, bob: User) -> Desk:
    return Desk(ToolContext(inside, bob, call=new_id(), topic=new_id()))
