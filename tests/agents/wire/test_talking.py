"""How the OpenAI providers talk to servers: what they send, to whom, and how they stop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from agents import providers
from agents.providers import access, clients, network
from agents.providers.access import Account
from agents.providers.base import ProviderError
from agents.stream import TextDelta
from platform_site.env import env
from tests.agents.wire import files
from tests.agents.wire.adapters import OPENAI_CHAT, OPENAI_RESPONSES, Adapter
from tests.agents.wire.cases import PICTURE, REQUESTS
from tests.agents.wire.driving import Heard, ask, model_of
from tests.agents.wire.files import Wire, load
from tests.agents.wire.server import WireServer

PLAIN = REQUESTS["plain"]
BOTH = pytest.mark.parametrize("adapter", [OPENAI_CHAT, OPENAI_RESPONSES], ids=["chat", "responses"])
KEY = "sk-tenants-own-key"


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        try:
            await scenario()
        finally:
            await clients.close()

    asyncio.run(whole())


async def heard_from(adapter: Adapter, server: WireServer, monkeypatch: Any, request: Any = PLAIN) -> Heard:
    adapter.point(monkeypatch, server.url)
    return await ask(providers.get(adapter.provider), request, model_of(adapter.provider))


def tenants_own(monkeypatch: Any, url: str, *egress: str, key: str = KEY) -> None:
    """Every model is asked with a tenant's account at `url`."""
    own = Account("openai", f"{url}/v1", key, trusted=False, egress=egress, id="c1")

    async def account(_model: Any) -> Account:
        return own

    monkeypatch.setattr(access, "account", account)


@BOTH
def test_what_is_sent_is_the_request_in_the_words_of_the_protocol(adapter: Adapter, monkeypatch: Any) -> None:
    async def scenario() -> None:
        async with WireServer(load(adapter.folder, "image_in")) as server:
            await heard_from(adapter, server, monkeypatch, REQUESTS["image"])
            sent = server.seen[0]
        assert sent.method == "POST" and sent.json["model"] == "model-1" and sent.json["stream"] is True
        path = {"openai": "/v1/chat/completions", "openai-responses": "/v1/responses"}[adapter.provider]
        assert sent.path == path and sent.headers["accept"] == "text/event-stream"
        assert b"data:image/png;base64,iVBORw0KGgog" in sent.body and PICTURE.data not in sent.body

    run(scenario)


@BOTH
def test_stopping_closes_the_upstream_request_at_once(adapter: Adapter, monkeypatch: Any) -> None:
    async def scenario() -> None:
        async with WireServer(load(adapter.folder, "stall")) as server:
            adapter.point(monkeypatch, server.url)
            stream = providers.get(adapter.provider).stream(PLAIN, model_of(adapter.provider))
            async for event in stream:
                if isinstance(event, TextDelta):
                    break
            assert server.seen[0].gone_at is None
            stopped = time.monotonic()
            await stream.aclose()
            await asyncio.wait_for(server.seen[0].gone.wait(), 1)
            assert (server.seen[0].gone_at or 0) - stopped < 0.1

    run(scenario)


@BOTH
def test_cancelling_who_reads_closes_the_upstream_request_at_once(adapter: Adapter, monkeypatch: Any) -> None:
    silent = Wire(headers=(("content-type", "text/event-stream"),), end="stall")

    async def scenario() -> None:
        for wire in (load(adapter.folder, "stall"), silent):
            async with WireServer(wire) as server:
                reading = asyncio.create_task(heard_from(adapter, server, monkeypatch))
                await asyncio.wait_for(server.came.wait(), 5)
                await asyncio.sleep(0.02)
                reading.cancel()
                await asyncio.wait({reading})
                await asyncio.wait_for(server.seen[0].gone.wait(), 1)

    run(scenario)


@BOTH
def test_one_connection_serves_one_reply_after_another(adapter: Adapter, monkeypatch: Any) -> None:
    async def scenario() -> None:
        async with WireServer(load(adapter.folder, "text")) as server:
            for _turn in range(3):
                assert not (await heard_from(adapter, server, monkeypatch)).error
            assert (len(server.seen), server.connections) == (3, 1)

    run(scenario)


