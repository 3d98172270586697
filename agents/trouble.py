"""What people are told when no model could answer: one sentence a kind, what happened and what they can do."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.utils.translation import gettext_lazy as _

from agents.able import Lack
from agents.providers.base import ErrorCode, ProviderError, Words

WORDS: Mapping[ErrorCode, Words] = {
    "rate_limited": _("The model is being asked too often just now. Wait a moment, then try again."),
    "quota_exhausted": _(
        "The quota for this model is used up. An administrator can raise it or choose another model."
    ),
    "overloaded": _("The model is overloaded at the moment. Try again shortly."),
    "timeout": _("The model took too long to answer. Try again, or ask for less at once."),
    "network": _("The model could not be reached. Try again shortly."),
    "auth": _("The model refused the stored credential. The administrators have been told and can renew it."),
    "blocked": _("The model’s safety filter blocked this answer. Asking in other words may help."),
    "context_too_long": _(
        "This conversation has become too long for the model. Start a new one, or choose a model that takes in more."
    ),
    "malformed": _("The model’s answer could not be read. Try again."),
    "bad_request": _("The model could not work with this request."),
    "internal": _("Something went wrong on our side. It has been recorded. You can try again."),
}
BROKE_OFF = _("The model’s answer broke off before its end. You can try again.")
NO_MODEL = _("This agent has no model. An administrator can choose one.")
NO_SIGHT = _("None of this agent’s models can look at pictures. Send the message without the picture.")


def sentence(error: ProviderError, *, text_was_seen: bool) -> Words:
    """What the person is told. A provider's adapter knows better only what is wrong with a request."""
    if error.code == "network" and text_was_seen:
        return BROKE_OFF
    return (error.code == "bad_request" and error.message) or WORDS[error.code]


def unable(lacks: Collection[Lack]) -> ProviderError:
    """Why no model was asked at all. Pictures are named first: they are what a person can leave out."""
    if "images" in lacks:
        return ProviderError("bad_request", NO_SIGHT)
    return ProviderError("context_too_long", WORDS["context_too_long"])
