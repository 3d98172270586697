"""The list as a file."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from typing import Any

import pytest
from django.test import AsyncClient

from platform_site.models import User
from tests.review.seen import HOME, Reader
from tests.review.week import Week
from tools.models import CallAttempt
from tools.review import export

JSON, CSV = HOME + "failures/export.json", HOME + "failures/export.csv"


def table(answer: Any) -> list[dict[str, str]]:
    text = b"".join(answer.streaming_content).decode()
    assert text[0] == "\ufeff"
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def test_both_hold_the_rows_of_the_list(reviewer: Reader, week: Week) -> None:
    for query in ("", "tool=place_order", "show=all&model=demo"):
        ids = reviewer.ids(query)
        told = json.loads(b"".join(reviewer.client.get(f"{JSON}?{query}").streaming_content))
        assert ([one["id"] for one in told["results"]], told["complete"]) == (ids, True)
        assert [row["id"] for row in table(reviewer.client.get(f"{CSV}?{query}"))] == ids


def test_a_row_says_all_that_is_known(reviewer: Reader, week: Week) -> None:
    row = next(one for one in week.failed if one.tool == "place_order")
    told = next(one for one in export_of(reviewer, "") if one["id"] == row.pk)
    assert {name: told[name] for name in ("tool", "model", "agent", "attempt", "raw", "errors", "requester")} == {
        "tool": "place_order", "model": row.model, "agent": "buyer", "attempt": row.number, "raw": row.raw,
        "errors": row.errors, "requester": "Bob",
    }  # fmt: skip


def export_of(reader: Reader, query: str) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(b"".join(reader.client.get(f"{JSON}?{query}").streaming_content))[
        "results"
    ]
    return told


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1")


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(reviewer: Reader, week: Week, text: str) -> None:
    """T72: an apostrophe in front; JSON, which no spreadsheet calculates, keeps the text as it was."""
    row = week.failed[0]
    CallAttempt.objects.across_tenants().filter(pk=row.pk).update(raw=text, tool=text, known_note=text)
    cells = next(one for one in table(reviewer.client.get(CSV)) if one["id"] == row.pk)
    assert [cells[name] for name in ("raw", "tool", "known_note")] == ["'" + text] * 3
    assert next(one for one in export_of(reviewer, "") if one["id"] == row.pk)["raw"] == text


def test_other_texts_stay_as_they_are(reviewer: Reader, week: Week) -> None:
    """T72: quotes, commas, line ends and letters of any kind."""
    text, row = 'a "b", c;\r\n鞋子 🥿 \u200b', week.failed[0]
    CallAttempt.objects.across_tenants().filter(pk=row.pk).update(raw=text)
    cells = next(one for one in table(reviewer.client.get(CSV)) if one["id"] == row.pk)
    assert cells["raw"] == text


def test_a_file_is_bounded_and_says_so(reviewer: Reader, week: Week, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "AT_ONCE", 5)
    monkeypatch.setattr(export, "MOST_ROWS", 10)
    told = json.loads(b"".join(reviewer.client.get(JSON).streaming_content))
    assert ([one["id"] for one in told["results"]], told["complete"]) == (reviewer.ids()[:10], False)


@pytest.mark.django_db(transaction=True)
def test_it_streams_where_pages_are_served(week: Week, rita: User) -> None:
    """As the server runs it: piece by piece, in other threads, after the request's tenant scope has ended."""
    session = Reader.of(rita).client.cookies

    async def fetch() -> bytes:
        browser = AsyncClient()
        browser.cookies = session
        answer = await browser.get(JSON)
        assert answer.is_async
        return b"".join([part async for part in answer.streaming_content])

    assert len(json.loads(asyncio.run(fetch()))["results"]) == len(week.failed)
