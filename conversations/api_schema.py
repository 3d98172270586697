"""`/api/v1/schema`: the OpenAPI 3.1 document, made once a process from the views themselves."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from django.utils import translation
from drf_spectacular.extensions import OpenApiViewExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api_docs import operation
from platform_site import openapi
from platform_site.access import Scope
from platform_site.api import TenantView
from platform_site.api_auth import scope_of
from platform_site.token_view import Asked


class ScopedBearer(openapi.Bearer):
    """Names with each operation the scope it asks of a token."""

    priority = 1

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        view = auto_schema.view
        return {self.name: [scope_of(view, auto_schema.method)] if isinstance(view, TenantView) else []}


class Token(BaseModel):
    """An API token; it is shown this once."""

    token: str
    expires_at: datetime
    scopes: list[Scope]


class TokenViewDocs(OpenApiViewExtension):
    """Describes signing in, whose view stands below us and knows nothing of this document."""

    target_class = "platform_site.token_view.TokenView"

    def view_replacement(self) -> type[APIView]:
        class Documented(self.target_class):  # type: ignore[name-defined,misc]
            @operation(
                "auth_token",
                "Sign in: e-mail and password for a token",
                {200: Token},
                body=Asked,
                problems=(429,),
            )
            def post(self, request: Request) -> Response:
                raise AssertionError("documents, never answers")

        return Documented


@cache
def document() -> dict[str, Any]:
    """The whole document. The same for everybody, so it needs no sign-in."""
    with translation.override("en"):
        schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


class Schema(APIView):
    """Open to all: it says what there is, not what is in it."""

    authentication_classes = []
    permission_classes = []
    metadata_class = None

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return Response(document())
