"""Which ways of talking to models this installation has. `get` answers by the provider's short name."""

from __future__ import annotations

from agents.providers.base import Provider, ProviderError
from agents.providers.demo import DemoProvider

_PROVIDERS: dict[str, Provider] = {provider.name: provider for provider in (DemoProvider(),)}


def known() -> tuple[str, ...]:
    """The short names of the providers that are here."""
    return tuple(_PROVIDERS)


def get(provider: str) -> Provider:
    """The provider of that short name. Raises `ProviderError("bad_request")` when it is not here."""
    found = _PROVIDERS.get(provider)
    if found is None:
        raise ProviderError("bad_request", f"this installation has no provider {provider!r}")
    return found
