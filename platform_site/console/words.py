"""Unfold speaks English alone: its words that our pages show, written here so that they are gathered and translated.

Django looks a text up in all catalogues together, so a translation in ours serves unfold's templates as well.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

UNFOLD = (
    _("Add %(name)s"), _("All applications"), _("Apply Filters"), _("Choose file to upload"), _("Dark"), _("Date"),
    _("False"), _("General"), _("Go back"), _("Light"), _("More actions"), _("No data"), _("No results found"),
    _("Reset filters"), _("Select value"), _("System"), _("Time"),
    _("This page yielded into no results. Create a new item or reset your filters."), _("True"),
    _("Type to search"), _("Welcome"), _("Select record"), _("Select all rows"), _("Select action"),
    _("Select action to run"), _("Run"), _("Previous"), _("Next"), _("Search apps and models..."), _("Expand row"),
    _("Toggle password visibility"), _("Submit"), _("Image preview"), _("Click to download"), _("Click to cancel"),
)  # fmt: skip

ALLAUTH = (
    _("Bad Token"), _("Two-Factor Authentication"), _("Authenticator code"), _("Code"), _("Recovery Codes"),
)  # fmt: skip
"""What allauth translates otherwise than we say it."""

DJANGO = (
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
)
"""What Django's own catalogue lacks."""
