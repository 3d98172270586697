"""A question to people as a line of the queue: what, for whom, why it is held, how far it has come, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import BooleanField, Case, Prefetch, QuerySet, Value, When
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from platform_site.access import Actor
from tools import catalogue, policy
from tools.gate import telling
from tools.models import Confirmation, ConfirmationStatus, ToolCall, Vote
from tools.review.playground_words import RISKS, STATUSES
from tools.review.waiting import Groups, mine
from tools.spec import ToolSpec

MARKED = frozenset(
    {
        "after_untrusted",
        "edited",
        "nobody_can_approve",
        "written_as_text",
        "corrected_by_person",
        "unattended",
    }
)
"""Flags that a line names; other ones changed the arguments, and the page of the question shows how."""
Words = str | Promise


@dataclass(frozen=True, slots=True)
class Row:
    """One line. `is_mine`: whoever looks can decide it now; `status` and `risk` are name, meaning or tone, icon."""

    question: Confirmation
    title: str
    summary: str
    risk: tuple[Words, str, str] | None
    status: tuple[Words, Words, str, str]
    standing: str
    is_mine: bool
    is_mended: bool
    marks: tuple[str, ...]
    reason: str = ""

    @property
    def call(self) -> ToolCall:
        return self.question.call

    @property
    def is_open(self) -> bool:
        return self.question.status == ConfirmationStatus.PENDING and self.question.call.status == "held"


def with_everything(rows: QuerySet[Confirmation], actor: Actor, groups: Groups) -> QuerySet[Confirmation]:
    """What `row_of` reads, in two queries however many rows there are."""
    can = Case(
        When(pk__in=mine(actor, groups).values("pk"), then=Value(True)),
        default=Value(False), output_field=BooleanField(),
    )  # fmt: skip
    votes = Prefetch("votes", Vote.objects.select_related("user").order_by("created_at"))
    return rows.select_related("call__version", "call__requester").prefetch_related(votes).annotate(can=can)


def row_of(question: Confirmation) -> Row:
    """One line, of a row read by `with_everything`."""
    call = question.call
    spec = catalogue.spec_of(call.version) if call.version else None
    names = [flag.get("name", "") for flag in call.flags]
    return Row(
        question, title=title_of(call, spec), summary=label(telling.labels(spec, "summary", call.arguments)),
        risk=RISKS.get(call.risk), status=STATUSES[call.status], standing=standing(question),
        is_mine=bool(getattr(question, "can", False)),
        is_mended=any(name not in MARKED and name not in ("default", "empty") for name in names),
        marks=tuple(dict.fromkeys(name for name in names if name in MARKED)), reason=_no(question),
    )  # fmt: skip


def title_of(call: ToolCall, spec: ToolSpec | None) -> str:
    return label(telling.labels(spec, "title", call.arguments)) or call.name


def label(texts: Mapping[str, str]) -> str:
    """A tool's own words in the reader's language."""
    return texts.get(get_language() or "") or texts.get("en", "")


def yes_votes(question: Confirmation) -> list[Vote]:
    """The reviewers' yeses that count: said to what is shown now."""
    return [
        vote
        for vote in question.votes.all()
        if (vote.part, vote.decision, vote.digest) == ("reviewer", "approve", question.digest)
    ]


def standing(question: Confirmation) -> str:
    """How far it has come: who agreed, who is waited for; afterwards who decided."""
    if question.status != ConfirmationStatus.PENDING:
        return _decided(question)
    said: list[str] = []
    who = {"who": question.call.requester}
    if "user" in question.by:
        said.append(
            _("%(who)s agreed") % who if question.user_approved else _("%(who)s has yet to agree") % who
        )
    if policy.needs_reviewer(question.by):
        numbers = {"yes": len(yes_votes(question)), "needed": question.votes_needed}
        said.append(_("%(yes)s of %(needed)s reviewers") % numbers)
    return " · ".join(said)


def _decided(question: Confirmation) -> str:
    votes = question.votes.all()
    match question.status:
        case ConfirmationStatus.DENIED:
            who = next((vote.user for vote in votes if vote.decision == "reject"), "–")
            return _("Rejected by %(who)s") % {"who": who}
        case ConfirmationStatus.APPROVED:
            names = [
                str(vote.user)
                for vote in votes
                if (vote.decision, vote.digest) == ("approve", question.digest)
            ]
            return _("Approved by %(who)s") % {"who": ", ".join(names) or "–"}
        case ConfirmationStatus.EXPIRED:
            return _("Nobody decided in time")
    return _("Taken back")


def _no(question: Confirmation) -> str:
    """The reason somebody gave for their no."""
    return next((vote.reason for vote in question.votes.all() if vote.decision == "reject"), "")
