"""The key of a search service stands in its sealed column and in the header it is sent with, and nowhere else (T61)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps

from agents.messages import Request
from agents.providers.demo import DemoProvider
from agents.spec import ModelSpec
from platform_site.models import Tenant
from tests.conversations.conftest import Talk, bobs, talk
from tests.search.conftest import KEY, answered
from tests.search.test_taint import searcher, searching
from tests.tools.backend import Say, answer, hang_up

__all__ = ["bobs", "searcher", "talk"]
ASK = 'call perplexity_search {"query": "news"}'
FAULTS = (
    answer({"error": {"message": f"bad key {KEY}"}}, "401 Unauthorized"),
    answer({"error": KEY}, "500 Internal Server Error"),
    answer(f"<html>{KEY}</html>".encode()),
    hang_up,
)


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that models were sent."""
    seen: list[str] = []
    stream = DemoProvider.stream

    def listening(self: DemoProvider, request: Request, model: ModelSpec) -> Any:
        seen.append(repr(request))
        return stream(self, request, model)

    monkeypatch.setattr(DemoProvider, "stream", listening)
    return seen


def stored() -> Iterator[str]:
    """Every value of every row of every table of ours."""
    ours = ("platform_site", "agents", "tools", "conversations", "django_q")
    for model in apps.get_models():
        if model._meta.app_label in ours:
            rows = getattr(model.objects, "across_tenants", model.objects.all)()
            yield from (f"{model.__name__} {row}" for row in rows.values())


@pytest.mark.parametrize("script", [answer(answered(search_results=[])), *FAULTS])
def test_the_key_shows_nowhere(
    searcher: Talk, tenant: Tenant, script: Say, prompts: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """T61: whether the search succeeds or fails, with a service that repeats the key in its errors."""
    with caplog.at_level(logging.DEBUG):
        _, served = searching(searcher, tenant, ASK, script, key=KEY)
    assert served.seen[0].headers["authorization"] == f"Bearer {KEY}", "else nothing is shown here"
    told = [*stored(), *prompts, caplog.text, json.dumps(searcher.log())]
    assert len(prompts) > 1 and any("perplexity_search" in one for one in told)
    assert [one[:200] for one in told if KEY in one] == []
