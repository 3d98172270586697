"""The reviewers' pages, under `/t/<slug>/review/`. `platform_site.urls` includes them."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from tools.review import export, failure, failures, insights, playground, playground_tries

app_name = "review"

urlpatterns: list[URLPattern | URLResolver] = [
    path("failures/", failures.inbox, name="failures"),
    path("failures/export.json", export.as_json, name="failures_json"),
    path("failures/export.csv", export.as_csv, name="failures_csv"),
    path("failures/<str:attempt>/", failure.page, name="failure"),
    path("failures/<str:attempt>/known/", failure.known, name="known"),
    path("insights/", insights.page, name="insights"),
    path("playground/", playground.page, name="playground"),
    path("playground/check/", playground.check, name="playground_check"),
    path("playground/run/", playground.run, name="playground_run"),
    path("playground/tries/<str:call>/", playground_tries.one, name="try"),
]
