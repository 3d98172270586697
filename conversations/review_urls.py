"""The reviewers' pages about calls of conversations, under `/t/<slug>/review/`: the queue and unknown outcomes."""

from __future__ import annotations

from django.urls import path

from conversations import review_question, review_queue, review_unknown

app_name = "queue"

urlpatterns = [
    path("", review_queue.page, name="queue"),
    path("queue.json", review_queue.state, name="state"),
    path("queue/<id:confirmation>/", review_question.page, name="question"),
    path("queue/<id:confirmation>/decide/", review_question.decide, name="decide"),
    path("unknown/", review_unknown.page, name="unknown"),
    path("unknown/<id:call>/", review_unknown.settle, name="settle"),
]
