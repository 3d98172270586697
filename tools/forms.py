"""The form of a tool: its definition field by field, checked by `catalogue`; arguments can be tried on it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold import widgets

from platform_site.models import Credential, User
from tools import catalogue, gate, registry
from tools.definition import spec_from
from tools.definition_form import DefinitionForm, LongText, Problem, choice, switch, text_input, whole_number
from tools.example import problems_of_example
from tools.json_field import JsonField
from tools.models import Risk, Tool

SCHEMA_EXAMPLE = """{
  "type": "object",
  "properties": {
    "query": {"type": "string", "description": "What to look for, e.g. \\"red shoes\\"", "minLength": 1}
  },
  "required": ["query"],
  "additionalProperties": false
}"""
RULES_EXAMPLE = """[
  {"name": "large order", "check": "args.quantity <= 10", "severity": "confirm", "message": "More than ten pieces."}
]"""
LABELS_EXAMPLE = """{
  "en": {"title": "Search products", "summary": "Search for {query}"},
  "zh-hans": {"title": "搜索商品", "summary": "搜索 {query}"}
}"""


BY = [
    ("user", _("The user")),
    ("reviewer", _("A reviewer")),
    ("user+reviewer", _("The user, then a reviewer")),
]
PROOFS = [
    ("none", _("None")),
    ("password", _("Password")),
    ("code", _("One-time code")),
    ("any", _("Password or code")),
]


def _credentials() -> list[tuple[str, Any]]:
    known = Credential.objects.filter(provider="http").order_by("slug").values_list("slug", flat=True)
    return [("", _("None")), *((slug, slug) for slug in known)]


def _handlers() -> list[tuple[str, Any]]:
    return [("", "–"), *((handler.key, f"{handler.key} ({handler.name})") for handler in registry.every())]


def _previews() -> list[tuple[str, Any]]:
    able = Tool.objects.filter(current__risk=Risk.SAFE, current__definition__read_only=True)
    names = able.filter(current__definition__preview=None).order_by("name").values_list("name", flat=True)
    return [("", _("None")), *((name, name) for name in names)]


class ToolForm(DefinitionForm):
    """A tool as its author sees it."""

    unique_in_tenant = "name"
    fields_inside = {
        "confirmation": {"by": "confirm_by"}, "executor": {"kind": "executor_kind"}, "preview": {"tool": "preview"},
    }  # fmt: skip

    description = LongText(
        label=_("Description"), rows=4,
        help_text=_("Read by the model: what the tool does, when to use it, with good and bad examples."),
    )  # fmt: skip
    domain = forms.CharField(
        label=_("Group"),
        max_length=40,
        required=False,
        widget=text_input(),
        help_text=_("Tools of one group stand together."),
    )
    schema = JsonField(
        dict, label=_("Arguments (JSON Schema 2020-12)"), rows=16, placeholder=SCHEMA_EXAMPLE,
        help_text=_("Left empty, a Python handler's own schema is taken."),
    )  # fmt: skip
    example = JsonField(
        dict, label=_("Try arguments"), rows=5, placeholder='{"query": "red shoes"}',
        help_text=_("Checked against the schema and the rules above as you type; not saved."),
    )  # fmt: skip

    risk = choice(
        _("Risk"), Risk.choices, _("SAFE runs at once; CONFIRM asks the user; CRITICAL asks with proof."),
        initial=Risk.CONFIRM,
    )  # fmt: skip
    read_only = switch(_("Only reads"), _("Changes nothing anywhere, so it may be repeated."))
    idempotent = switch(_("May be repeated"), _("Doing it twice with the same Idempotency-Key does it once."))
    untrusted = switch(_("Results are outside text"), _("After it, a run may change nothing without asking."))

    executor_kind = choice(
        _("Carried out by"), [("http", _("HTTP request")), ("python", _("Python handler"))]
    )
    method = choice(
        _("Method"), [(name, name) for name in ("GET", "POST", "PUT", "PATCH", "DELETE")], required=False
    )
    url = forms.CharField(
        label=_("URL"), required=False, widget=text_input(placeholder="https://api.example.com/orders/{order_id}"),
        help_text=_("Arguments in {braces} go into the path; the others into the query (GET, DELETE) or a JSON body."),
    )  # fmt: skip
    credential = choice(_("Credential"), _credentials, required=False)
    headers = JsonField(dict, label=_("Headers"), rows=3, placeholder='{"Accept-Language": "en"}')
    handler = choice(_("Handler"), _handlers, required=False)
    run = choice(_("Runs"), [("inline", _("At once")), ("background", _("In the background"))])
    timeout_s = forms.FloatField(
        label=_("Time limit (seconds)"), initial=30, widget=widgets.UnfoldAdminDecimalFieldWidget()
    )
    rate_limit = forms.CharField(
        label=_("Rate limit"), required=False, widget=text_input(placeholder="30/m"),
        help_text=_("A number for each s, m, h or d: 30/m. Empty: no limit."),
    )  # fmt: skip

    confirm_by = choice(_("Decided by"), [("", _("As is usual for the risk")), *BY], required=False)
    proof = choice(_("Proof"), [("", _("As is usual for the risk")), *PROOFS], required=False)
    decide_within_s = whole_number(_("Decide within (seconds)"), required=False)
    execute_within_s = whole_number(
        _("Carry out within (seconds)"), _("Counted from the last approval."), required=False
    )
    votes = whole_number(_("Votes needed"), required=False)
    rules = JsonField(
        list, label=_("Rules (CEL)"), rows=10, placeholder=RULES_EXAMPLE,
        help_text=_("A rule fires when its “when” holds (or is absent) and its “check” is false. "
                    "Known are args, call, user and now. Severity: error, warn, confirm or critical."),
    )  # fmt: skip

    labels = JsonField(dict, label=_("Names for people"), rows=6, placeholder=LABELS_EXAMPLE)
    templates = JsonField(dict, label=_("Templates"), rows=5, placeholder='{"body": "Dear …"}')
    preview = choice(
        _("Preview by"),
        _previews,
        _("A safe tool that shows beforehand what this one would do."),
        required=False,
    )

    class Meta:
        model = Tool
        fields = ("name", "is_enabled")

    def check_definition(self) -> dict[str, Any]:
        return catalogue.check_definition(self.definition())

    def definition(self) -> dict[str, Any]:
        """The tool's entry of the configuration file, as the form stands."""
        given = self.cleaned_data
        plain = ("description", "domain", "risk", "read_only", "idempotent", "untrusted", "run", "timeout_s",
                 "rate_limit", "rules", "templates", "labels")  # fmt: skip
        made = {name: given[name] for name in plain} | {"name": given.get("name") or self.instance.name}
        made |= {"executor": self._executor(), "confirmation": self._confirmation()}
        made |= {
            "schema": given["schema"] or None,
            "preview": {"tool": given["preview"]} if given["preview"] else None,
        }
        return made

    def _executor(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given["executor_kind"] == "python":
            return {"kind": "python", "handler": given["handler"]}
        return {"kind": "http"} | {name: given[name] for name in ("method", "url", "credential", "headers")}

    def _confirmation(self) -> dict[str, Any] | None:
        given = self.cleaned_data
        if not given["confirm_by"]:
            return None
        chosen = {
            name: given[name]
            for name in ("proof", "decide_within_s", "execute_within_s", "votes")
            if given[name]
        }
        return {"by": given["confirm_by"]} | chosen

    def problems(self) -> dict[str, list[Problem]]:
        """The form's faults, and those of the example."""
        found = super().problems()
        if self.checked and self.cleaned_data.get("example"):
            found["example"] = problems_of_example(spec_from(self.checked), self.cleaned_data["example"])
        return found

    def warnings(self) -> list[str]:
        """Why its calls could be approved by nobody, as things stand here."""
        return [str(why) for why in gate.warnings_of(spec_from(self.checked))] if self.checked else []

    def store(self, author: User) -> tuple[Tool, bool]:
        """Save the definition; the tool, and whether it got a new version."""
        tool, made = catalogue.save_tool(self.definition(), author)
        if tool.is_enabled != self.cleaned_data["is_enabled"]:
            catalogue.switch_tool(tool, self.cleaned_data["is_enabled"], author)
        return tool, made
