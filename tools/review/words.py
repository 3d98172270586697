"""The names that reviewers read for what the records hold: kinds of faults, what was mended, tones of colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tools.models import AttemptOutcome, ChainResult

Text = str | Promise

KINDS: dict[str, Text] = {
    "json": _("Not JSON"),
    "truncated": _("Cut off"),
    "too_large": _("Too large"),
    "type": _("Wrong type"),
    "missing": _("Missing argument"),
    "unknown_argument": _("Unknown argument"),
    "enum": _("Not one of the choices"),
    "limit": _("Beyond a limit"),
    "format": _("Wrong format"),
    "rule": _("Against a rule"),
    "handler": _("Refused by the tool"),
    "unknown_tool": _("No such tool"),
    "not_allowed": _("Mended more than allowed"),
    "other": _("Something else"),
}

MENDS: dict[str, Text] = {
    "fence": _("Code fence taken off"),
    "prose": _("Text around it taken off"),
    "quotes": _("Quotes put right"),
    "unquoted": _("Quotes added"),
    "commas": _("Commas put right"),
    "comments": _("Comments taken out"),
    "literals": _("Python words turned into JSON"),
    "brackets": _("Closing brackets added"),
    "escapes": _("Escapes put right"),
    "encoded": _("Taken out of a string"),
    "default": _("Default filled in"),
    "empty": _("No arguments: taken as none"),
    "truncated": _("Cut off"),
    "too_large": _("Too large"),
    "written_as_text": _("Written into the text instead of called"),
    "after_untrusted": _("After text from outside was read"),
    "corrected_by_person": _("Corrected by a person"),
    "nobody_can_approve": _("Nobody can approve it"),
    "more": _("More changes than are listed"),
    "preview_changed": _("The preview changed"),
    "edited": _("Changed by who decides"),
    "granted": _("Covered by a standing yes"),
    "unattended": _("Asked for while nobody was there"),
    "text_to_number": _("Text read as a number"),
    "text_to_integer": _("Text read as a whole number"),
    "text_to_boolean": _("Text read as true or false"),
    "number_to_integer": _("Number read as a whole number"),
    "number_to_text": _("Number read as text"),
    "wrapped_in_list": _("Put into a list"),
    "parsed_json_text": _("Text read as JSON"),
    "coerced": _("Turned into the right type"),
}
"""By flag, and by the `detail` of a `coerced` one."""

RESULTS: dict[ChainResult, Text] = {
    ChainResult.FIRST_PASS: _("Right at once"),
    ChainResult.MENDED: _("Mended"),
    ChainResult.CORRECTED: _("Corrected by the model"),
    ChainResult.BY_PERSON: _("Corrected by a person"),
    ChainResult.GAVE_UP: _("Given up"),
    ChainResult.OPEN: _("Still open"),
}
"""In the order charts stack them."""

OUTCOMES: dict[str, Text] = {
    AttemptOutcome.VALID: _("Right"),
    AttemptOutcome.MENDED: _("Mended"),
    AttemptOutcome.REJECTED: _("Bad arguments"),
    AttemptOutcome.UNKNOWN_TOOL: _("No such tool"),
}
"""Of one attempt, which may be a later one of its chain."""

TONES: dict[str, str] = {
    AttemptOutcome.VALID: "good",
    AttemptOutcome.MENDED: "water",
    AttemptOutcome.REJECTED: "bad",
    AttemptOutcome.UNKNOWN_TOOL: "warn",
}


def mend_name(flag: Mapping[str, Any]) -> str:
    """What a flag says was done."""
    name = flag.get("name", "")
    if name.startswith("rule:"):
        return str(_("Rule %(name)s")) % {"name": name.removeprefix("rule:")}
    return str(MENDS.get(flag.get("detail", ""), MENDS.get(name, name)))


def error_words(error: Mapping[str, Any]) -> str:
    """An error's sentence, in the reader's language where the stored one is ours."""
    message = str(error.get("message", ""))
    return gettext(message) if message else ""
