"""Who is meant by `@name` in a text. Pure.

A name is found as it is written, whatever its case; the longest that fits is meant. In scripts without spaces between
words a name may be followed by the next word at once; `ann@acme.test` mentions nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

FIRST_UNSPACED = 0x2E80
"""From here on Unicode has scripts that set no spaces between words."""


def mentioned(text: str, names: Mapping[str, str]) -> dict[str, str]:
    """Of `names` (id to name) those that the text mentions. Who has the same name as another is meant as well."""
    folded = {id_: name.casefold() for id_, name in names.items() if name}
    said = set(_names_in(text.casefold(), sorted(set(folded.values()), key=len, reverse=True)))
    return {id_: names[id_] for id_, name in folded.items() if name in said}


def _names_in(text: str, names: list[str]) -> Iterator[str]:
    """`names`: the longest first."""
    at = text.find("@")
    while at >= 0:
        if at == 0 or not _in_a_word(text[at - 1]):
            yield from _first_of(names, text, at + 1)
        at = text.find("@", at + 1)


def _first_of(names: list[str], text: str, start: int) -> Iterator[str]:
    for name in names:
        end = start + len(name)
        if text.startswith(name, start) and not _goes_on(text, end):
            yield name
            return


def _goes_on(text: str, end: int) -> bool:
    """Whether a word that ends before `end` is part of a longer one."""
    return end < len(text) and _in_a_word(text[end]) and _in_a_word(text[end - 1])


def _in_a_word(character: str) -> bool:
    return (character.isalnum() or character == "_") and ord(character) < FIRST_UNSPACED
