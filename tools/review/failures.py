"""The validation-failure inbox (A12, P5): what models sent that was not right, to be looked at and marked as known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from platform_site.door import for_reviewers
from platform_site.middleware import TenantRequest
from tools.models import CallAttempt, ChainResult, ToolVersion
from tools.review import choices
from tools.review.export import MOST_ROWS
from tools.review.filters import NONE, Filters
from tools.review.paging import cut
from tools.review.words import KINDS, OUTCOMES, RESULTS, TONES, error_words, mend_name

TABS = ("failed", "mended", "valid", "all")
KEPT = ("version", "length", "first", "asked")
"""Filters that come with a link and have no field in the form."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list: an attempt, the first thing to say of it, and how its whole chain ended."""

    attempt: CallAttempt
    tone: str
    path: str = ""
    words: str = ""
    more: int = 0
    ended: str | Promise = ""
    of: int = 1

    @property
    def outcome(self) -> str | Promise:
        return OUTCOMES[self.attempt.outcome]


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, and the query string without it."""

    label: str
    value: str
    without: str = field(default="")


@require_safe
@for_reviewers
def inbox(request: TenantRequest) -> HttpResponse:
    """`/t/<slug>/review/failures/`."""
    asked = Filters.read(request.GET)
    rows = asked.rows()
    page = cut(rows.select_related("version", "requester"), request.GET)
    context = {
        "asked": asked, "listed": listed(page.rows), "count": rows.count(), "most": MOST_ROWS,
        "choices": choices.names() | {"field": choices.fields()}, "kinds": KINDS.items(), "results": RESULTS.items(),
        "tabs": [(show, asked.but(show=show).query()) for show in TABS], "chips": _chips(asked),
        "everything": Filters(show="all", known="any").query(), "shown": page,
        "kept": [(name, getattr(asked, name)) for name in KEPT],
    }  # fmt: skip
    return render(request, "review/failures.html", context)


def listed(rows: Sequence[CallAttempt]) -> list[Listed]:
    """What the list says of these attempts; one query for their chains."""
    chains = CallAttempt.objects.filter(number=1, chain__in={row.chain for row in rows})
    ends = {chain: (result, length) for chain, result, length in _ends(chains)}
    return [_listed(row, *ends.get(row.chain, ("", row.number))) for row in rows]


def _ends(chains: Any) -> Iterable[tuple[str, str, int]]:
    return chains.values_list("chain", "chain_result", "chain_length")


def _listed(row: CallAttempt, result: str, length: int) -> Listed:
    tone, ended = TONES[row.outcome], RESULTS[ChainResult(result)] if result else ""
    if row.errors:
        first = row.errors[0]
        return Listed(
            row, tone, first.get("path", ""), error_words(first), len(row.errors) - 1, ended, length
        )
    return Listed(row, tone, words=", ".join(mend_name(flag) for flag in row.flags), ended=ended, of=length)


def _chips(asked: Filters) -> list[Chip]:
    said = {
        "tool": _("Tool"), "version": _("Version"), "kind": _("Kind"), "field": _("Field"), "model": _("Model"),
        "agent": _("Agent"), "start": _("From"), "end": _("Until"), "result": _("In the end"),
        "length": _("Attempts"), "known": _("Known"), "playground": _("Playground"), "first": _("First attempts"),
        "asked": _("A person was asked"),
    }  # fmt: skip
    blank = Filters()
    return [
        Chip(said[name], _said(name, getattr(asked, name)), asked.but(**{name: getattr(blank, name)}).query())
        for name in asked.narrowed
    ]


def _said(name: str, value: Any) -> str:
    match name:
        case "kind":
            return str(KINDS.get(value, value))
        case "result":
            return str(RESULTS[ChainResult(value)])
        case "version":
            version = ToolVersion.objects.select_related("tool").filter(pk=value).first()
            return f"{version.tool} {version}" if version else "–"
        case "known":
            return _("Yes") if value == "yes" else _("Known or not")
        case "start" | "end":
            return date_format(value)
        case "playground" | "first" | "asked":
            return ""
    return _("None") if value == NONE else str(value)
