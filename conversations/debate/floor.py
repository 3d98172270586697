"""Who has the word in a debate that a run moves, and what the next reply is made from: read from rows, each time anew.

`enter` finds the debate of a claimed run, or begins one; `goes_on` stands between two replies: the script says who
speaks next, or that nobody does now. Called inside the transactions of `steps`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from django.db.models import Max

from agents import able, debate_words
from agents.debate import (
    SUMMARY,
    Done,
    Pause,
    Settings,
    Speak,
    Summarise,
    Voice,
    from_json,
    next_step,
    speaks,
)
from agents.messages import ModelMessage
from agents.spec import AgentSpec
from conversations import elsewhere, exact, summaries, tree
from conversations.debate import beginning, notepad, rows, status, telling, transcript
from conversations.debate.models import Debate, DebateStatus
from conversations.debate.transcript import Row
from conversations.models import Message
from conversations.turn import Turn, made_too_often, read_history, told
from conversations.uploads_seen import read_pictures
from platform_site import ledger
from platform_site.errors import Problem
from tools import catalogue as tool_catalogue
from tools import gate
from tools.gate import telling as people
from tools.models import ToolCall

Spoken = Speak | Summarise
ASKED = ("message", "retry", "reminder")
"""The causes of runs that answer somebody's words; the others go on with what there is."""


@dataclass(frozen=True, slots=True)
class Floor:
    """Whose reply comes next, or is being written. `settings_told` is for `Request.settings`."""

    debate: str
    settings: Settings
    step: Spoken
    voice: AgentSpec
    instructions: str
    settings_told: Mapping[str, Any]
    own: frozenset[str]
    """The messages of this turn so far."""
    rounds: int
    """How many of them this run wrote."""

    @property
    def place(self) -> dict[str, Any]:
        """What TEXT_MESSAGE_START says of it."""
        return telling.of_message(self.debate, self.step)

    @property
    def values(self) -> dict[str, Any]:
        """What its Message row says of it."""
        place = self.place
        return {"debate_id": self.debate, "speaker": place["speaker"], "turn": place["turn"]}


def enter(log: ledger.Log, turn: Turn) -> str:
    """Find the debate this run moves, or begin one with what was asked; why there can be none, else empty."""
    path = rows.path_of(turn.topic, turn.head)
    found = transcript.last_debate(path)
    debate = Debate.objects.get(pk=found) if found else None
    try:
        if asked := _question(turn, path, debate):
            with people.words_for(turn.requester):
                debate = beginning.begin(log, turn.agent, turn.run.options, asked)
            path = rows.path_of(turn.topic, turn.head)
    except Problem as problem:
        return problem.detail
    if debate is None:
        return ""
    settings = from_json(debate.settings)
    if not beginning.are_here(settings):
        return people.for_person(turn.requester, status.NOT_HERE)
    calls = _calls(turn)
    step = _begun(turn, settings) or _next(debate, settings, path, calls)
    _take(turn, debate.pk, settings, step, path, calls)
    return ""


def _question(turn: Turn, path: Sequence[Row], before: Debate | None) -> list[str]:
    """What begins a new debate: the last words of this branch, if a person said them after the last debate was over."""
    if turn.run.cause not in ASKED or (before and before.status not in status.OVER):
        return []
    said: list[str] = []
    for row in reversed(path):
        if row.role != "user" or row.debate:
            break
        said.append(row.id)
        if len(said) > 1 and row.run != turn.run.pk:
            return said[-2::-1]
    return said[::-1]


def _begun(turn: Turn, settings: Settings) -> Spoken | None:
    """Of a reply that was begun before, by a runner that is gone or a run that failed, whose it is."""
    place = turn.exact.settings.get("debate", {}) if turn.exact else rows.begun(turn.run)
    if not place:
        return None
    return Summarise() if place["stage"] == "summary" else speaks(settings, place["turn"])


def _calls(turn: Turn) -> list[ToolCall]:
    """Every call of the conversation: read once a reply."""
    return list(
        ToolCall.objects.filter(topic=turn.topic).select_related("confirmation", "version", "requester")
    )


def _next(
    debate: Debate, settings: Settings, path: Sequence[Row], calls: Iterable[ToolCall]
) -> Spoken | Pause | Done:
    said = transcript.said_in(path, debate.pk, rows.ended(calls))
    return next_step(settings, said, status.WISHES[debate.steer])


def goes_on(log: ledger.Log, turn: Turn) -> bool:
    """Whether another reply follows; `turn` is made ready for it. Else the debate rests, or is over."""
    if turn.floor is None:
        return False
    if turn.exact:
        return True
    debate = Debate.objects.get(pk=turn.floor.debate)
    if debate.status != DebateStatus.ACTIVE:
        return False
    path, calls = rows.path_of(turn.topic, turn.head), _calls(turn)
    step = _next(debate, turn.floor.settings, path, calls)
    match step:
        case Speak() | Summarise():
            if not _rows_of(path, debate.pk, step) and _let_in(log, turn, debate):
                path = rows.path_of(turn.topic, turn.head)
            _take(turn, debate.pk, turn.floor.settings, step, path, calls)
            return True
        case Pause():
            _let_in(log, turn, debate)
            status.move(log, debate, DebateStatus.PAUSED)
            return False
        case Done():
            status.move(log, debate, DebateStatus.DONE)
            return False
        case _:
            assert_never(step)


