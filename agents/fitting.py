"""Which credentials a provider's models may use. Pure."""

from __future__ import annotations

from collections.abc import Mapping

FITTING: Mapping[str, tuple[str, ...]] = {
    "demo": (),
    "openai": ("openai",),
    "openai-responses": ("openai",),
    "perplexity": ("perplexity", "openai"),
    "gemini": ("gemini",),
}
"""A model's provider, and the kinds of credential that fit it."""


def fits(credential: str, provider: str) -> bool:
    """Whether a credential of this kind opens what this provider talks to."""
    return credential in FITTING.get(provider, (provider,))
