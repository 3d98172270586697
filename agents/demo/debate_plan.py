"""What the two will say on a topic, decided by the question alone: the side each takes, and the order of their reasons.

So no turn needs to remember what an earlier one said: each knows its place in the plan, and nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from agents.demo.debate_domains import speaks_of_picture
from agents.demo.debate_reading import Topic
from agents.demo.debate_words import Words, at

Role = Literal["cognito", "muse"]
"""Who opens, and who doubts."""
Stance = Literal["for", "against", "choose", "examine", "weigh"]
WEAKEST = 1
"""Which of the two reasons in the opening the doubt falls on."""
SETTLED = (2, 3)
"""The rounds of which one is enough, where the two decide themselves."""
COUNTERED = (3, 5, 4, 6, 2, 0, 1)
"""The order in which the second comes to the kinds of reasons, so that the two are seldom at the same one."""
OPPOSITE: dict[Stance, str] = {
    "for": "against", "against": "for", "choose": "choose", "examine": "doubt", "weigh": "doubt",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """Where its text stands in the table, and its kind."""

    path: str
    variant: int
    kind: str


@dataclass(frozen=True)
class Plan:
    """The debate on a topic."""

    topic: Topic
    seed: str

    @cached_property
    def stance(self) -> Stance:
        """What the first speaker defends."""
        if self.topic.reading.family == "act":
            return "for" if self._chance("stance", 2) else "against"
        if self.topic.reading.family == "choose":
            return "choose"
        return "examine" if self.topic.reading.asks_why or self.topic.domain == "picture" else "weigh"

    @cached_property
    def words(self) -> Words:
        return Words(self.topic.language, self.seed, self._named, self._domain)

    @cached_property
    def others_words(self) -> Words:
        """The same with the options changed round: as who prefers the other speaks."""
        swapped = {"a": self._named["b"], "b": self._named["a"]}
        return Words(self.topic.language, self.seed, {**self._named, **swapped}, self._domain)

    @cached_property
    def kinds(self) -> list[str]:
        kinds = list(at(self.topic.language, f"families.{self.stance}.reasons"))
        return [kinds[nth] for nth in self._order("kinds", len(kinds))]

    @cached_property
    def reasons(self) -> list[Reason]:
        """The first speaker's: two in the opening, then one a round, each kind before any comes again."""
        path = f"families.{self.stance}.reasons"
        first = [Reason(path, self._variant(kind), kind) for kind in self.kinds]
        again = [Reason(path, 1 - self._variant(kind), kind) for kind in self.kinds[: self._again]]
        return [*first, *again]

    @cached_property
    def counters(self) -> list[Reason]:
        """The second speaker's own, of kinds that the other comes to late."""
        path = f"families.{OPPOSITE[self.stance]}.reasons"
        kinds = [self.kinds[nth] for nth in COUNTERED]
        kinds = kinds[:5] if self.stance == "choose" else kinds
        return [Reason(path, 1 - self._variant(kind), kind) for kind in kinds]

    def attacked(self, round_: int) -> str:
        """The kind of reason that the second speaker attacks in a round; empty when all have been."""
        nth = WEAKEST if round_ == 1 else round_
        return self.reasons[nth].kind if nth < len(self.kinds) else ""

    def is_out_of_reasons(self, role: Role, round_: int) -> bool:
        """Whether a speaker has brought all there is to bring before this round."""
        return round_ >= (len(self.reasons) if role == "cognito" else len(self.counters) + 1)

    def settles(self, role: Role) -> int:
        """The round after which a speaker has nothing to add; the two need not agree."""
        first = SETTLED[self._chance("settled", 2)]
        return first + (self._chance("later", 2) if role == "muse" else 0)

    def reason(self, reason: Reason) -> str:
        """Its text, as its side would put it."""
        words = self.words if reason in self.reasons else self.others_words
        return words.filled(at(self.topic.language, f"{reason.path}.{reason.kind}")[reason.variant])

    @property
    def family(self) -> str:
        """Of the pools that all stances of a family share."""
        return self.topic.reading.family

    @property
    def _again(self) -> int:
        return 2

    def _variant(self, kind: str) -> int:
        return self._chance(f"variant {kind}", 2)

    def _chance(self, name: str, count: int) -> int:
        return self._order(name, count)[0]

    def _order(self, name: str, count: int) -> list[int]:
        return Words(self.topic.language, self.seed, {}).order(name, count)

    @property
    def _domain(self) -> Mapping[str, Sequence[str]]:
        found = at(self.topic.language, f"domains.{self.topic.domain}")
        several = {**found, "stay": at(self.topic.language, "forms.stay")}
        return {
            key: [names] if isinstance(names, str) else names
            for key, names in several.items()
            if key != "words"
        }

    @cached_property
    def _named(self) -> dict[str, str]:
        """What the question names, as it stands in the sentences."""
        reading, topic = self.topic.reading, self.topic
        forms = at(topic.language, "forms")
        first, second, *more = self._options()
        return {
            "change": reading.change,
            "a": first,
            "b": second,
            "third": more[0] if more else "",
            "topic": self._examined(forms),
            "word": reading.word,
            "asked": topic.asked,
            "claim": topic.claim,
            "number": topic.number,
        }

    def _options(self) -> list[str]:
        """The one that is defended, the one against it, and what else was named."""
        options = self.topic.reading.options
        if len(options) < 2:
            return ["", ""]
        order = self._order("options", len(options))
        return [options[nth] for nth in order]

    def _examined(self, forms: Mapping[str, str]) -> str:
        """What is looked into, in a few words."""
        reading = self.topic.reading
        if self.topic.claim:
            return str(forms["claimed"])
        if self.topic.domain == "picture" and speaks_of_picture(reading.text, self.topic.language):
            return str(forms["chart" if self.topic.has_picture else "pictures"])
        return str(forms[reading.form]).format(text=self.topic.asked.rstrip(" ?？"))
