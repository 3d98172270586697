"""What somebody said, set into a transcript of ours. Pure."""

from __future__ import annotations


def within(text: str) -> str:
    """So that none of its lines begins as ours do: nobody puts words into another's mouth."""
    return "\n  ".join(text.strip().splitlines())
