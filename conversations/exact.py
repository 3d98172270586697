"""The exact request of a failed run (D6): kept when it fails, and made once more by its retry, whatever changed since.

`content` is JSON: `instructions`, `messages` (`role`, `parts`, `native`), `tools` (ids of ToolVersions, in order),
`models` (each as it was named and set), `settings`, `locale`, `images` (upload ids). Keys, addresses and prices are not
in it: those are the model's as they are now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from agents import catalogue as agent_catalogue
from agents.messages import ModelMessage, Native, Picture, Request, part_from_json, part_to_json
from agents.spec import ModelSpec
from conversations import tree
from conversations.kept_models import ExactRequest
from conversations.models import Message, Run
from conversations.uploads_seen import read_pictures
from platform_site import ledger
from platform_site.errors import Problem
from tools import catalogue as tool_catalogue
from tools.canonical import digest
from tools.models import ToolCall, ToolVersion
from tools.spec import ToolSpec

if TYPE_CHECKING:
    from conversations.turn import Turn


class Changed(Exception):
    """What was kept is not what it was: it must not be sent under the name of an exact repetition."""


def keep(turn: Turn) -> None:
    """Remember what was asked when the model did not answer; call it in the transaction that fails the run."""
    if turn.asked is None or not turn.run.reply:
        return
    content = to_json(turn.asked, turn.models)
    ExactRequest.objects.create(run=turn.run, reply=turn.run.reply, content=content, sha256=digest(content))


def go_back(log: ledger.Log, failed: Run) -> None:
    """Show what stood there before the failed reply: the retry's is another version of it.

    Raises a Problem when the person looks at another branch by now.
    """
    head = tree.head_of(log.topic)
    kept = ExactRequest.objects.filter(run=failed).first()
    if kept and head == kept.reply:
        tree.tell_head(log, Message.objects.values_list("parent_id", flat=True).get(pk=head))
    elif kept or not _ends_with(failed, head):
        raise Problem(
            409,
            "conflict",
            _("Another version of this conversation is shown. Go back to the one that failed."),
        )


def _ends_with(failed: Run, head: str | None) -> bool:
    """Whether nothing but this run's own messages came last; one that failed at once has none."""
    last = Message.objects.filter(run=failed).order_by("-position").values_list("pk", flat=True).first()
    return last is None or last == head


def of_retry(run: Run) -> tuple[Request, list[ModelSpec]] | None:
    """The request this run has to make first, and whom to ask; None when it builds its own."""
    if not run.retry_of_id or run.rounds:
        return None
    kept = ExactRequest.objects.filter(run=run.retry_of_id).first()
    if kept is None:
        return None
    if digest(kept.content) != kept.sha256:
        raise Changed(kept.pk)
    return from_json(kept.content, run.conversation_id), models_from(kept.content["models"])


def already_done(run: Run) -> list[str]:
    """The calls of this turn that were carried out before it failed: they are not made again."""
    parents = tree.parents_of(run.conversation_id)
    path = tree.path(parents, tree.head_of(run.conversation_id))
    said = Message.objects.filter(pk__in=path, role="user").order_by("-position").values_list("pk", flat=True)
    since = path.index(said[0]) if said else 0
    begun = ToolCall.objects.filter(
        topic=run.conversation_id, message__in=path[since:], claimed_at__isnull=False
    )
    return list(begun.order_by("proposed_at", "position").values_list("pk", flat=True))


def to_json(request: Request, models: Sequence[ModelSpec]) -> dict[str, Any]:
    return {
        "instructions": request.instructions,
        "messages": [_message_to_json(message) for message in request.messages],
        "tools": [spec.version for spec in request.tools],
        "models": models_to_json(models),
        "settings": dict(request.settings),
        "locale": request.locale,
        "images": list(request.images),
    }


def from_json(content: Mapping[str, Any], topic: str) -> Request:
    """The request again. Pictures are read anew; one that is gone is left out, as it could not be sent."""
    messages = tuple(_message_from_json(message) for message in content["messages"])
    return Request(
        model="", instructions=content["instructions"], messages=messages, tools=_tools(content["tools"]),
        locale=content["locale"], settings=content["settings"], images=_pictures(content["images"], topic, messages),
    )  # fmt: skip


def _pictures(wanted: Sequence[str], topic: str, messages: Sequence[ModelMessage]) -> Mapping[str, Picture]:
    found = read_pictures(topic, messages) if wanted else {}
    return {upload: found[upload] for upload in wanted if upload in found}


def _message_to_json(message: ModelMessage) -> dict[str, Any]:
    native = message.native
    return {
        "role": message.role,
        "parts": [part_to_json(part) for part in message.parts],
        "native": {"provider": native.provider, "model": native.model, "content": native.content}
        if native
        else None,
    }


def _message_from_json(stored: Mapping[str, Any]) -> ModelMessage:
    parts = tuple(part_from_json(part) for part in stored["parts"])
    return ModelMessage(stored["role"], parts, Native(**stored["native"]) if stored["native"] else None)


def _tools(versions: Sequence[str]) -> tuple[ToolSpec, ...]:
    rows = {row.pk: row for row in ToolVersion.objects.filter(pk__in=versions)}
    return tuple(tool_catalogue.spec_of(rows[version]) for version in versions)


_ASKED_AS = ("name", "images", "tools", "context")


def models_to_json(models: Sequence[ModelSpec]) -> list[dict[str, Any]]:
    """Whom to ask, as it is kept."""
    return [_model_to_json(model) for model in models]


def _model_to_json(model: ModelSpec) -> dict[str, Any]:
    asked_as = {field: getattr(model, field) for field in _ASKED_AS}
    return {"slug": model.slug, "provider": model.provider, **asked_as, "settings": dict(model.settings)}


def models_from(stored: Sequence[Mapping[str, Any]]) -> list[ModelSpec]:
    """Whom to ask, in the same order. A model that speaks through another provider now is asked as it is now."""
    return [model for one in stored if (model := _model_from_json(one))]


def _model_from_json(stored: Mapping[str, Any]) -> ModelSpec | None:
    now = agent_catalogue.model_named(stored["slug"])
    if now is None or now.provider != stored["provider"]:
        return now
    return replace(now, settings=stored["settings"], **{field: stored[field] for field in _ASKED_AS})
