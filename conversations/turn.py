"""A run being moved, and what it works from: read from the rows once, when it is claimed.

`steps` and `ending` write; `engine.advance` tells the story. All functions are synchronous and run in a database
thread.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils import timezone

from agents import catalogue as agent_catalogue
from agents.messages import ModelMessage, Picture, Request, ToolResultPart
from agents.notes import Switched
from agents.spec import AgentSpec, ModelSpec
from agents.usage.spending import Spending
from conversations import clock, elsewhere, exact, glance, job_notes, summaries, tree
from conversations.glance import Glance
from conversations.groups import naming
from conversations.history import history
from conversations.models import Message, Run, RunStatus
from conversations.reminders import told as reminders_told
from conversations.uploads_seen import read_pictures, with_pictures
from platform_site import wire
from platform_site.models import Membership, Tenant, User
from tools import catalogue as tool_catalogue
from tools import gate
from tools.canonical import canonical
from tools.models import OPEN_STATUSES, CallStatus, Confirmation, ToolCall
from tools.spec import ToolSpec

if TYPE_CHECKING:
    from conversations.debate.floor import Floor

SAME_CALL_LIMIT = 3
BAD = (CallStatus.REJECTED, CallStatus.REFUSED, CallStatus.ASKING)
"""Calls that came to nothing; their own budget is `Turn.tries`."""


@dataclass(slots=True)
class Turn:
    """A claimed run and what it works from. Lives in memory; everything it must not lose is in rows."""

    run: Run
    tenant: Tenant
    requester: User
    membership: Membership
    agent: AgentSpec
    models: Sequence[ModelSpec]
    offered: Mapping[str, ToolSpec]
    messages: list[ModelMessage]
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    """The pictures that go to the model, by upload id."""
    todo: list[ToolCall] = field(default_factory=list)
    """Calls to carry out now, in order: claimed just now, or cleared or approved and not claimed yet."""
    previews: list[ToolCall] = field(default_factory=list)
    """Calls to be shown beforehand: what they would do is taken before anybody is asked."""
    orphans: list[ToolCall] = field(default_factory=list)
    """Calls that a runner claimed and did not live to settle."""
    waiting: list[ToolCall] = field(default_factory=list)
    """Calls that wait for the person who asked."""
    seen: dict[str, int] = field(default_factory=dict)
    """How often each call was made in this run."""
    people: naming.Names = field(default_factory=dict)
    """Whom the model has to tell apart; empty where one person talks to it."""
    tries: gate.Tries = field(default_factory=gate.Tries)
    """What the model got wrong in this turn, and how often."""
    spoke_at: datetime | None = None
    """When the person last wrote."""
    head: str | None = None
    """The last message of the branch this run goes on with."""
    is_titled: bool = False
    """The conversation has its title, or a model was asked for one."""
    exact: Request | None = None
    """The request of a failed run, to be made once more as it was."""
    asked: Request | None = None
    """The request made last."""
    unanswered: int = 0
    """Calls of the last reply that have not answered the person by themselves; at 0 the model is not asked again."""
    outside: tuple[str, ...] = ()
    """Tools whose outside text came here by reminders."""
    said_nothing: bool = False
    """The last reply had no words, which counts as one more that is unanswered."""
    others_spoke: bool = False
    """What is answered are not the requester's words alone: somebody stepped into their debate."""
    floor: Floor | None = None
    """In a debate: who has the word, as `debate.floor` finds it before each reply."""
    spending: Spending = field(default_factory=Spending)
    """The limits it moves within, and what is reserved for the reply that is being written."""
    switched: Switched | None = None
    """That another model than the agent's first writes the reply that is being written, or was written last."""
    told_switch: Switched | None = None

    @property
    def topic(self) -> str:
        return self.run.conversation_id

    @property
    def unattended(self) -> bool:
        """A reminder asked, and what follows from it: nobody is there to be asked, and no standing yes counts."""
        return bool(self.run.options.get("reminder"))

    @property
    def voice(self) -> AgentSpec:
        """Whose instructions and tools the reply is made from: the agent's, or in a debate a persona's."""
        return self.floor.voice if self.floor else self.agent

    @property
    def rounds(self) -> int:
        """Replies so far: of the run, or in a debate of the persona's turn."""
        return self.floor.rounds if self.floor else self.run.rounds

    @property
    def speaker(self) -> ModelSpec | None:
        """The model that writes the reply: the agent's first, unless another one had to answer."""
        named = self.switched.model if self.switched else ""
        return next((model for model in self.models if model.slug == named), next(iter(self.models), None))

    @property
    def fallback(self) -> dict[str, Any]:
        """For TEXT_MESSAGE_END: that it was not the agent's first model that wrote, and why; else empty."""
        if self.switched is None:
            return {}
        first = self.models[0].slug
        return {"fallback": {"model": self.switched.model, "was": first, "code": self.switched.code}}

    @property
    def is_demo(self) -> bool:
        """The answer comes from a script, and is labelled so."""
        return self.speaker is not None and self.speaker.provider == "demo"

    @property
    def locale(self) -> str:
        """The language people read here."""
        return self.requester.locale or self.tenant.locale

    def request(self) -> Request:
        """What the model is asked next."""
        self.asked = self.exact or self._request()
        return self.asked

    def _request(self) -> Request:
        scenario = self.agent.scenario(self.run.options.get("scenario", ""))
        instructions = self.agent.instructions
        if scenario:
            instructions = f"{instructions}\n\n{scenario.instructions}"
        if self.floor:
            instructions = self.floor.instructions
        elif self.people:
            instructions = f"{instructions}\n\n{naming.instructions(self.people, self.agent.name)}"
        if self.unattended:
            instructions = f"{instructions}\n\n{reminders_told.UNATTENDED}"
        return Request(
            model="", instructions=instructions, messages=with_pictures(self._messages_now(), self.pictures),
            tools=tuple(self.offered.values()),
            locale=self.locale, settings={**self.run.options, **self._company, **self._place}, images=self.pictures,
        )  # fmt: skip

    def _messages_now(self) -> list[ModelMessage]:
        """The history, and what time it is for the person."""
        now = self.run.started_at or timezone.now()
        return clock.told(self.messages, now, clock.zone_of(self.requester, self.tenant))

    @property
    def _place(self) -> Mapping[str, Any]:
        """For the demo model, and for a retry: where in a debate this reply stands."""
        return self.floor.settings_told if self.floor else {}

    @property
    def _company(self) -> dict[str, Any]:
        """For the demo model, which does not read instructions: who takes part, and who is answered."""
        if not self.people:
            return {}
        speaker = self.people.get(self.requester.pk, "")
        agent = [self.agent.name, self.agent.slug]
        return {"group": {"people": sorted(set(self.people.values())), "speaker": speaker, "agent": agent}}


