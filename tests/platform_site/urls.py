"""The site's addresses, and a few views that only these tests call."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import include, path, reverse
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language
from rest_framework.exceptions import NotFound, Throttled, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView

from platform_site.api import ApiRequest, TenantView
from platform_site.errors import Problem
from platform_site.models import Topic
from platform_site.tenancy import current_tenant_id
from platform_site.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500"]


class Notes(TenantView):
    """POST makes a topic and then does what the body says."""

    def get(self, request: ApiRequest, slug: str) -> Response:
        return Response(
            {"tenant": request.tenant.slug, "user": request.actor.user.pk, "topics": Topic.objects.count()}
        )

    def post(self, request: ApiRequest, slug: str) -> Response:
        topic = Topic.objects.create()
        match request.data.get("then"):
            case "break":
                raise ZeroDivisionError
            case "conflict":
                raise Problem(409, "conflict", "Not now.")
            case "refuse":
                raise Problem(422, "bad_request", "Never.", why="because")
        return Response({"topic": topic.pk}, 201)


class Settings(TenantView):
    scopes: ClassVar[dict[str, Any]] = {"GET": "configure", "POST": "review"}

    def get(self, request: ApiRequest, slug: str) -> Response:
        return Response({})

    post = get


class Plain(APIView):
    """Forgot to be a TenantView."""

    def get(self, request: Any, slug: str) -> Response:
        return Response({})


ERRORS: dict[str, Exception] = {
    "problem": Problem(418, "teapot", "Short and stout.", spout=True),
    "http404": Http404("secret"),
    "denied": PermissionDenied("secret"),
    "bad": BadRequest("secret"),
    "drf404": NotFound(),
    "throttled": Throttled(wait=7),
    "invalid": ValidationError(
        {"name": ["Too long."], "lines": [{"n": ["No."]}], "non_field_errors": ["Odd."]}
    ),
    "broken": ZeroDivisionError("secret"),
}


class Fails(APIView):
    permission_classes = [AllowAny]
    authentication_classes = []

    def get(self, request: Any, how: str) -> Response:
        raise ERRORS[how]


def where(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    """What a page inside a tenant knows."""
    return HttpResponse(f"{current_tenant_id()} {get_language()} {get_current_timezone_name()}")


def console(request: HttpRequest, rest: str) -> HttpResponse:
    return HttpResponse(
        f"{current_tenant_id()} {request.path} {request.path_info} {reverse('console', args=['x'])}"
    )


urlpatterns = [
    path("api/v1/t/<slug:slug>/notes", Notes.as_view()),
    path("api/v1/t/<slug:slug>/settings", Settings.as_view()),
    path("api/v1/t/<slug:slug>/plain", Plain.as_view()),
    path("api/v1/fails/<str:how>", Fails.as_view()),
    path("fails/<str:how>", lambda request, how: (_ for _ in ()).throw(ERRORS[how])),
    path("t/<slug:slug>/where/", where),
    path("admin/console/<path:rest>", console, name="console"),
    path("", include("platform_site.urls")),
]
