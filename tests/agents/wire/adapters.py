"""The adapters that the table of cases is played to. Each has a folder of wire files named as `folder`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from platform_site.env import env


@dataclass(frozen=True, slots=True)
class Adapter:
    """`provider` is its short name; `base` is what comes after the server's address in a base URL."""

    folder: str
    provider: str
    base: str
    cannot_say: Mapping[str, str] = field(default_factory=dict)
    """Case -> why this protocol has no such thing."""

    def point(self, monkeypatch: Any, url: str) -> None:
        """Make the server at `url` the installation's own."""
        kind = "gemini" if self.provider == "gemini" else "openai"
        monkeypatch.setattr(env, f"{kind}_base_url", url + self.base)
        monkeypatch.setattr(env, f"{kind}_api_key", None)


OPENAI_CHAT = Adapter("openai_chat", "openai", "/v1")
OPENAI_RESPONSES = Adapter(
    "openai_responses",
    "openai-responses",
    "/v1",
    {
        "same_index_calls": "each output item has a place of its own",
        "name_repeated": "pieces of arguments carry no name",
        "content_null": "text comes as deltas of a content part, which is there or not",
        "content_list": "text comes as deltas, never as a list",
    },
)
GEMINI = Adapter(
    "gemini",
    "gemini",
    "",
    {
        "same_index_calls": "calls are parts in a list; they have no index",
        "name_repeated": "a call comes whole, in one part",
        "length_in_call": "a call comes whole; one that was cut is malformed",
        "cut_in_call": "a call comes whole, or not at all",
        "refusal": "what is not answered is blocked with a reason, not refused in words",
    },
)
ADAPTERS: tuple[Adapter, ...] = (OPENAI_CHAT, OPENAI_RESPONSES, GEMINI)
