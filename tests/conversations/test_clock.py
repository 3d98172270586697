"""What time it is for the person: told with every request, on their own clock, where it parts nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agents import router
from agents.messages import ModelMessage, Request, TextPart
from conversations import clock
from platform_site.models import Tenant, User
from tests.conversations.conftest import Talk, bobs, talk

__all__ = ["bobs", "talk"]
AT = datetime(2026, 11, 21, 15, 31, tzinfo=UTC)


def test_it_is_the_persons_own_zone_else_the_tenants() -> None:
    tenant = Tenant(timezone="Europe/Berlin")
    assert clock.zone_of(User(timezone="Asia/Shanghai"), tenant).key == "Asia/Shanghai"
    assert clock.zone_of(User(timezone=""), tenant).key == "Europe/Berlin"
    assert clock.zone_of(User(timezone="No/Where"), tenant).key == "UTC"


def test_it_stands_before_what_was_said_last() -> None:
    said = [ModelMessage("user", (TextPart(text),)) for text in ("one", "two")]
    told = clock.told(said, AT, clock.zone_of(User(timezone="Asia/Shanghai"), Tenant()))
    assert [told[0], told[2]] == said
    note = told[1].parts[0]
    assert isinstance(note, TextPart)
    assert note.text.endswith("For the person it is Saturday, 2026-11-21 23:31 (Asia/Shanghai).")


def test_every_round_of_a_run_is_told_the_same(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Request] = []
    speak = router.speak

    def listening(request: Request, *rest: Any) -> Any:
        asked.append(request)
        return speak(request, *rest)

    monkeypatch.setattr(router, "speak", listening)
    talk.turn('call look {"item": "shoe"}')
    first, second = (request.messages[0].parts[0] for request in asked[:2])
    assert first == second and isinstance(first, TextPart) and "For the person it is" in first.text