def read(run: Run, there: Glance | None = None) -> Turn | None:
    """Everything the run works from; None when it may not go on. `there`: what there is, where it was seen."""
    there, tenant = there or glance.at(run.conversation_id, run.requester_id), run.tenant
    if not there.takes_part:
        return None
    membership = Membership.objects.filter(user=run.requester, is_active=True, user__is_active=True).first()
    if membership is None or not tenant.is_active or not run.agent_version.agent.is_enabled:
        return None
    agent = agent_catalogue.spec_of(run.agent_version)
    scenario = agent.scenario(run.options.get("scenario", ""))
    names = scenario.tools if scenario and scenario.tools else agent.tools
    models = agent_catalogue.models_for(agent, run.options)
    turn = Turn(run, tenant, run.requester, membership, agent, models, tool_catalogue.offered(names), [])
    calls = list(_calls_in(turn.topic)) if there.calls else []
    turn.head, turn.is_titled = there.head, bool(there.titled)
    turn.people = naming.names_in(turn.topic) if there.is_shared else {}
    turn.messages = read_history(turn.topic, turn.head, calls, run.started_at, turn.people, there)
    turn.pictures = read_pictures(turn.topic, turn.messages)
    mine = [call for call in calls if call.requester_id == run.requester_id]
    turn.todo = [call for call in mine if call.status in (CallStatus.APPROVED, CallStatus.CLEARED)]
    turn.previews = [call for call in mine if call.status == CallStatus.PROPOSED]
    claimed = [call for call in calls if call.status == CallStatus.CLAIMED]
    turn.orphans = [call for call in claimed if not job_notes.is_job(call)]
    turn.unanswered = 1
    turn.waiting = [call for call in mine if waits_for_requester(call)]
    for call in calls:
        if call.run == run.pk:
            made_too_often(turn, call)
    turn.tries = _tries(run, calls)
    turn.tries.unattended = turn.unattended
    turn.outside = reminders_told.outside_text(turn.topic) if there.reminders else ()
    turn.spoke_at = _spoke_at(run, calls)
    if not (turn.todo or turn.orphans or turn.previews or turn.waiting) and (again := exact.of_retry(run)):
        turn.exact, turn.models = again
    return turn


def _calls_in(topic: str) -> QuerySet[ToolCall]:
    return ToolCall.objects.filter(topic=topic).select_related("confirmation", "version", "requester")


def _spoke_at(run: Run, calls: Iterable[ToolCall]) -> datetime | None:
    """When the person last wrote: it matters only where they have said no to something."""
    if not any(call.status == CallStatus.DENIED for call in calls):
        return None
    said = Message.objects.filter(
        conversation=run.conversation_id, role="user", author=run.requester
    ).exclude(run__status=RunStatus.QUEUED)
    return said.order_by("-created_at").values_list("created_at", flat=True).first()


