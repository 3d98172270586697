"""The way to Gemini: the SDK makes the request, we read the answer as it comes.

The SDK's own stream makes typed objects of each chunk (134 ms of CPU a 1,000 chunks; read here, 15) and does not close
the connection when its reader stops. Through its public seams alone it is made to hand the answer over: the body goes
in as `HttpOptions.extra_body`, so that no value in it is remade, and `HttpOptions.httpx_async_client` is a client
that keeps the open answer for us and gives the SDK an empty one. Address, headers and errors stay the SDK's.

One SDK client serves every account: address and key are given with each request.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx2
from google import genai
from google.genai import errors, types

from agents.providers import clients, faults, gemini_faults, network
from agents.providers.access import Account

API_VERSION = "v1beta"
"""Said aloud: since 3.0 the SDK's own is v1, which knows no aliases and no `parametersJsonSchema`."""


@dataclass(slots=True)
class Errand:
    """One request on its way, and the open answer once it is there."""

    account: Account
    answer: httpx2.Response | None = None


_errand: ContextVar[Errand] = ContextVar("gemini_errand")


@asynccontextmanager
async def asked(account: Account, model: str, body: dict[str, Any]) -> AsyncIterator[httpx2.Response]:
    """The open answer, its body unread; it is closed at the end. Raises `ProviderError` and httpx2's own errors."""
    errand = Errand(account)
    try:
        await _send(errand, model, body)
        if errand.answer is None:
            raise faults.error("internal", "the SDK did not send the request")
        yield errand.answer
    finally:
        if errand.answer is not None:
            await errand.answer.aclose()


async def _send(errand: Errand, model: str, body: dict[str, Any]) -> None:
    # The SDK would go on by itself, at our cost, and run Python functions; it sees no answer that could make it.
    config = types.GenerateContentConfig(
        automatic_continuation=False,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        http_options=types.HttpOptions(
            base_url=_root(errand.account.base_url),
            headers={"x-goog-api-key": errand.account.key or "-"},
            extra_body={
                name: Shared(part) if isinstance(part, list) else part for name, part in body.items()
            },
        ),
    )
    token = _errand.set(errand)
    try:
        stream = await sdk().aio.models.generate_content_stream(model=model, contents="", config=config)
        async with aclosing(stream):  # type: ignore[type-var]
            async for _nothing in stream:
                pass
    except errors.APIError as error:
        headers = getattr(error.response, "headers", {})
        raise gemini_faults.answered(error.code, error.details, faults.retry_after(headers)) from None
    except UnicodeEncodeError:
        raise
    except ValueError as error:
        raise faults.error("bad_request", str(error)) from error
    finally:
        _errand.reset(token)


class Shared(list[Any]):
    """A list that is not copied: the SDK copies what it is given, which is half of a long request's CPU."""

    def __deepcopy__(self, _memo: Any) -> Shared:
        return self


class Handing(httpx2.AsyncClient):
    """Sends through the errand's account, and hands an answer that is a stream over to the errand."""

    async def send(self, request: httpx2.Request, **_given: Any) -> httpx2.Response:
        errand = _errand.get()
        request.extensions["timeout"] = network.limits().as_dict()  # the SDK's is none at all
        answer = await clients.kept("gemini", errand.account, _http).send(request, stream=True)
        if answer.status_code != 200:
            return answer
        errand.answer = answer
        return httpx2.Response(200, content=b"", request=request)


def _root(base_url: str) -> str:
    """The address without a version, which some documentation has in it."""
    return base_url.rstrip("/").removesuffix(f"/{API_VERSION}")


def _http(_account: Account, http: httpx2.AsyncClient) -> httpx2.AsyncClient:
    return http


@cache
def sdk() -> genai.Client:
    """The SDK's client. Making it takes 0.1 s of CPU."""
    options = types.HttpOptions(
        api_version=API_VERSION, httpx_async_client=Handing(trust_env=False), retry_options=None
    )
    return genai.Client(vertexai=False, api_key="-", http_options=options)
