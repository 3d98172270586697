"""The sentences of the playground: steps, verdicts, and who would have to agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tools.models import CallStatus, Risk
from tools.pipeline.values import Flag, Step
from tools.review.playground_look import Approval, Looked
from tools.schema_words import ArgumentError

Words = str | Promise

STEPS: dict[str, tuple[Words, Words]] = {
    "size": (gettext_lazy("Size"), gettext_lazy("At most 64 KiB.")),
    "whole": (gettext_lazy("Whole"), gettext_lazy("The model finished; nothing was cut off.")),
    "json": (gettext_lazy("JSON"), gettext_lazy("Read strictly: one text, one meaning.")),
    "repair": (gettext_lazy("Repair"), gettext_lazy("Damage that has one sensible reading is mended.")),
    "coerce": (
        gettext_lazy("Types"),
        gettext_lazy("Values of the wrong type, where there is no doubt what is meant."),
    ),
    "schema": (gettext_lazy("Schema"), gettext_lazy("JSON Schema of this version.")),
    "defaults": (gettext_lazy("Defaults"), gettext_lazy("Filled in where the schema names them.")),
    "handler": (gettext_lazy("Handler"), gettext_lazy("What the tool's own code demands of its arguments.")),
}
OUTCOMES: dict[str, tuple[Words, str, str]] = {
    "ok": (gettext_lazy("Fine"), "good", "check"),
    "changed": (gettext_lazy("Changed"), "water", "edit"),
    "failed": (gettext_lazy("Stopped here"), "bad", "x"),
    "damaged": (gettext_lazy("Not as it stands"), "warn", "alert"),
    "skipped": (gettext_lazy("Not needed"), "", "more"),
    "unreached": (gettext_lazy("Not reached"), "", "more"),
}
VERDICTS: dict[str, tuple[Words, Words, str, str]] = {
    "runs": (
        gettext_lazy("It would run at once"), gettext_lazy("Nobody would be asked."), "good", "shield-check",
    ),
    "asks": (
        gettext_lazy("It would wait for people"), gettext_lazy("Nothing runs before they agree."), "warn", "gate",
    ),
    "rejected": (
        gettext_lazy("It would be rejected"),
        gettext_lazy("The model would be told what is wrong, and could try again."), "bad", "alert",
    ),
    "refused": (gettext_lazy("It would be refused"), gettext_lazy("Whatever the arguments."), "bad", "ban"),
}  # fmt: skip
RISKS: dict[str, tuple[Words, str, str]] = {
    Risk.SAFE: (gettext_lazy("Safe"), "good", "shield-check"),
    Risk.CONFIRM: (gettext_lazy("Asks first"), "warn", "gate"),
    Risk.CRITICAL: (gettext_lazy("Critical"), "bad", "shield-alert"),
}
SEVERITIES: dict[str, Words] = {
    "error": gettext_lazy("rejects"),
    "warn": gettext_lazy("warns"),
    "confirm": gettext_lazy("asks a person"),
    "critical": gettext_lazy("raises to critical"),
}
STATUSES: dict[str, tuple[Words, Words, str, str]] = {
    CallStatus.PROPOSED: (gettext_lazy("Being prepared"), gettext_lazy("Nothing has been done yet."), "", "clock"),
    CallStatus.HELD: (
        gettext_lazy("Waiting for approval"), gettext_lazy("Nothing has been done yet."), "warn", "gate",
    ),
    CallStatus.CLEARED: (gettext_lazy("Starting"), "", "", "clock"),
    CallStatus.APPROVED: (
        gettext_lazy("Approved"), gettext_lazy("It has not been carried out yet."), "good", "gate-open",
    ),
    CallStatus.CLAIMED: (
        gettext_lazy("Running"), gettext_lazy("This page follows how it ends."), "water", "clock",
    ),
    CallStatus.WORKING: (
        gettext_lazy("Working in the background"), gettext_lazy("This page follows how far it has come."), "water",
        "clock",
    ),
    CallStatus.SUCCEEDED: (gettext_lazy("Done"), "", "good", "check"),
    CallStatus.FAILED: (gettext_lazy("Failed"), gettext_lazy("The tool did not do it."), "bad", "alert"),
    CallStatus.UNKNOWN: (
        gettext_lazy("Outcome unknown"),
        gettext_lazy("It may or may not have been done: please check before you try it again."), "warn", "question",
    ),
    CallStatus.REJECTED: (
        gettext_lazy("Arguments not accepted"), gettext_lazy("Nothing was done."), "bad", "alert",
    ),
    CallStatus.REFUSED: (gettext_lazy("Not allowed"), gettext_lazy("Nothing was done."), "bad", "ban"),
    CallStatus.DENIED: (gettext_lazy("Rejected"), gettext_lazy("Nothing was done."), "bad", "x"),
    CallStatus.EXPIRED: (
        gettext_lazy("Expired"), gettext_lazy("Nobody decided in time, so nothing was done."), "", "hourglass",
    ),
    CallStatus.WITHDRAWN: (gettext_lazy("Taken back"), gettext_lazy("Nothing was done."), "", "x"),
    CallStatus.LAPSED: (
        gettext_lazy("Lapsed"),
        gettext_lazy("What was true when it was asked for was not true any more. Nothing was done."), "", "hourglass",
    ),
}  # fmt: skip
"""Of a try, by its call's status: name, what it means, tone, icon."""


