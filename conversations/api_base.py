"""What the views of `/api/v1/t/<slug>/` share: strict bodies in, typed shapes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, cast

from django.conf import settings
from django.utils.translation import gettext as _
from pydantic import BaseModel
from rest_framework.response import Response

from conversations.api_bodies import Anything, B, Nothing, read
from platform_site.access import Actor
from platform_site.api import ApiRequest, TenantView
from platform_site.errors import Problem
from platform_site.parsers import StrictJsonParser
from tools import strictjson
from tools.words import said


class BodyParser(StrictJsonParser):
    """As strict as arguments are read: what no database stores is refused here, not by the database."""

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, context: Mapping[str, Any] | None = None
    ) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise Problem(413, "too_large", _("The request is too large."))
        try:
            return strictjson.loads(raw.decode())
        except (strictjson.NotJson, UnicodeDecodeError) as error:
            why = said(error.why) if isinstance(error, strictjson.NotJson) else error
            detail = _("The body is not valid JSON: %(why)s.") % {"why": why}
            raise Problem(400, "bad_request", detail) from None


class ApiView(TenantView):
    """A handler reads with `body` and `query`, calls one verb and returns `answer(shape)`."""

    parser_classes = [BodyParser]
    metadata_class = None

    @property
    def actor(self) -> Actor:
        return cast(ApiRequest, self.request).actor

    def body(self, shape: type[B]) -> B:
        return read(shape, self.request.data)

    def json_object(self) -> dict[str, Any]:
        """The body as it came, for a verb that checks it by itself."""
        return self.body(Anything).model_extra or {}

    def no_body(self) -> None:
        """For a POST that says everything by its path."""
        self.body(Nothing)

    def query(self, shape: type[B]) -> B:
        return read(shape, self.request.query_params.dict())


def answer(shape: BaseModel, status: int = 200) -> Response:
    return Response(shape.model_dump(mode="json", by_alias=True), status)