def test_a_reply_that_is_whole_counts_though_its_numbers_never_come(monkeypatch: Any) -> None:
    monkeypatch.setattr(env, "model_stall_s", 0.1)
    whole = load("openai_chat", "text").whole
    before_numbers = whole[: whole.index(b'"finish_reason":"stop"')] + b'"finish_reason":"stop"}]}\n\n'

    async def scenario() -> None:
        for end in ("drop", "stall", "close"):
            async with WireServer(Wire(body=(before_numbers,), end=end)) as server:
                heard = await heard_from(OPENAI_CHAT, server, monkeypatch)
            assert heard.error is None and heard.reply.text.startswith("Hello"), end

    run(scenario)


def test_a_server_that_answers_in_one_piece_is_understood(monkeypatch: Any) -> None:
    wire = files.parsed(
        'HTTP/1.1 200 OK\ncontent-type: application/json\n\n{"object": "chat.completion", "model": "m",'
        ' "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}],'
        ' "usage": {"prompt_tokens": 3, "completion_tokens": 1}}\n'
    )

    async def scenario() -> None:
        async with WireServer(wire) as server:
            reply = (await heard_from(OPENAI_CHAT, server, monkeypatch)).reply
        assert reply.text == "Hello" and reply.finish and reply.finish.input_tokens == 3

    run(scenario)


@pytest.mark.parametrize(
    "body",
    [
        b'data: {"choices": "x"}\n\n',
        b'data: {"choices": [{"delta": 1}]}\n\n',
        b"data: [1]\n\n",
        b"hello\n",
        b"",
    ],
)
def test_what_is_no_chunk_is_an_error_that_says_so(body: bytes, monkeypatch: Any) -> None:
    async def scenario() -> None:
        async with WireServer(Wire(body=(body,))) as server:
            error = (await heard_from(OPENAI_CHAT, server, monkeypatch)).error
        assert error and error.code in ("bad_request", "network") and error.message

    run(scenario)


def test_nobody_is_there(monkeypatch: Any) -> None:
    async def scenario() -> None:
        async with WireServer(Wire()) as server:
            pass
        error = (await heard_from(OPENAI_CHAT, server, monkeypatch)).error
        assert error and error.code == "network"
        for url in ("ftp://example.test", "not a url"):
            monkeypatch.setattr(env, "openai_base_url", url)
            error = (await ask(providers.get("openai"), PLAIN, model_of("openai"))).error
            assert error and error.code in ("bad_request", "network"), url

    run(scenario)


def test_a_tenants_model_server_on_a_private_address_is_refused_unless_the_operator_listed_it(
    monkeypatch: Any,
) -> None:
    """The egress guard stands before model requests as before tools' (T47)."""

    async def scenario() -> None:
        async with WireServer(load("openai_chat", "text")) as server:
            tenants_own(monkeypatch, server.url)
            error = (await ask(providers.get("openai"), PLAIN, model_of("openai"))).error
            assert error and error.code == "bad_request" and "may not be reached" in error.message
            assert server.connections == 0
            tenants_own(monkeypatch, server.url, f"127.0.0.1:{server.port}")
            heard = await ask(providers.get("openai"), PLAIN, model_of("openai"))
            assert not heard.error and server.seen[0].headers["authorization"] == f"Bearer {KEY}"
            tenants_own(monkeypatch, server.url)
            assert (await ask(providers.get("openai"), PLAIN, model_of("openai"))).error, (
                "not by a kept connection"
            )

    run(scenario)


