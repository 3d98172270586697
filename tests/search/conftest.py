"""A tenant with an account at a search service that says what a test tells it to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from platform_site.db import db
from platform_site.models import Credential, Tenant, User
from platform_site.secrets import context_of, seal
from tests.tools.backend import CALL, Backend, Say, backend
from tools import executors
from tools.catalogue import save_tool, spec_of
from tools.models import ToolCall
from tools.outcome import Outcome
from tools.registry import ToolContext, find

KEY = "pplx-canary-0123456789"
Search = Callable[..., tuple[Outcome, Backend]]


def answered(text: Any = "Copper conducts. [1]", **more: Any) -> dict[str, Any]:
    """A good answer of the protocol."""
    return {"choices": [{"message": {"role": "assistant", "content": text}}], **more}


@pytest.fixture
def search(transactional_db: None, tenant: Tenant, bob: User, inside: Tenant) -> Search:
    """`search(query, *script)`: the tool executed against that service, which the operator has opened."""
    handler = find("search.perplexity_search")
    assert handler
    tool, _ = save_tool(handler.definition(), None)
    assert tool.current
    spec = spec_of(tool.current)

    def ask(query: str, *script: Say, opened: bool = True, key: str = KEY) -> tuple[Outcome, Backend]:
        async def scenario() -> tuple[Outcome, Backend]:
            async with backend(*script) as served:
                await db(open_account, f"{served.origin}/v1", key)
                tenant.egress = [f"127.0.0.1:{served.port}"] if opened else []
                call = ToolCall(id=CALL, arguments={"query": query}, tenant_id=tenant.pk)
                return await executors.execute(spec, call, ToolContext(tenant, bob)), served

        return asyncio.run(scenario())

    return ask


def open_account(base_url: str, key: str) -> None:
    credential, _ = Credential.objects.get_or_create(slug="pplx", provider="perplexity")
    credential.base_url, credential.sealed = base_url, seal(key, context_of(credential)) if key else ""
    credential.save()
