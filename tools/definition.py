"""A tool's entry of the configuration file: its form, its defaults, and every check that needs no database.

`parsed` turns an entry into its normal form, which ToolVersion stores and `export` writes; `spec_from` makes the frozen
value of it. An unknown key is an error that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    field_validator,
    model_serializer,
    model_validator,
)  # fmt: skip

from platform_site.errors import BadDefinition
from platform_site.shape_words import words_of
from tools import registry, rules, schema
from tools.schema_words import path_of
from tools.spec import (
    DEFAULT_CONFIRMATION,
    By,
    ConfirmationPolicy,
    Executor,
    HttpExecutor,
    Proof,
    PythonExecutor,
    RiskLevel,
    Rule,
    ToolSpec,
)  # fmt: skip
from tools.urls import url_problems
from tools.words import said

Problems = list[dict[str, str]]
RESERVED_HEADERS = frozenset(
    {
        "host", "connection", "content-length", "content-type", "transfer-encoding", "upgrade", "te", "trailer",
        "expect", "accept-encoding", "proxy-authorization", "proxy-connection", "idempotency-key", "x-acting-user",
    }
)  # fmt: skip
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]{0,1000}")
_COMBINING = ("allOf", "anyOf", "oneOf", "$ref", "if", "not", "dependentSchemas", "patternProperties")


class Form(BaseModel):
    """Strict: no unknown keys, no guessing at types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RuleWordsForm(Form):
    message: str = Field(default="", max_length=500)
    fix: str = Field(default="", max_length=500)