def _let_in(log: ledger.Log, turn: Turn, debate: Debate) -> bool:
    """Give what people said meanwhile its place between the turns."""
    if not status.place(log, debate):
        return False
    turn.head = tree.head_of(turn.topic)
    theirs = Message.objects.filter(conversation=turn.topic, role="user", author=turn.requester)
    turn.spoke_at = theirs.aggregate(last=Max("created_at"))["last"]
    turn.pictures = read_pictures(turn.topic, read_history(turn.topic, turn.head, ()))
    return True


def shared_state(turn: Turn) -> dict[str, Any]:
    """What a debate has in the state people's pages share: told again with all else that stands there."""
    return {"notepad": notepad.as_state(rows.notepad_of(turn.floor.debate))} if turn.floor else {}


def retell(turn: Turn) -> None:
    """The transcript in memory once more from the rows: its beginning was summarised."""
    if floor := turn.floor:
        path = rows.path_of(turn.topic, turn.head)
        _take(turn, floor.debate, floor.settings, floor.step, path, _calls(turn))


def _take(
    turn: Turn,
    debate: str,
    settings: Settings,
    step: Spoken | Pause | Done,
    path: Sequence[Row],
    calls: Sequence[ToolCall],
) -> None:
    """Make the turn ready for the next reply: who speaks, through which models, with which tools, told what."""
    if isinstance(step, Pause | Done):
        step = Summarise()  # nobody speaks: `goes_on` says so before anything is asked
    mine = _rows_of(path, debate, step)
    own = frozenset(row.id for row in mine)
    voice = _voice_of(settings, step)
    spec = beginning.spec_of(voice)
    pad = rows.notepad_of(debate)
    question = next((row.text for row in path if row.debate == debate), "")
    notes = notepad.as_state(pad)["entries"]
    turn.floor = Floor(
        debate, settings, step, spec, _instructions(settings, step, spec),
        {"debate": telling.of_request(settings, step, question, notes)}, own,
        sum(row.run == turn.run.pk for row in mine),
    )  # fmt: skip
    turn.offered = _tools(settings, step, spec)
    turn.others_spoke = any(row.debate == debate and row.by not in (None, turn.requester.pk) for row in path)
    if turn.exact is None:
        turn.models = exact.models_from(voice.models)
    _count(turn, calls, own)
    kept, before = _left(turn.topic, path, debate, calls)
    names = {one.slug: one.name for one in settings.personas}
    view = transcript.View(
        debate, settings, step, notepad.markdown(pad, names), {call.pk: told(call) for call in calls}, before
    )
    messages = transcript.told(kept, view)
    blind = isinstance(step, Summarise) and not any(model.images for model in turn.models)
    turn.messages = list(map(able.without_pictures, messages)) if blind else messages


def _voice_of(settings: Settings, step: Spoken) -> Voice:
    return step.persona if isinstance(step, Speak) else settings.author


def _instructions(settings: Settings, step: Spoken, spec: AgentSpec) -> str:
    if isinstance(step, Speak):
        return debate_words.part(settings, step, spec.instructions)
    return debate_words.summing_up(settings, spec.instructions)


def _tools(settings: Settings, step: Spoken, spec: AgentSpec) -> Mapping[str, Any]:
    """A persona's own, the notepad, and the mark that it has nothing to add; whoever sums up needs none."""
    if isinstance(step, Summarise):
        return {}
    marks = [debate_words.NOTHING] if settings.mode == "ai" else []
    return tool_catalogue.offered(dict.fromkeys([*spec.tools, debate_words.NOTES, *marks]))


def _rows_of(path: Iterable[Row], debate: str, step: Spoken) -> list[Row]:
    """What was said in this turn already."""
    number = step.turn if isinstance(step, Speak) else SUMMARY
    return [row for row in path if row.debate == debate and row.role != "user" and row.turn == number]


def _count(turn: Turn, calls: Iterable[ToolCall], own: frozenset[str]) -> None:
    """What was called, and tried in vain, in this turn alone: each persona has its own patience."""
    turn.seen = {}
    for call in calls:
        if call.run == turn.run.pk and call.message in own:
            made_too_often(turn, call)
    others = {one.chain for one in turn.tries.so_far if one.reply not in own}
    if others:
        gate.close_tries(turn.tries.open_chains & others)
        turn.tries.so_far = [one for one in turn.tries.so_far if one.chain not in others]


def _left(
    topic: str, path: Sequence[Row], debate: str, calls: Sequence[ToolCall]
) -> tuple[list[Row], list[ModelMessage]]:
    """What is told word by word, and the notes before it: of what became too long, of what other branches did."""
    ids = [row.id for row in path]
    summary = summaries.newest_in(topic, ids)
    rest = set(summaries.rest_of(ids, summary))
    question = next((row.id for row in path if row.debate == debate), "")
    kept = [row for row in path if row.id in rest or row.id == question]
    other = elsewhere.note(calls, set(ids))
    return kept, [*([summaries.note(summary)] if summary else []), *([other] if other else [])]
