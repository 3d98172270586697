"""What an admin can do about a model that did not answer, by the class of the error."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from agents.providers.base import ErrorCode

ADVICE: Mapping[ErrorCode, Promise | str] = {
    "auth": _(
        "Enter the key again: it may be mistyped, revoked, of another project, or not meant for this model."
    ),
    "quota_exhausted": _(
        "Look at the provider's billing page: the plan's quota or the prepaid credit is used up."
    ),
    "rate_limited": _(
        "Nothing is wrong with the key. Wait a minute, or ask the provider for a higher limit."
    ),
    "overloaded": _(
        "Nothing is wrong with the key. Try again later; a second model in the agent's list steps in."
    ),
    "timeout": _("The server took too long. A local one may still be loading the model: try once more."),
    "network": _("Nobody answered there. Is the server running, and are host and port right?"),
    "blocked": _(
        "The provider refused even this harmless text: look at the account's safety settings or its region."
    ),
    "context_too_long": _("The model's window is very small, or its settings leave no room for an answer."),
    "malformed": _("The model answered in a form nobody can read. Is it made for conversations?"),
    "bad_request": _(
        "Compare the model's name, the base URL and the settings with what the server says below."
    ),
    "internal": _("This is our fault: the log says more."),
}
