"""The pages of conversations: the chat, and what reviewers decide. `platform_site.urls` includes them at the root."""

from __future__ import annotations

from django.urls import include, path

from conversations import views

urlpatterns = [
    path("", views.home, name="home"),
    path("t/<slug:slug>/", views.chat, name="chat"),
    path("t/<slug:slug>/c/<str:conversation>/", views.chat, name="conversation"),
    path("t/<slug:slug>/review/", include("conversations.review_urls")),
    path("t/<slug:slug>/reminders/", include("conversations.reminders.urls")),
]
