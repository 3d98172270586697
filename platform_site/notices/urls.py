"""A person's own page of notices. `platform_site.urls` includes it below a tenant's address."""

from __future__ import annotations

from django.urls import path

from platform_site.notices import views

urlpatterns = [path("", views.mine, name="notices")]