def _tries(run: Run, calls: Iterable[ToolCall]) -> gate.Tries:
    """What went wrong in this turn so far. A new message begins a new turn: what is open from before stays as it is."""
    if not any(call.status in BAD for call in calls):
        return gate.Tries()
    tries = gate.read_tries(run.pk, run.conversation_id, run.requester_id)
    if run.cause in ("message", "regenerate", "reminder") and not run.rounds:
        gate.close_tries(tries.open_chains)
        return gate.Tries()
    return tries


def read_history(
    topic: str,
    head: str | None,
    calls: Iterable[ToolCall],
    began: datetime | None = None,
    people: naming.Names | None = None,
    there: Glance | None = None,
) -> list[ModelMessage]:
    """The branch that ends with `head`, for a model: what is summarised in it, then what was said, word by word.

    `began`: when the run began that it is for; jobs that end later are still at work for it. `people`: the names in
    it, and `there`: what there is, where they were read already.
    """
    calls, there = list(calls), there or glance.at(topic)
    placed = Message.objects.filter(conversation=topic, waiting=False).order_by("position")
    names = naming.names_in(topic) if people is None else people
    rows = {
        pk: (parent, role, naming.told_by(names, author, parts), run_began)
        for pk, parent, role, parts, author, run_began in placed.values_list(
            "pk", "parent_id", "role", "parts", "author_id", "run__started_at"
        )
    }
    path = tree.path({pk: parent for pk, (parent, *_) in rows.items()}, head)
    stored = {pk: (rows[pk][1], rows[pk][2]) for pk in path}
    answers = {call.pk: told(call, began) for call in calls}
    summary = summaries.newest_in(topic, path) if there.summaries else None
    rest = summaries.rest_of(path, summary)
    rest_rows = [job_notes.Row(pk, stored[pk], rows[pk][3]) for pk in rest]
    messages = history(job_notes.with_news(rest_rows, calls, began), answers)
    if summary:
        said = [one for one in stored.values() if one[0] == "user"]
        messages = summaries.in_place(summary, messages, history(said[-1:], {}))
    if there.reminders:
        messages = elsewhere.told_before_last(messages, reminders_told.note(topic))
    return elsewhere.told_before_last(messages, elsewhere.note(calls, set(path)))


def told(call: ToolCall, began: datetime | None = None) -> ToolResultPart:
    """What the model is told of a stored call."""
    if job_notes.is_job(call) and not job_notes.is_known(call, began):
        return ToolResultPart(call.pk, call.name, gate.working_answer(call), "working")
    if call.status == CallStatus.HELD:
        return ToolResultPart(call.pk, call.name, gate.pending_answer(call), "pending_confirmation")
    if call.status in (CallStatus.APPROVED, CallStatus.CLAIMED):
        message = "It was approved and is being carried out. Do not call it again; the outcome will follow."
        return ToolResultPart(
            call.pk, call.name, wire.as_text({"status": "APPROVED", "message": message}), call.status
        )
    if call.status in (CallStatus.ASKING, CallStatus.PROPOSED):
        return ToolResultPart(call.pk, call.name, naming.WAITS, "pending_confirmation")
    if call.status in OPEN_STATUSES or not call.result:
        return ToolResultPart(call.pk, call.name, gate.NOT_RUN, "withdrawn")
    return ToolResultPart(call.pk, call.name, _put_right(call) + call.result["content"], call.status)


def _put_right(call: ToolCall) -> str:
    """The model is to know that something else ran than it asked for."""
    by_people = any(flag["name"] in ("corrected_by_person", "edited") for flag in call.flags)
    if not by_people or call.arguments is None:
        return ""
    return f"The person put the arguments right before this ran: {json.dumps(call.arguments, ensure_ascii=False)}\n"


def waits_for_requester(call: ToolCall) -> bool:
    """Such a call blocks its conversation until the person who asked has done their part."""
    if call.status != CallStatus.HELD:
        return call.status == CallStatus.ASKING
    confirmation: Confirmation = call.confirmation
    return "user" in confirmation.by and not confirmation.user_approved and not gate.is_parked(call)


def made_too_often(turn: Turn, call: ToolCall) -> bool:
    """Count this very call: a good one may be made twice in one run, and a third time stops the run."""
    if call.status in BAD:
        return False
    what = f"{call.name} {canonical(call.arguments) if call.arguments is not None else call.raw}"
    turn.seen[what] = turn.seen.get(what, 0) + 1
    return turn.seen[what] >= SAME_CALL_LIMIT


def spec_of(call: ToolCall) -> ToolSpec:
    """The version the call was proposed under."""
    assert call.version is not None
    return tool_catalogue.spec_of(call.version)
