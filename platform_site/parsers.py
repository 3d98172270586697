"""The API's JSON: what every parser reads alike, bounded in size."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from platform_site.errors import Problem


class StrictJsonParser(BaseParser):
    """JSON that every parser reads alike: no NaN, no doubled keys; bounded in size, and in depth by refusal."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, context: Mapping[str, Any] | None = None
    ) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise Problem(413, "too_large", _("The request is too large."))
        try:
            return json.loads(raw.decode(), object_pairs_hook=_once_each, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ParseError(_("The body is not valid JSON.")) from error


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