def test_nothing_of_the_operators_environment_goes_to_a_tenants_server(monkeypatch: Any) -> None:
    """T61. The SDK adds organization, project and custom headers from the environment by itself."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-operators")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-operators")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-operators")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-operators")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/operators")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Operators: secret-operators")

    async def scenario() -> None:
        async with WireServer(load("openai_chat", "text")) as server:
            listed = f"127.0.0.1:{server.port}"
            for key in (KEY, ""):
                tenants_own(monkeypatch, server.url, listed, key=key)
                assert not (await ask(providers.get("openai"), PLAIN, model_of("openai"))).error
                sent = server.seen[-1]
                assert "operators" not in str(sent.headers) and sent.headers.get("authorization", "") == (
                    f"Bearer {key}" if key else ""
                )
                assert sent.headers.keys() <= network.PLAIN_HEADERS
            monkeypatch.undo()
            monkeypatch.setenv("OPENAI_ORG_ID", "org-operators")
            await heard_from(OPENAI_CHAT, server, monkeypatch)
            assert server.seen[-1].headers["openai-organization"] == "org-operators"

    run(scenario)


def test_an_error_without_end_is_read_only_so_far(monkeypatch: Any) -> None:
    """T52."""
    monkeypatch.setattr(network, "LONGEST_ERROR_S", 0.1)
    endless = Wire(500, body=tuple(b"x" * 65_536 for _piece in range(400)), end="stall")
    slow = Wire(500, body=tuple(one for _piece in range(100) for one in (b"x", 0.02)), end="stall")

    async def scenario() -> None:
        for wire in (endless, slow):
            async with WireServer(wire) as server:
                began = time.monotonic()
                error = (await heard_from(OPENAI_CHAT, server, monkeypatch)).error
                assert error and error.code == "overloaded" and len(error.detail) <= 1_000
                assert time.monotonic() - began < 1
                await asyncio.wait_for(server.seen[0].gone.wait(), 1)
                assert server.seen[0].sent < 8_000_000

    run(scenario)


def test_a_redirect_is_not_followed(monkeypatch: Any) -> None:
    """A key must not be taken elsewhere."""

    async def scenario() -> None:
        async with WireServer(load("openai_chat", "text")) as elsewhere:
            redirect = Wire(307, (("location", f"{elsewhere.url}/v1/chat/completions"),))
            async with WireServer(redirect) as server:
                error = (await heard_from(OPENAI_CHAT, server, monkeypatch)).error
            assert error and error.code == "bad_request" and not elsewhere.seen

    run(scenario)


def test_no_key_stands_in_the_log_even_when_everything_is_logged(
    monkeypatch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """T61."""
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2"):
        caplog.set_level(logging.DEBUG, name)

    async def scenario() -> None:
        for case in ("text", "401"):
            async with WireServer(load("openai_chat", case)) as server:
                tenants_own(monkeypatch, server.url, f"127.0.0.1:{server.port}")
                await ask(providers.get("openai"), PLAIN, model_of("openai"))
                assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"

    run(scenario)
    assert caplog.records and KEY not in caplog.text


def test_no_cookie_is_kept(monkeypatch: Any) -> None:
    wire = replace(load("openai_chat", "text"), headers=(("set-cookie", "a=b"),))

    async def scenario() -> None:
        async with WireServer(wire) as server:
            for _turn in range(2):
                assert not (await heard_from(OPENAI_CHAT, server, monkeypatch)).error
            assert "cookie" not in server.seen[1].headers

    run(scenario)


def test_no_key_stands_in_an_error(monkeypatch: Any) -> None:
    """T61. The server's own words repeat it."""
    body = f'{{"error": {{"message": "no such key: {KEY}"}}}}'.encode()

    async def scenario() -> None:
        async with WireServer(Wire(401, body=(body,))) as server:
            tenants_own(monkeypatch, server.url, f"127.0.0.1:{server.port}")
            error = (await ask(providers.get("openai"), PLAIN, model_of("openai"))).error
        assert error and error.code == "auth" and KEY not in f"{error.detail}{error.message}{error!r}"
        assert KEY not in repr(Account("openai", "", KEY, trusted=False))

    run(scenario)


def test_clients_are_kept_by_account_and_forgotten_when_there_are_many(monkeypatch: Any) -> None:
    made: list[str] = []

    def make(account: Account, _http: Any) -> str:
        made.append(account.key)
        return account.key

    async def scenario() -> None:
        monkeypatch.setattr(clients, "MOST_KEPT", 2)
        one = Account("openai", "http://a", "one", trusted=False)
        for account in (one, one, replace(one, key="two"), one, replace(one, key="three"), one):
            assert clients.kept("openai", account, make) == account.key
        assert made == ["one", "two", "three"]
        clients.kept("openai", replace(one, key="two"), make)
        assert made == ["one", "two", "three", "two"]

    run(scenario)


def test_a_reader_that_stops_early_leaves_nothing_open(monkeypatch: Any) -> None:
    async def scenario() -> None:
        async with WireServer(load("openai_chat", "text")) as server:
            OPENAI_CHAT.point(monkeypatch, server.url)
            stream = providers.get("openai").stream(PLAIN, model_of("openai"))
            async with aclosing(stream):
                async for _event in stream:
                    break
            await asyncio.wait_for(server.seen[0].gone.wait(), 1)

    run(scenario)


def test_a_model_that_nobody_gave_a_key_says_so(monkeypatch: Any) -> None:
    monkeypatch.setattr(env, "openai_api_key", None)
    monkeypatch.setattr(env, "openai_base_url", "")

    async def scenario() -> None:
        for provider in ("openai", "openai-responses", "perplexity"):
            error = (await ask(providers.get(provider), PLAIN, model_of(provider))).error
            assert isinstance(error, ProviderError) and error.code == "auth" and "key" in error.message

    run(scenario)
