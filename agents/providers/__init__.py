"""Which ways of talking to models this installation has. `get` answers by the provider's short name."""

from __future__ import annotations

from agents.providers.base import Provider, ProviderError
from agents.providers.demo import DemoProvider
from agents.providers.lazy import LazyProvider

_ALL: tuple[Provider, ...] = (
    DemoProvider(),
    LazyProvider("openai", "agents.providers.openai_chat"),
    LazyProvider("openai-responses", "agents.providers.openai_responses"),
    LazyProvider("perplexity", "agents.providers.openai_chat"),
    LazyProvider("gemini", "agents.providers.gemini"),
)
_PROVIDERS: dict[str, Provider] = {provider.name: provider for provider in _ALL}


def known() -> tuple[str, ...]:
    """The short names of the providers that are here."""
    return tuple(_PROVIDERS)


def get(provider: str) -> Provider:
    """The provider of that short name. Raises `ProviderError("bad_request")` when it is not here."""
    found = _PROVIDERS.get(provider)
    if found is None:
        raise ProviderError("bad_request", f"this installation has no provider {provider!r}")
    return found
