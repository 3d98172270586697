"""Every text a person sees is there in Simplified Chinese: the catalogues are whole, and compiled as they stand.

Nothing here needs gettext's programs; whether Python's texts were gathered is asked by `.ci/messages check`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.utils import translation
from django.utils.dates import MONTHS, MONTHS_3
from django.utils.translation import gettext

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "platform_site/locale/zh_Hans/LC_MESSAGES"
DOMAINS = ("django", "djangojs")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
SHOWN_AS_THEY_ARE = {"URL", "%(clock)s", "{braces}"}
"""Texts that are the same in both languages."""

IN_TEMPLATES = [
    re.compile(r"""\{%-?\s*(?:trans|translate)\s+(["'])(?P<text>.+?)\1"""),
    re.compile(r"""\b_\((["'])(?P<text>.+?)\1\)"""),
]
BLOCK = re.compile(r"\{%\s*blocktrans(?:late)?\b.*?%\}(?P<text>.*?)\{%\s*(?:plural|endblocktrans)", re.DOTALL)
VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
IN_SCRIPTS = re.compile(r"""\bn?gettext\(\s*(["'])(?P<text>(?:\\.|(?!\1).)+)\1""")


def catalogue(domain: str) -> polib.POFile:
    return polib.pofile(str(FOLDER / f"{domain}.po"))


def entries() -> Iterator[tuple[str, polib.POEntry]]:
    return ((domain, entry) for domain in DOMAINS for entry in catalogue(domain))


def answers(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def name(entry: polib.POEntry) -> tuple[str, str]:
    return entry.msgctxt or "", entry.msgid


def in_templates(text: str) -> Iterator[str]:
    yield from (found["text"] for pattern in IN_TEMPLATES for found in pattern.finditer(text))
    yield from (VARIABLE.sub(r"%(\1)s", found["text"]) for found in BLOCK.finditer(text))


def in_scripts(text: str) -> Iterator[str]:
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return (re.sub(r"\\(.)", r"\1", found["text"]) for found in IN_SCRIPTS.finditer(code))


def test_no_text_is_without_a_translation() -> None:
    assert [entry.msgid for _, entry in entries() if not all(answers(entry))] == []


def test_no_translation_is_a_guess_or_left_over() -> None:
    assert [entry.msgid for _, entry in entries() if entry.fuzzy or entry.obsolete] == []


def test_a_translation_has_the_placeholders_of_its_text() -> None:
    wrong = [
        (entry.msgid, answer)
        for _, entry in entries()
        for answer in answers(entry)
        if Counter(PLACEHOLDER.findall(answer))
        != Counter(PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
    ]
    assert wrong == []


def test_a_translation_is_chinese() -> None:
    bare = {entry.msgid: PLACEHOLDER.sub("", answer) for _, entry in entries() for answer in answers(entry)}
    same = {text for text, answer in bare.items() if not re.search(r"[\u3400-\u9fff/]", answer)}
    assert same <= SHOWN_AS_THEY_ARE


@pytest.mark.parametrize("domain", DOMAINS)
def test_what_is_compiled_is_what_is_written(domain: str) -> None:
    compiled = {name(entry): answers(entry) for entry in polib.mofile(str(FOLDER / f"{domain}.mo"))}
    assert compiled == {name(entry): answers(entry) for entry in catalogue(domain)}


def test_the_texts_of_the_pages_are_in_the_catalogue() -> None:
    known = {entry.msgid for entry in catalogue("django")}
    files = [path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt")]
    used = {text for path in files for text in in_templates(path.read_text())}
    assert len(used) > 80
    assert sorted(used - known) == []


def test_the_texts_of_the_scripts_are_in_the_catalogue() -> None:
    known = {entry.msgid for entry in catalogue("djangojs")}
    files = [path for path in (ROOT / "static").rglob("*.js") if "vendor" not in path.parts]
    used = {text for path in files for text in in_scripts(path.read_text())}
    assert len(used) > 150
    assert sorted(used - known) == []


def test_our_words_do_not_take_the_place_of_djangos() -> None:
    """A text without context is shared with Django's own: `May`, said of a right, would rename a month."""
    with translation.override("zh-hans"):
        assert [str(month) for month in MONTHS.values()][4] == "五月"
        assert all("月" in str(month) for month in MONTHS_3.values())
        assert gettext("Sign out") == "退出登录"


def test_every_code_of_the_wire_has_its_sentence() -> None:
    """RUN_ERROR's text is English; the page says a sentence by code."""
    protocol = (ROOT / "docs/protocol.md").read_text()
    words = (ROOT / "static/chat/words.js").read_text()
    listed = re.search(r"RUN_ERROR\s+\(`code` one of (.*?);", protocol, re.DOTALL)
    assert listed
    table = words[
        words.index("export function runErrorSentence") : words.index("export function refusalSentence")
    ]
    missing = [code for code in re.findall(r"`(\w+)`", listed[1]) if f" {code}: gettext(" not in table]
    assert missing == []
