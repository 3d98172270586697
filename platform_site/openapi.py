"""How drf-spectacular writes our two ways to sign in into the OpenAPI document."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class Bearer(OpenApiAuthenticationExtension):  # type: ignore[misc, no-untyped-call]  # no types
    target_class = "platform_site.api_auth.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from POST /api/v1/auth/token."}


class Session(OpenApiAuthenticationExtension):  # type: ignore[misc, no-untyped-call]  # no types
    target_class = "platform_site.api_auth.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}
