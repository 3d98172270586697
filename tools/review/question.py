"""Everything a person sees of one call before they decide on it. It hides nothing and shortens nothing (T04)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from platform_site.access import Actor
from platform_site.models import User
from tools import catalogue, policy
from tools.models import CallStatus, Confirmation, ConfirmationStatus, ToolCall
from tools.proofs import Kind, proofs_of
from tools.review.beside import Place, beside
from tools.review.failure import mend_shown
from tools.review.marked import marked
from tools.review.queue_rows import Row, row_of, standing, yes_votes
from tools.review.revealing import pretty
from tools.review.waiting import Groups
from tools.spec import ToolSpec

MOST_EARLIER = 8
LONG = 400
"""Characters from which a value scrolls in a box of its own, and its length is told."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as it would be carried out, and what was done to it on the way."""

    name: str
    text: str
    mends: Sequence[Mapping[str, Any]]

    @property
    def is_long(self) -> bool:
        return len(self.text) > LONG or self.text.count("\n") > 8


@dataclass(frozen=True, slots=True)
class Earlier:
    """A decision about a call like this one."""

    row: Row
    is_same: bool


def shown(question: Confirmation, actor: Actor, groups: Groups) -> dict[str, Any]:
    """What the page draws of a question, read by `with_everything`."""
    call = question.call
    spec = catalogue.spec_of(call.version) if call.version else None
    general = [mend_shown(flag) for flag in call.flags if not flag.get("path") and flag["name"] not in SAID]
    return {
        "row": row_of(question), "question": question, "call": call,
        "arguments": arguments_of(call), "lines": marked(call.arguments, [], call.flags), "general": general,
        "taint": taint_of(call), "edited": _edited(call), "preview": preview_of(question),
        "votes": question.votes.all(), "earlier": earlier(question), "proofs": proofs_for(actor.user, question),
        "why_not": why_not(question, actor, spec, groups), "attempt": call.attempts.order_by("-number").first(),
        "last_word": _has_last_word(question),
    }  # fmt: skip


SAID = ("after_untrusted", "edited")
"""Flags that have a place of their own on the page."""


def arguments_of(call: ToolCall) -> list[Argument]:
    flags = [mend_shown(flag) for flag in call.flags if flag.get("path")]
    given: Mapping[str, Any] = call.arguments or {}
    return [
        Argument(name, pretty(value), [flag for flag in flags if _is_within(flag["path"], name)])
        for name, value in given.items()
    ]


def _is_within(path: str, name: str) -> bool:
    start = f"$.{name[:60]}"
    return path == start or path.startswith((f"{start}.", f"{start}["))


def taint_of(call: ToolCall) -> list[ToolCall]:
    """The results from outside that the agent had read before it made this call; the newest of each tool named."""
    names = [
        name.strip()
        for flag in call.flags
        if flag["name"] == "after_untrusted"
        for name in str(flag.get("detail", "")).split(",")
    ]
    read = ToolCall.objects.filter(
        topic=call.topic, name__in=names, proposed_at__lt=call.proposed_at, version__definition__untrusted=True,
        status__in=(CallStatus.SUCCEEDED, CallStatus.FAILED),
    )  # fmt: skip
    newest = {row.name: row for row in read.order_by("proposed_at", "position")}
    return list(newest.values())


def _edited(call: ToolCall) -> list[Place]:
    """What was asked for beside what would be done, if somebody who decides changed it."""
    return [] if call.proposed_arguments is None else beside(call.proposed_arguments, call.arguments)


def preview_of(question: Confirmation) -> dict[str, Any] | None:
    """What the tool itself says it would do; with what it said before, if that is not the same."""
    if question.preview is None:
        return None
    if question.preview_before is None:
        return {"now": beside({}, question.preview)}
    places = beside(question.preview_before, question.preview)
    return {"now": places, "differs": True, "changes": sum(place.changed for place in places)}


def earlier(question: Confirmation) -> list[Earlier]:
    """Decisions about the very same arguments, or about the same tool for the same person; newest first."""
    call = question.call
    alike = Q(call__name=call.name, call__requester=call.requester)
    if call.likeness:
        alike |= Q(call__likeness=call.likeness)
    rows = (
        Confirmation.objects.filter(alike).exclude(pk=question.pk).exclude(status=ConfirmationStatus.PENDING)
    )
    rows = rows.select_related("call__version", "call__requester").prefetch_related("votes__user")
    found = rows.order_by("-created_at", "-pk")[:MOST_EARLIER]
    return [Earlier(row_of(row), bool(call.likeness) and row.call.likeness == call.likeness) for row in found]


def proofs_for(user: User, question: Confirmation) -> dict[str, bool]:
    """Which proofs this person is asked for: those that do and that they can give."""
    accepted = policy.accepted_proofs(question.proof)
    kinds: tuple[Kind, ...] = ("password", "code")
    has: dict[str, bool] = {kind: bool(proofs_of(user, {kind})) for kind in kinds if kind in accepted}
    return {"needed": bool(accepted), "none": bool(accepted) and not any(has.values()), **has}


def why_not(question: Confirmation, actor: Actor, spec: ToolSpec | None, groups: Groups) -> str | Promise:
    """Why whoever looks cannot decide now; "" when they can, or when there is nothing left to decide."""
    call = question.call
    if question.status != ConfirmationStatus.PENDING or getattr(question, "can", False):
        return ""
    if call.requester_id == actor.user.pk:
        return _own(question)
    if not policy.needs_reviewer(question.by):
        return _("Only %(who)s decides about this, in the conversation.") % {"who": call.requester}
    if "user" in question.by and not question.user_approved:
        return _("%(who)s has yet to agree; reviewers decide after that.") % {"who": call.requester}
    if any(vote.user_id == actor.user.pk for vote in yes_votes(question)):
        return _("You have agreed. %(standing)s.") % {"standing": standing(question)}
    names = groups.names_for(call.name, spec.domain if spec else "")
    return _("Only these reviewers decide about this tool: %(groups)s.") % {"groups": ", ".join(names) or "–"}


def _own(question: Confirmation) -> str:
    if "user" in question.by and not question.user_approved:
        return _("You asked for this. Say whether you agree in the conversation.")
    return _("You asked for this yourself: somebody else has to decide, whatever your role.")


def _has_last_word(question: Confirmation) -> bool:
    """Whether the next yes is the one that lets it run."""
    return len(yes_votes(question)) + 1 >= question.votes_needed