class RuleForm(Form):
    name: str = Field(min_length=1, max_length=60)
    when: str = ""
    check: str = Field(min_length=1)
    severity: Literal["error", "warn", "confirm", "critical"]
    message: str = Field(min_length=1, max_length=500)
    fix: str = Field(default="", max_length=500)
    translations: dict[Literal["en", "zh-hans"], RuleWordsForm] = Field(default_factory=dict)

    @model_serializer(mode="wrap")
    def _without_no_translations(self, usual: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Rules that were stored before there were translations stay as they are."""
        normal: dict[str, Any] = usual(self)
        return normal if self.translations else {k: v for k, v in normal.items() if k != "translations"}


class ConfirmationForm(Form):
    by: By | None = None
    proof: Proof | None = None
    decide_within_s: int | None = Field(default=None, ge=10, le=30 * 24 * 3600)
    execute_within_s: int | None = Field(default=None, ge=10, le=7 * 24 * 3600)
    votes: int | None = Field(default=None, ge=1, le=10)


class HttpForm(Form):
    kind: Literal["http"]
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    url: str = Field(min_length=8, max_length=1_000)
    credential: str = Field(default="", max_length=60)
    headers: dict[str, str] = Field(default_factory=dict, max_length=20)

    @field_validator("method", mode="before")
    @classmethod
    def _upper(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value


class PythonForm(Form):
    kind: Literal["python"]
    handler: str = Field(min_length=1, max_length=120)


class PreviewForm(Form):
    tool: str = Field(min_length=1, max_length=64)


class LabelForm(Form):
    title: str = Field(default="", max_length=80)
    summary: str = Field(default="", max_length=300)


class ToolForm(Form):
    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")
    description: str = Field(min_length=1, max_length=4_000)
    domain: str = Field(default="", max_length=40)
    parameters: dict[str, Any] | None = Field(default=None, alias="schema")
    risk: RiskLevel
    read_only: bool = False
    idempotent: bool = False
    untrusted: bool = False
    run: Literal["inline", "background"] = "inline"
    timeout_s: Annotated[float, Field(ge=0.1, le=600, strict=False)] = 30.0
    rate_limit: str = Field(default="", pattern=r"^(|[1-9][0-9]{0,6}/[smhd])$")
    executor: HttpForm | PythonForm = Field(discriminator="kind")
    confirmation: ConfirmationForm | None = None
    rules: list[RuleForm] = Field(default_factory=list, max_length=rules.MAX_RULES)
    templates: dict[str, str] = Field(default_factory=dict, max_length=50)
    preview: PreviewForm | None = None
    labels: dict[Literal["en", "zh-hans"], LabelForm] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _rule_names_differ(self) -> ToolForm:
        names = [rule.name for rule in self.rules]
        if len(set(names)) < len(names):
            raise ValueError(_("two rules have the same name"))
        return self


def parsed(definition: Any) -> dict[str, Any]:
    """The normal form: defaults filled in, JSON-safe. Raises `BadDefinition` with everything that is wrong."""
    try:
        form = ToolForm.model_validate(definition)
    except ValidationError as error:
        raise BadDefinition([_in_words(one) for one in error.errors(include_url=False)]) from None
    normal = form.model_dump(mode="json", by_alias=True)
    normal["schema"] = _schema_of(form)
    normal["confirmation"] = _confirmation_of(form)
    if problems := [*_schema_problems(normal["schema"]), *_problems(form, normal["schema"])]:
        raise BadDefinition(problems)
    return normal


def spec_from(normal: dict[str, Any], *, version: str = "", tool: str = "") -> ToolSpec:
    """The frozen value of a normal form."""
    values = {**normal, "version": version, "tool": tool}
    executor = dict(values.pop("executor"))
    kinds: dict[str, type[Executor]] = {"http": HttpExecutor, "python": PythonExecutor}
    policy, preview = values.pop("confirmation"), values.pop("preview")
    rules_given = values.pop("rules")
    return ToolSpec(
        **values,
        executor=kinds[executor["kind"]](**executor),
        confirmation=ConfirmationPolicy(**policy) if policy else None,
        rules=tuple(Rule(**rule) for rule in rules_given),
        preview=preview["tool"] if preview else "",
    )


def _schema_of(form: ToolForm) -> Any:
    """The schema given, or the handler's; closed to unknown arguments unless it says otherwise."""
    given = form.parameters
    if given is None and isinstance(form.executor, PythonForm):
        handler = registry.find(form.executor.handler)
        given = handler.schema if handler else None
    if given is None:
        raise BadDefinition([{"path": "$.schema", "message": _("this is missing")}])
    open_already = {"additionalProperties", "unevaluatedProperties", *_COMBINING} & set(given)
    return given if open_already or "properties" not in given else {**given, "additionalProperties": False}


def _confirmation_of(form: ToolForm) -> dict[str, Any] | None:
    if form.confirmation is None:
        return None
    usual = DEFAULT_CONFIRMATION["CONFIRM" if form.risk == "SAFE" else form.risk]
    return asdict(usual) | form.confirmation.model_dump(exclude_none=True)


def _schema_problems(given: Any) -> Iterator[dict[str, str]]:
    for problem in schema.check_schema(given):
        path = "$.schema" + str(problem["path"]).removeprefix("$")
        yield {"path": path, "message": said(problem["message"])}


def _problems(form: ToolForm, given: dict[str, Any]) -> Iterator[dict[str, str]]:
    properties = given.get("properties") if isinstance(given.get("properties"), dict) else {}
    for index, rule in enumerate(form.rules):
        for problem in rules.check_rule(Rule(**rule.model_dump()), given):
            path = f"$.rules[{index}]{problem['path']}"
            yield {"path": path, "message": said(problem["message"])}
    for name in set(form.templates) - set(properties or {}):
        yield {"path": f"$.templates.{name}", "message": _("the schema has no such parameter")}
    match form.executor:
        case HttpForm() as http:
            yield from _prefixed("$.executor.url", url_problems(http.url, given))
            yield from _header_problems(http)
        case PythonForm(handler=handler) if registry.find(handler) is None:
            message = _("there is no handler %(name)s") % {"name": handler}
            yield {"path": "$.executor.handler", "message": message}


def _header_problems(http: HttpForm) -> Iterator[dict[str, str]]:
    for name, value in http.headers.items():
        path = f"$.executor.headers.{name[:60]}"
        if not _HEADER.fullmatch(name) or not _VALUE.fullmatch(value):
            yield {"path": path, "message": _("this is not a header that can be sent")}
        elif name.lower() in RESERVED_HEADERS or (http.credential and name.lower() == "authorization"):
            yield {"path": path, "message": _("the platform sets this header itself")}


def _prefixed(path: str, messages: Iterable[str]) -> Iterator[dict[str, str]]:
    return ({"path": path, "message": message} for message in messages)


def _in_words(error: Any) -> dict[str, str]:
    steps = [step for step in error["loc"] if step not in ("http", "python", "[key]")]
    no_kind = error["type"] == "union_tag_not_found"
    message = _('this needs "kind": "http" or "python"') if no_kind else words_of(error)
    return {"path": path_of(steps), "message": message}
