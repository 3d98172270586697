"""Why a reply is no answer: RUN_ERROR's code and what the person is told. Pure."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from agents import trouble
from agents.providers.base import ErrorCode, Words
from agents.stream import Reply

log = logging.getLogger(__name__)
MOST_CALLS = 32
"""Calls one reply may make."""
NOTHING_SAID = _("The model answered with nothing. Try again, or ask in other words.")
TOO_LONG_A_THOUGHT = _(
    "The model reached its length limit before it said anything. Ask for less at once, or have the limit raised."
)
TOLD_AS: Mapping[ErrorCode, str] = {"context_too_long": "bad_request", "malformed": "empty_reply"}
"""Codes that RUN_ERROR has no word of its own for."""


def code_of(code: ErrorCode) -> str:
    """The provider's code as RUN_ERROR tells it."""
    return TOLD_AS.get(code, code)


def what_is_wrong(reply: Reply) -> tuple[str, Words] | None:
    """A reply that is no answer: RUN_ERROR's code and a sentence for the person.

    Blocked and empty are told apart, and so is a model that used up its length before it said anything. What the
    provider says of a block is for the log.
    """
    reason = reply.finish.reason if reply.finish else "empty"
    if reason == "blocked":
        log.warning("the provider blocked an answer: %s", reply.finish and reply.finish.detail)
        return "blocked", trouble.WORDS["blocked"]
    if not reply.calls and not reply.text.strip():
        return "empty_reply", TOO_LONG_A_THOUGHT if reason == "length" else NOTHING_SAID
    if len(reply.calls) > MOST_CALLS:
        words = _("The model asked for {count} calls at once; at most {most} are taken.")
        return "bad_request", format_lazy(words, count=len(reply.calls), most=MOST_CALLS)
    return None
