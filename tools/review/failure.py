"""One attempt with everything that is known of it; and marking it (and others like it) as known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from platform_site import audit
from platform_site.door import for_reviewers
from platform_site.errors import Problem
from platform_site.middleware import TenantRequest
from tools.models import AttemptOutcome, AttemptSource, CallAttempt, ChainResult
from tools.review.difference import difference
from tools.review.failures import listed
from tools.review.filters import Filters
from tools.review.marked import marked, readable
from tools.review.words import KINDS, OUTCOMES, RESULTS, TONES, error_words, mend_name

NOTE = 300


@require_safe
@for_reviewers
def page(request: TenantRequest, attempt: str) -> HttpResponse:
    """`/t/<slug>/review/failures/<id>/`."""
    row = _found(attempt)
    chain = CallAttempt.objects.filter(chain=row.chain).select_related("version").order_by("number")
    first, *_others = rows = list(chain)
    faults = list(row.faults.values_list("kind", "field"))
    context = {
        "tab": "failures", "row": row, "tone": TONES[row.outcome], "outcome": OUTCOMES[row.outcome],
        "ended": RESULTS[ChainResult(first.chain_result)] if first.chain_result else "",
        "outcome_is_failure": row.outcome != AttemptOutcome.VALID,
        "kinds": [KINDS.get(kind, kind) for kind in dict.fromkeys(kind for kind, _field in faults)],
        "chain": listed(rows), "similar": _similar(row, faults).count() if faults else 0,
        "similar_query": _like(row, faults).query() if faults else "", "longest_note": NOTE,
    }  # fmt: skip
    return render(request, "review/failure.html", context | _arguments(row))


@require_POST
@for_reviewers
def known(request: TenantRequest, attempt: str) -> HttpResponse:
    """Mark as known, with a note, and all that are like it if asked to; `undo` takes it back."""
    row = _found(attempt)
    if request.POST.get("undo"):
        _unmark(request, row)
        messages.success(request, _("It is back in the inbox."))
    else:
        _mark(request, row)
    return redirect("review:failure", request.tenant.slug, row.pk)


def _unmark(request: TenantRequest, row: CallAttempt) -> None:
    with audit.recording():
        marked = CallAttempt.objects.filter(pk=row.pk, known_at__isnull=False)
        if marked.update(known_at=None, known_by=None, known_note=""):
            audit.note("failure.unknown", row, by=request.user, tool=row.tool)


def _mark(request: TenantRequest, row: CallAttempt) -> None:
    note = request.POST.get("note", "").replace("\0", "").strip()[:NOTE]
    values = {"known_at": timezone.now(), "known_by": request.user, "known_note": note}
    with audit.recording():
        count = CallAttempt.objects.filter(pk=row.pk, known_at=None).update(**values)
        if request.POST.get("similar"):
            count += _similar(row, list(row.faults.values_list("kind", "field"))).update(**values)
        if count:
            audit.note("failure.known", row, by=request.user, tool=row.tool, count=count, why=note)
    said = ngettext("Marked as known.", "%(count)s failures marked as known.", count) % {"count": count}
    messages.success(request, said)


def _found(attempt: str) -> CallAttempt:
    rows = CallAttempt.objects.select_related("call", "version__tool", "requester", "known_by")
    row = rows.filter(pk=attempt).first()
    if row is None:
        raise Problem(404, "not_found", _("There is no such attempt."))
    return row


def _like(row: CallAttempt, faults: list[tuple[str, str]]) -> Filters:
    """What lets the failures through that have the first fault of this one: same tool, place and kind."""
    kind, field = faults[0]
    playground = "1" if row.source == AttemptSource.PLAYGROUND else ""
    return Filters(tool=row.tool, kind=kind, field=field, playground=playground)


def _similar(row: CallAttempt, faults: list[tuple[str, str]]) -> QuerySet[CallAttempt]:
    if not faults:
        return CallAttempt.objects.none()
    return _like(row, faults).rows().exclude(pk=row.pk)


def _arguments(row: CallAttempt) -> dict[str, Any]:
    """The text as it came, as it was mended, and line by line with what is wrong in it."""
    value = readable(row.mended or row.raw)
    raw, mended = difference(row.raw, row.mended) if row.mended else difference(row.raw, row.raw)
    errors = [error | {"message": error_words(error)} for error in row.errors]
    mends = [mend_shown(flag) for flag in row.flags]
    checked = _checked(row)
    return {
        "lines": marked(value, row.errors, row.flags) if value is not ... else [], "is_checked": checked == value,
        "checked": marked(checked, [], row.flags) if checked not in (None, value) else [],
        "raw": raw, "mended": mended, "errors": errors, "mends": mends,
    }  # fmt: skip


def _checked(row: CallAttempt) -> Any:
    """What went on: the arguments as they were checked, before anybody who decided changed them."""
    if row.outcome not in (AttemptOutcome.VALID, AttemptOutcome.MENDED):
        return None
    call = row.call
    return call.arguments if call.proposed_arguments is None else call.proposed_arguments


def mend_shown(flag: Mapping[str, Any]) -> dict[str, Any]:
    """A flag to show. Of a coercion the values before and after are told, of a mend pieces of the text."""
    told = dict(flag) | {"name": mend_name(flag)}
    for side in {"before", "after"} & told.keys():
        is_text = flag["name"] != "coerced" and isinstance(flag[side], str)
        told[side] = flag[side] if is_text else json.dumps(flag[side], ensure_ascii=False)
    return told
