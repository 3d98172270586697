"""Trying arguments on a tool that is being written: the check a call would meet, with nothing stored or run."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from platform_site.console.widgets import pretty
from tools import arguments, rules
from tools.spec import ToolSpec
from tools.words import said

Problem = dict[str, str]
SOMEBODY = {"id": "", "email": "someone@example.com", "name": "", "role": "member"}


def problems_of_example(spec: ToolSpec, example: dict[str, Any]) -> list[Problem]:
    """What the schema and the rules have to say about these arguments, as [{path, message}]."""
    match arguments.check(spec, pretty(example)):
        case arguments.Rejected(errors=errors):
            return [{"path": error.path, "message": said(error.message)} for error in errors]
        case arguments.Accepted(arguments=accepted):
            return _of_rules(spec, accepted)


def _of_rules(spec: ToolSpec, accepted: dict[str, Any]) -> list[Problem]:
    facts = rules.Facts(tool=spec.name, risk=spec.risk, now=timezone.now(), user=SOMEBODY)
    found = rules.apply(spec.rules, accepted, facts)
    told = [{"path": error.path, "message": said(error.message)} for error in found.errors]
    raised = [
        _("Raised to %(risk)s: %(why)s") % {"risk": risk, "why": said(why)} for risk, why in found.raised
    ]
    warned = [str(flag.get("detail", "")) for flag in found.flags]
    return told + [{"path": "", "message": text} for text in (*raised, *warned) if text]
