"""Addresses that other programs expect at fixed places."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from platform_site import signing


@require_safe
def jwks(request: HttpRequest) -> JsonResponse:
    """The public keys that a tool's backend checks `X-Acting-User` with."""
    return JsonResponse(signing.jwks(), headers={"Cache-Control": "public, max-age=300"})


class Texts(JavaScriptCatalog):
    """The texts of our scripts, in the language of the path: the same for everybody, so it may be cached."""

    packages = ["platform_site"]

    def get(self, request: HttpRequest, *args: Any, language: str, **kwargs: Any) -> HttpResponse:
        with translation.override(language):
            return super().get(request, *args, **kwargs)
