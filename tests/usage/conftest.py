"""Bob's conversation, as the conversations' tests have it, and a model that costs something."""

from __future__ import annotations

from tests.conversations.conftest import bobs, talk

__all__ = ["bobs", "talk"]
