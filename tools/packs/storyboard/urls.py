"""The stories' pages. `platform_site.urls` includes them below a tenant's address."""

from __future__ import annotations

from django.urls import path

from tools.packs.storyboard import views

urlpatterns = [
    path("", views.index, name="stories"),
    path("<str:story>/", views.story, name="story"),
]
