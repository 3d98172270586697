"""How an operation is described in the OpenAPI document: `operation` stands above each handler and says it once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from pydantic import BaseModel, ConfigDict, Field

from conversations.api_bodies import Query

PROBLEM_JSON = "application/problem+json"
Answer = type[BaseModel] | None


class Fault(BaseModel):
    """One thing wrong with what was sent."""

    path: str = Field(description="Where: a JSON path, as in `$.options.rounds`.")
    message: str


class ProblemDetails(BaseModel):
    """RFC 9457. `code` is for programs, `detail` for people."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    instance: str = ""
    code: str
    errors: list[Fault] = []


PROBLEMS: Mapping[int, str] = {
    400: "What was sent is not as it should be; `errors` names each fault.",
    401: "No valid token or session.",
    403: "The role or the token's scopes do not allow this.",
    404: "Not there, or not to be seen by you.",
    409: "It does not fit how things stand now, or its Idempotency-Key was used for something else.",
    413: "Too large.",
    415: "The body is not application/json.",
    422: "The arguments are not right; `errors` names each fault.",
    429: "Too many tries.",
}
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER,
    description="A repeat with the same key and body gets the first answer and has no effect.",
)  # fmt: skip


def operation(
    operation_id: str, summary: str, answers: Mapping[int, Answer], *, body: Answer = None,
    query: type[Query] | None = None, posts: bool = False, problems: tuple[int, ...] = (),
) -> Callable[[Any], Any]:  # fmt: skip
    """Describe a handler. `posts`: it is a POST, so it honours Idempotency-Key."""
    told = {400, 401, 403, 404, *problems} | ({413, 415} if body else set()) | ({409} if posts else set())
    responses: dict[Any, Any] = {
        status: OpenApiResponse(shape, description=_said(shape)) for status, shape in answers.items()
    }
    for status in sorted(told):
        responses[status, PROBLEM_JSON] = OpenApiResponse(ProblemDetails, description=PROBLEMS[status])
    parameters = [*(_parameters(query) if query else []), *([IDEMPOTENCY_KEY] if posts else [])]
    tag = operation_id.partition("_")[0]
    return extend_schema(
        operation_id=operation_id, summary=summary, tags=[tag], parameters=parameters, request=body,
        responses=responses,
    )  # fmt: skip


def _said(shape: Answer) -> str:
    return (shape.__doc__ or "").split("\n")[0] if shape else "Nothing."


def _parameters(query: type[Query]) -> list[OpenApiParameter]:
    schema = query.model_json_schema()
    return [
        OpenApiParameter(
            name, {key: value for key, value in field.items() if key not in ("title", "description")},
            OpenApiParameter.QUERY, description=field.get("description", ""),
        )
        for name, field in schema["properties"].items()
    ]  # fmt: skip
