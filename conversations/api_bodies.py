"""What programs send: request bodies and query strings, strictly typed. A field that is not named here is refused.

`read` turns what came into one of these, or into a problem that names every fault.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from conversations.frames import Grant, Id, Options, Proof
from platform_site.errors import Problem
from tools.schema_words import path_of

MOST_ERRORS = 20
Title = Annotated[str, Field(max_length=120)]


class Body(BaseModel):
    """A JSON object in a request: no unknown fields, no guessing of types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Query(BaseModel):
    """A query string: texts become numbers where numbers are asked for."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Body):
    """No body, or an empty object."""


class Anything(BaseModel):
    """Any JSON object."""

    model_config = ConfigDict(extra="allow")


class NewConversation(Body):
    agent: Annotated[Id, Field(description="The agent's slug.")]
    title: Title = ""


class ConversationChange(Body):
    """What is left out stays as it was."""

    title: Title | None = None
    answers: Annotated[
        Literal["always", "addressed"] | None,
        Field(
            description="Whether the agent answers always, or only who addresses it, among several people."
        ),
    ] = None

    @model_validator(mode="after")
    def _something(self) -> ConversationChange:
        if self.title is None and self.answers is None:
            raise ValueError("give a title, or answers")
        return self


class NewMessage(Body):
    text: Annotated[str, Field(description="What the person says; at most 32,000 characters.")]
    key: Annotated[
        str, Field(max_length=100, description="A repeat with the same key is not sent again.")
    ] = ""
    options: Options = Options()
    attachments: Annotated[
        list[Id],
        Field(max_length=16, description="Ids of own uploads; at most 8. The text may be empty then."),
    ] = []
    reply_to: Annotated[
        str,
        Field(max_length=64, description="The message this replies to; a reply to the agent addresses it."),
    ] = ""


class EditedMessage(Body):
    """What is left out stays as it was."""

    text: Annotated[str, Field(description="What the person says instead; at most 32,000 characters.")]
    key: Annotated[str, Field(max_length=100)] = ""
    options: Options | None = None
    attachments: Annotated[list[Id], Field(max_length=16)] | None = None


class Branch(Body):
    message: Annotated[Id, Field(description="A message of the branch to show.")]


class Decision(Body):
    """An answer to a confirmation. What is carried out is what is stored; nothing of it is taken from here."""

    decision: Literal["approve", "reject"]
    digest: Annotated[str, Field(max_length=64, description="Of what the person was shown.")]
    proof: Proof | None = None
    reason: Annotated[str, Field(max_length=2000)] = ""
    arguments: Annotated[
        dict[str, Any] | None,
        Field(description="Other arguments, to be approved in the place of those shown."),
    ] = None
    grant: Annotated[Grant | None, Field(description="A standing yes to the next calls of this kind.")] = None


class CorrectedArguments(Body):
    """What a person filled in, or that they drop the call: one of the two."""

    arguments: dict[str, Any] | None = None
    cancel: bool = False

    @model_validator(mode="after")
    def _one_answer(self) -> CorrectedArguments:
        if (self.arguments is None) != self.cancel:
            raise ValueError("give arguments, or cancel: true")
        return self


class ToolChange(Body):
    is_enabled: bool


B = TypeVar("B", bound=BaseModel)


def read(shape: type[B], given: Any) -> B:
    """`given` as `shape`; raises a Problem that lists what is wrong with it."""
    if not isinstance(given, dict):
        raise Problem(400, "bad_request", _("The body must be a JSON object."))
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)[:MOST_ERRORS]
        errors = [{"path": path_of(fault["loc"]), "message": fault["msg"]} for fault in faults]
        raise Problem(400, "bad_request", _("The request is not valid."), errors=errors) from None
