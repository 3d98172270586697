"""The page of standing grants. `platform_site.urls` includes it below a tenant's address."""

from __future__ import annotations

from django.urls import path

from tools import grants_view

urlpatterns = [
    path("", grants_view.index, name="grants"),
    path("<str:grant>/revoke/", grants_view.revoke, name="grant_revoke"),
]
