"""The usage pages, under `/t/<slug>/usage/`. `platform_site.urls` includes them."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from agents.usage import export, limit_views, page

app_name = "usage"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", page.page, name="page"),
    path("usage.csv", export.as_csv, name="csv"),
    path("limits/", limit_views.save, name="limits"),
    path("limits/<str:limit>/lift/", limit_views.lift, name="lift"),
]
