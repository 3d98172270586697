"""What somebody chose, fit for a line of ours. Pure."""

from __future__ import annotations


def one_line(text: str, longest: int) -> str:
    """At most `longest` characters that can be seen: no line ends, no control or direction marks."""
    plain = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return plain if len(plain) <= longest else f"{plain[: longest - 1].rstrip()}…"
