"""`Idempotency-Key`: a POST that is sent again gets the answer it got the first time, and happens once.

`begin` commits a claim on the key, so that a second request at the same time sees it and is told to wait. The handler
then runs in one transaction with the stored answer (`carrying_out`, `keep`): after a crash either both are there or
neither is. A claim whose process died can be taken over after `STALE`; should the first one still be alive, only
one of the two can store its answer, and the other is rolled back.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from platform_site import audit
from platform_site.access import Actor
from platform_site.errors import MEDIA_TYPE, Problem
from platform_site.models import IdempotentReply

MAX_KEY = 200
STALE = timedelta(seconds=60)
DEFINITIVE_ERRORS = frozenset({400, 404, 410, 413, 415, 422})
"""Answers that asking again cannot change; a conflict or a rate limit may pass."""


@dataclass(frozen=True, slots=True)
class Claim:
    """This request's right to carry out what the key stands for. `since` tells it from a later claim on the row."""

    row: str
    since: datetime


class TakenOver(Exception):
    """This claim was so slow that another took its place: what was done here is rolled back."""


class AnsweredBefore(Exception):
    """Not an error: the stored answer, on its way out of the view."""

    def __init__(self, answer: Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer


def begin(actor: Actor, key: str, path: str, data: Any) -> Claim:
    """Claim the key, or raise: `AnsweredBefore`, or a problem when it is in use or was used for something else."""
    if not 0 < len(key) <= MAX_KEY:
        raise Problem(400, "bad_request", _("An Idempotency-Key has 1 to 200 characters."))
    wanted = _fingerprint(path, data)
    try:
        with transaction.atomic():
            row = IdempotentReply.objects.create(user=actor.user, key=key, request_hash=wanted)
    except IntegrityError:
        return _met_again(actor, key, wanted)
    return Claim(row.pk, row.created_at)


def _met_again(actor: Actor, key: str, wanted: str) -> Claim:
    row = IdempotentReply.objects.filter(user=actor.user, key=key).first()
    if row is None:
        raise in_use()  # it was given up just now
    if row.request_hash != wanted:
        raise Problem(422, "conflict", _("This Idempotency-Key was used for another request."))
    if row.status is not None:
        raise AnsweredBefore(_stored(row))
    if row.created_at > timezone.now() - STALE:
        raise in_use()
    return _take_over(row)


def _take_over(row: IdempotentReply) -> Claim:
    since = timezone.now()
    taken = IdempotentReply.objects.filter(pk=row.pk, status=None, created_at=row.created_at).update(
        created_at=since
    )
    if not taken:
        raise in_use()
    return Claim(row.pk, since)


@contextmanager
def carrying_out(claim: Claim) -> Iterator[None]:
    """The transaction in which the handler works and its answer is stored."""
    with audit.recording():
        yield


def keep(claim: Claim, answer: Response) -> None:
    """Store a definitive answer; forget the claim when the client may try again."""
    mine = IdempotentReply.objects.filter(pk=claim.row, status=None, created_at=claim.since)
    if answer.status_code < 300 or answer.status_code in DEFINITIVE_ERRORS:
        body = JSONRenderer().render(answer.data).decode()
        if not mine.update(status=answer.status_code, body=body):
            raise TakenOver
    else:
        mine.delete()


def give_up(claim: Claim) -> None:
    """The handler broke and was rolled back: the key is free again."""
    IdempotentReply.objects.across_tenants().filter(
        pk=claim.row, status=None, created_at=claim.since
    ).delete()


def _stored(row: IdempotentReply) -> Response:
    body = json.loads(row.body) if row.body else None
    kind = MEDIA_TYPE if (row.status or 0) >= 400 else None
    return Response(body, row.status, content_type=kind, headers={"Idempotent-Replayed": "true"})


def in_use() -> Problem:
    return Problem(409, "conflict", _("A request with this Idempotency-Key is still running."), retry_after=1)


def _fingerprint(path: str, data: Any) -> str:
    """Of what was asked: JSON in any order of keys, forms with the content of their files."""
    plain = dict(data.lists()) if isinstance(data, QueryDict) else data
    text = json.dumps([path, plain], sort_keys=True, separators=(",", ":"), default=_content)
    return hashlib.sha256(text.encode()).hexdigest()


def _content(value: object) -> str:
    if not isinstance(value, UploadedFile):
        raise TypeError(f"{type(value).__name__} in a request body")
    digest = hashlib.sha256()
    for chunk in value.chunks():
        digest.update(chunk)
    value.seek(0)
    return digest.hexdigest()
