"""What a reviewer asks the queue to show: read from the query string, applied as SQL, written back into links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, F, Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from platform_site.access import Actor
from tools.models import Confirmation, ConfirmationStatus, Risk
from tools.review.waiting import Groups, mine, open_questions

TABS = ("mine", "open", "history")
LONGEST = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """Every field is a parameter; what stands at its default is left out of links. `talk`: one conversation's."""

    show: str = "mine"
    q: str = ""
    risk: str = ""
    talk: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Asked:
        texts = {one.name: given.get(one.name, "").replace("\0", "").strip()[:LONGEST] for one in fields(cls)}
        if texts["show"] not in TABS:
            texts["show"] = cls().show
        if texts["risk"] not in Risk.values:
            texts["risk"] = ""
        return cls(**texts)

    def but(self, **changes: Any) -> Asked:
        return replace(self, **changes)

    def query(self) -> str:
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return urlencode({name: text for name, text in given.items() if text != getattr(Asked(), name)})

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.risk or self.talk)

    @property
    def is_grouped(self) -> bool:
        """Many calls of one conversation stand together, the first few shown (T13)."""
        return self.show != "history" and not self.talk

    def rows(self, actor: Actor, groups: Groups) -> QuerySet[Confirmation]:
        """The questions, in no order yet."""
        rows = self._of_tab(actor, groups)
        if self.risk:
            rows = rows.filter(call__risk=self.risk)
        if self.talk:
            rows = rows.filter(call__topic=self.talk)
        return rows.filter(_holds(self.q)) if self.q else rows

    def _of_tab(self, actor: Actor, groups: Groups) -> QuerySet[Confirmation]:
        if self.show == "mine":
            return mine(actor, groups)
        if self.show == "open":
            return open_questions()
        return Confirmation.objects.exclude(status=ConfirmationStatus.PENDING)


def _holds(text: str) -> Q:
    """In a tool's name (as a person would write it, too), or in the name or address of who asked."""
    name = Q(call__name__icontains=text) | Q(call__name__icontains=text.replace(" ", "_"))
    return name | Q(call__requester__name__icontains=text) | Q(call__requester__email__icontains=text)


def by_conversation(rows: QuerySet[Confirmation]) -> QuerySet[Any, Any]:
    """Conversations with the number of their questions, the most urgent first."""
    counted = rows.order_by().values("call__topic").annotate(number=Count("pk"), first=Min("decide_by"))
    return counted.order_by("first", "call__topic")


def first_of_each(rows: QuerySet[Confirmation], topics: list[str], most: int) -> QuerySet[Confirmation]:
    """The most urgent questions of each of these conversations."""
    place = Window(RowNumber(), partition_by=F("call__topic"), order_by=[F("decide_by"), F("pk")])
    return (
        rows.filter(call__topic__in=topics)
        .annotate(place=place)
        .filter(place__lte=most)
        .order_by("decide_by", "pk")
    )
