"""The pages of reminders, under `/t/<slug>/reminders/`. `conversations.urls` includes them."""

from __future__ import annotations

from django.urls import path

from conversations.reminders import doing, form_pages, missed, pages

app_name = "reminders"

urlpatterns = [
    path("", pages.index, name="index"),
    path("over/", pages.over, name="over"),
    path("new/", form_pages.new, name="new"),
    path("preview/", form_pages.preview, name="preview"),
    path("fired.json", missed.fired, name="fired"),
    path("<id:reminder>/", form_pages.edit, name="edit"),
    path("<id:reminder>/pause/", doing.pause, name="pause"),
    path("<id:reminder>/resume/", doing.resume, name="resume"),
    path("<id:reminder>/delete/", doing.delete, name="delete"),
    path("<id:reminder>/snooze/", doing.snooze, name="snooze"),
]
