"""Text that a model or a tool wrote, as a person must see it before they agree to it: nothing in it hidden (T04).

The same marks as in the chat's cards (`static/chat/text.js`). Everything goes out escaped.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

LONGEST = 40_000
"""Characters shown of one value."""
_NAMES = {
    0x00: "NUL", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DEL", 0xA0: "NBSP", 0xAD: "SHY", 0x200B: "ZWSP", 0x200C: "ZWNJ",
    0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO",
    0x202E: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFEFF: "BOM",
}  # fmt: skip
_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_BLANK = re.compile(
    "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0e"
    "\U000e0100-\U000e01ef]"
)
_RUN = re.compile(r"((?:[ \t]*\n){4,})")


def revealed(text: str, longest: int = LONGEST) -> SafeString:
    """The text with every hidden character, and every run of blank lines, as a mark that shows."""
    cut = text[:longest]
    pieces = [mark for at, part in enumerate(_RUN.split(cut)) for mark in _pieces(part, is_run=at % 2 == 1)]
    return format_html_join("", "{}", ((piece,) for piece in [*pieces, "…" * (len(text) > longest)]))


def pretty(value: Any) -> str:
    """A text as it is, anything else as indented JSON."""
    return str(value) if isinstance(value, str | Promise) else json.dumps(value, ensure_ascii=False, indent=2)


def _pieces(part: str, *, is_run: bool) -> list[str | SafeString]:
    if is_run:
        return ["\n", _mark(f"↵ × {part.count(chr(10))}"), "\n"]
    pieces: list[str | SafeString] = []
    plain = 0
    for at, character in enumerate(part):
        if hides(character):
            pieces += [part[plain:at], _mark(_name(character))]
            plain = at + 1
    return [*pieces, part[plain:]]


def hides(character: str) -> bool:
    """Whether a person cannot see it, or takes it for a blank."""
    if " " <= character <= "~" or character in "\n\t":
        return False
    return unicodedata.category(character) in _CATEGORIES or _BLANK.match(character) is not None


def _name(character: str) -> str:
    return _NAMES.get(ord(character), f"U+{ord(character):04X}")


def _mark(text: str) -> SafeString:
    return format_html('<span class="hidden-mark">{}</span>', text)