@dataclass(frozen=True, slots=True)
class StepShown:
    """One step as the page draws it; what is wrong in the end stands above the steps, and not here again."""

    name: str
    label: Words
    about: Words
    outcome: Words
    tone: str
    icon: str
    flags: Sequence[Flag] = ()
    errors: Sequence[ArgumentError] = ()
    text: str | None = None
    value: Any = None

    @property
    def opens(self) -> bool:
        """Whether there is something to see inside."""
        return bool(self.flags or self.errors) or self.text is not None or self.value is not None


def steps_of(looked: Looked) -> Iterator[StepShown]:
    """The steps of the arguments. What comes after the one that failed was not reached, but for a repair."""
    steps = looked.trace.steps
    failed = [at for at, step in enumerate(steps) if step.outcome == "failed"]
    last = failed[-1] if failed and looked.accepted is None else len(steps)
    for at, step in enumerate(steps):
        label, about = STEPS[step.name]
        outcome, tone, icon = OUTCOMES[_outcome(step, is_over=at > last, is_last=at == last)]
        tells = step.outcome == "changed" or step.name in ("json", "repair")
        yield StepShown(
            step.name, label, about, outcome, tone, icon, step.flags,
            errors=() if at == last else step.errors,
            text=step.text if tells else None,
            value=step.value if tells and step.text is None else None,
        )  # fmt: skip


def _outcome(step: Step, *, is_over: bool, is_last: bool) -> str:
    if step.outcome == "skipped":
        return "unreached" if is_over else "skipped"
    return "damaged" if step.outcome == "failed" and not is_last else step.outcome


def approval_sentences(approval: Approval) -> Iterator[str]:
    """Who would have to agree, how, and until when."""
    asks = approval.who.asks
    if "user" in asks.by:
        yield {
            "simple": _("The person who asks has to agree."),
            "password": _("The person who asks has to agree, and prove with their password that it is them."),
            "code": _("The person who asks has to agree, and prove with a one-time code that it is them."),
        }[approval.ceremony]
    if "reviewer" in asks.by:
        yield _reviewers(asks.votes) % {"votes": asks.votes}
        if approval.who.groups:
            yield _("Only these groups review it: %(groups)s.") % {"groups": ", ".join(approval.who.groups)}
        there = approval.who.others
        yield ngettext(
            "Besides them there is %(count)s person here who may review.",
            "Besides them there are %(count)s people here who may review.", there,
        ) % {"count": there}  # fmt: skip
    times = {"decide": length(asks.decide_within_s), "execute": length(asks.execute_within_s)}
    yield _("There are %(decide)s to decide, and then %(execute)s to carry it out.") % times


def nobody_because(approval: Approval) -> Iterator[str]:
    """Why nobody could agree today; nothing when somebody could."""
    who = approval.who
    if not who.nobody:
        return
    if "user" in who.asks.by and not who.user_can_prove:
        yield _("The person who asks has no password or authenticator app to prove with.")
    if "reviewer" in who.asks.by and who.others < who.asks.votes:
        yield _(
            "Nobody reviews what they asked for themselves, and there are not enough others here who may and can."
        )


def _reviewers(votes: int) -> str:
    return ngettext(
        "%(votes)s reviewer who did not ask for it has to agree.",
        "%(votes)s reviewers who did not ask for it have to agree.", votes,
    )  # fmt: skip


def length(seconds: int) -> str:
    """A stretch of time in its largest whole unit."""
    if seconds % 86400 == 0:
        return ngettext("%(count)s day", "%(count)s days", seconds // 86400) % {"count": seconds // 86400}
    if seconds % 3600 == 0:
        return ngettext("%(count)s hour", "%(count)s hours", seconds // 3600) % {"count": seconds // 3600}
    minutes = max(1, round(seconds / 60))
    return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
