"""The script of a debate: who speaks next, or that it is summed up, rests, or is over. Pure.

`next_step` is given the settings a debate began with, the turns so far and what a person wishes, and nothing else: the
engine asks it after every reply, and whoever takes a debate over asks it again from the same rows.
A turn may take several replies, when its persona uses tools; the same persona goes on until the turn is whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Mode = Literal["fixed", "ai"]
Wish = Literal["", "pause", "summarise"]
"""What a person wants of a debate that moves; it is done between two turns, and a summary at the next reply."""
SUMMARY = 0
"""The number of the turn that sums up; the turns of the personas count from 1."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Somebody who speaks in a debate, as they were when it began.

    `version` is the id of their AgentVersion. `models` are whom to ask, in order: each as `conversations.exact` keeps
    a model, without keys and prices.
    """

    slug: str
    name: str
    version: str = ""
    models: tuple[Mapping[str, Any], ...] = ()
    avatar: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a debate began with. A change of agents, presets or options takes effect at the next one."""

    personas: tuple[Voice, Voice]
    author: Voice
    """The agent of kind `debate` itself: it writes the summary."""
    mode: Mode = "fixed"
    rounds: int = 3
    """In `fixed`: both speak once in each."""
    most_rounds: int = 8
    """In `ai`: after so many it is summed up, settled or not."""
    budget: str = ""

    @property
    def last_round(self) -> int:
        return self.rounds if self.mode == "fixed" else self.most_rounds

    def persona(self, slug: str) -> Voice | None:
        return next((one for one in self.personas if one.slug == slug), None)

    def opponent(self, slug: str) -> Voice:
        first, second = self.personas
        return second if slug == first.slug else first


@dataclass(frozen=True, slots=True)
class Said:
    """A turn as far as it got. `settles`: its persona marked that it has nothing to add."""

    turn: int
    is_whole: bool = True
    settles: bool = False


@dataclass(frozen=True, slots=True)
class Speak:
    """`persona` has the word, for the first time in this turn or again after its tools."""

    persona: Voice
    turn: int
    round: int


@dataclass(frozen=True, slots=True)
class Summarise:
    """The debate agent itself writes what came of it."""


@dataclass(frozen=True, slots=True)
class Pause:
    """A person asked for a rest; it goes on when somebody says so."""


@dataclass(frozen=True, slots=True)
class Done:
    """It has been summed up."""


Step = Speak | Summarise | Pause | Done


def next_step(settings: Settings, said: Sequence[Said], wish: Wish = "") -> Step:
    """What comes next.

    `said`: the turns so far in order, the summary's (turn 0) last; only the last one may be unfinished.
    """
    last = said[-1] if said else None
    if last and last.turn == SUMMARY:
        return Done() if last.is_whole else Summarise()
    if wish == "summarise":
        return Summarise()
    if last and not last.is_whole:
        return speaks(settings, last.turn)
    if wish == "pause":
        return Pause()
    return Summarise() if is_exhausted(settings, said) else speaks(settings, len(said) + 1)


def speaks(settings: Settings, turn: int) -> Speak:
    """Who has a turn: they take it in turns, the first persona first."""
    return Speak(settings.personas[(turn - 1) % 2], turn, round_of(turn))


def round_of(turn: int) -> int:
    """The round a turn belongs to, from 1."""
    return (turn + 1) // 2


def is_exhausted(settings: Settings, said: Sequence[Said]) -> bool:
    """Whether all rounds are over; or, where the personas decide, both had nothing to add one after the other."""
    if len(said) >= 2 * settings.last_round:
        return True
    return settings.mode == "ai" and len(said) >= 2 and said[-1].settles and said[-2].settles


def to_json(settings: Settings) -> dict[str, Any]:
    """The stored form."""
    return asdict(settings)


def from_json(stored: Mapping[str, Any]) -> Settings:
    first, second = map(_voice, stored["personas"])
    return Settings(**{**stored, "personas": (first, second), "author": _voice(stored["author"])})


def _voice(stored: Mapping[str, Any]) -> Voice:
    return Voice(**{**stored, "models": tuple(stored["models"])})
