"""A market source that stands still on a Friday afternoon, and what one asks it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from tools.packs.market.backend.app import create_app

FRIDAY = datetime(2026, 11, 20, 14, 3, tzinfo=UTC)
SATURDAY = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)

Ask = Callable[..., Any]


def source_at(now: datetime) -> Ask:
    """`ask(path, **query)`: (status, answer) at this moment."""
    http = TestClient(create_app(lambda: now))

    def ask(path: str, **query: str) -> Any:
        answer = http.get(path, params=query)
        return answer.status_code, answer.json()

    return ask


@pytest.fixture(scope="session")
def ask() -> Ask:
    return source_at(FRIDAY)
