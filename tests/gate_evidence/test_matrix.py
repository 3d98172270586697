"""Every way in x every level x every ceremony: nothing happens before everybody has agreed, then it happens once (T14).

A new way to send something fails here until it stands in `ways.DOORS`; a new caller of the gate's verbs fails in
tests/walk/test_ways_in.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from agents.catalogue import save_agent
from agents.models import Agent
from conversations import actions
from conversations.actions import Answer
from conversations.api_urls import in_tenant
from conversations.frames import CLIENT_FRAMES
from platform_site.access import Actor, actor_for_session
from platform_site.models import Role, User
from tests.conftest import PASSWORD, person
from tests.conversations.conftest import HAPPENED, Item, Talk
from tests.gate_evidence.rounds import LONG
from tests.gate_evidence.ways import DOORS, HARMLESS, REPEATS, WAYS, Visit, Way
from tools import gate, proofs
from tools.catalogue import save_tool
from tools.jobs import tasks
from tools.models import Confirmation, Grant, Job, ToolCall
from tools.policy import accepted_proofs
from tools.registry import ToolContext, find, tool
from tools.review import urls as playground_urls

CODE = "123456"


@tool(pack="tests", name="deed", risk="SAFE")
def deed(context: ToolContext, args: Item) -> dict[str, Any]:
    """Do something to an item."""
    HAPPENED.append(("deed", args.item))
    return {"done": args.item}


@dataclass(frozen=True)
class Ceremony:
    """A row of the matrix: a tool's level, and what it takes to agree to its calls."""

    risk: str
    by: str = "user"
    proof: str = "none"
    votes: int = 1

    @property
    def policy(self) -> dict[str, Any]:
        asks = {"by": self.by, "proof": self.proof, "votes": self.votes}
        return {"risk": self.risk} | ({} if self.risk == "SAFE" else {"confirmation": asks})

    def deciders(self, requester: User, reviewers: list[User]) -> list[User]:
        """Who has to agree, in the order in which they are asked."""
        first = [requester] if "user" in self.by else []
        return first + (reviewers[: self.votes] if "reviewer" in self.by else [])


PROOFS = ("none", "password", "code", "any")
BY = [("user", 1), ("reviewer", 1), ("reviewer", 2), ("user+reviewer", 1), ("user+reviewer", 2)]
ROWS = [Ceremony("SAFE")] + [
    Ceremony(risk, by, proof, votes)
    for risk, (by, votes), proof in product(("CONFIRM", "CRITICAL"), BY, PROOFS)
]


@pytest.fixture
def visit(talk: Talk, adam: User, monkeypatch: pytest.MonkeyPatch) -> Visit:
    """An agent that has `deed`. A one-time code, which holds once, is always the same here."""
    monkeypatch.setattr(
        proofs, "is_right", lambda user, kind, given: given == {"password": PASSWORD, "code": CODE}[kind]
    )
    set_policy(Ceremony("SAFE"))
    definition = dict(Agent.objects.get(slug="helper").current.definition)
    save_agent(definition | {"tools": [*definition["tools"], "deed"]}, None)
    return Visit(talk, adam)


@pytest.fixture
def reviewers(visit: Visit, rita: User) -> list[User]:
    return [rita, person(visit.talk.actor.tenant, "Roy", Role.REVIEWER)]


def set_policy(row: Ceremony) -> None:
    handler = find("tests.deed")
    assert handler
    save_tool(handler.definition() | row.policy, None)


@pytest.mark.parametrize("way", WAYS)
def test_each_way_in_meets_every_ceremony(way: str, visit: Visit, reviewers: list[User]) -> None:
    """T14, T09, T02."""
    for row in rows_of(way):
        HAPPENED.clear()
        visit.talk.conversation = actions.create_conversation(visit.talk.actor, "helper")
        set_policy(row)
        WAYS[way].ask(visit)
        if row.risk != "SAFE":
            assert HAPPENED == [], (way, row)
            agreed(visit, WAYS[way], row, reviewers)
        what = "hut" if row.risk == "SAFE" and WAYS[way].edits else "hat"
        assert [("deed", what)] == HAPPENED, (way, row)
        assert visit.call().status == "succeeded", (way, row)


def rows_of(way: str) -> list[Ceremony]:
    """All; in the plain suite every fourth, such that over the ways each is walked more than once."""
    first = list(WAYS).index(way) % 4
    return (
        ROWS if LONG else [row for nth, row in enumerate(ROWS) if nth == 0 or (nth + nth // 4) % 4 == first]
    )


def agreed(visit: Visit, way: Way, row: Ceremony, reviewers: list[User]) -> None:
    """Everybody says yes, one after the other; until the last has, nothing moves, whoever else says what."""
    question = visit.question()
    assert (question.by, question.proof, question.votes_needed) == (row.by, row.proof, row.votes)
    requester = way.requester(visit)
    deciders = row.deciders(requester, reviewers)
    everybody = [requester, *reviewers]
    edits = way.edits
    for nth, who in enumerate(deciders):
        next_ones = deciders[nth:] if nth >= ("user" in row.by) else deciders[:1]
        for other in everybody:
            if other not in next_ones and not (who in reviewers and other in reviewers):
                assert isinstance(decide(other, visit, row), gate.Refused), (row, other)
        if row.proof != "none":
            assert said_without_proof(who, visit) == "proof_needed"
        way.go_on(visit)
        assert HAPPENED == []
        verdict = decide(who, visit, row, edits)
        assert isinstance(verdict, gate.Decided), (row, who, verdict)
        edits = None
    way.go_on(visit)


def decide(
    who: User,
    visit: Visit,
    row: Ceremony,
    edits: dict[str, str] | None = None,
    wanted: gate.Wanted | None = None,
) -> gate.Decided | gate.Refused:
    question = visit.question()
    kinds = accepted_proofs(row.proof)
    proof = {kind: given for kind, given in (("code", CODE), ("password", PASSWORD)) if kind in kinds}
    return actions.decide(
        signed_in(who), question.pk, Answer("approve", question.digest, proof or None, "", edits, wanted)
    )


def said_without_proof(who: User, visit: Visit) -> str:
    question = visit.question()
    verdict = actions.decide(signed_in(who), question.pk, Answer("approve", question.digest))
    assert isinstance(verdict, gate.Refused)
    return verdict.code


def signed_in(who: User) -> Actor:
    actor = actor_for_session(who, "acme")
    assert actor
    return actor


def test_a_standing_yes_opens_only_what_asks_for_a_click(visit: Visit, reviewers: list[User]) -> None:
    """A way in of its own: of all ceremonies only the simple one can be granted for the next calls."""
    for row in ROWS[1:]:
        HAPPENED.clear()
        visit.talk.conversation = actions.create_conversation(visit.talk.actor, "helper")
        set_policy(row)
        WAYS["http api"].ask(visit)
        who = row.deciders(visit.talk.actor.user, reviewers)[0]
        verdict = decide(who, visit, row, wanted=gate.Wanted(["item"], 1, 5))
        simple = row == Ceremony("CONFIRM")
        assert isinstance(verdict, gate.Decided) == simple, row
        assert Grant.objects.exists() == simple
        if simple:
            visit.go_on()
            assert HAPPENED == [("deed", "hat")]
            WAYS["websocket"].ask(visit)
            assert HAPPENED == [("deed", "hat")] * 2
            WAYS["websocket"].ask(visit)
            assert Confirmation.objects.filter(status="pending").count() == 1, "it was for one more call"
            Grant.objects.all().delete()
        ToolCall.objects.filter(status="held").update(status="withdrawn")  # only so many may wait
        assert [("deed", "hat")] * (2 if simple else 0) == HAPPENED


@pytest.mark.parametrize(
    "row", [ROWS[0], Ceremony("CONFIRM"), Ceremony("CRITICAL", "user+reviewer", "password")]
)
def test_what_works_in_the_background_passes_the_same_gate(
    row: Ceremony, visit: Visit, reviewers: list[User]
) -> None:
    """Nothing is in the queue before everybody has agreed; and what is there, one worker carries out once."""
    handler = find("tests.deed")
    assert handler
    save_tool(handler.definition() | row.policy | {"run": "background"}, None)
    WAYS["http api"].ask(visit)
    if row.risk != "SAFE":
        assert not Job.objects.exists()
        agreed(visit, WAYS["http api"], row, reviewers)
    call = visit.call()
    assert (call.status, HAPPENED) == ("claimed", [])
    for _task in range(2):
        tasks.work(call.tenant_id or "", call.pk)
    assert HAPPENED == [("deed", "hat")]
    assert visit.call().status == "succeeded"


def test_every_door_is_in_the_table() -> None:
    from conversations import review_urls  # its converter is registered by `api_urls`

    doors = {f"frame {frame}" for frame in CLIENT_FRAMES}
    doors |= {f"post {one.pattern}" for one in in_tenant if hasattr(one.callback.view_class, "post")}
    pages = [*playground_urls.urlpatterns, *review_urls.urlpatterns]
    doors |= {f"page {one.pattern}" for one in pages if hasattr(one, "callback")}
    assert doors == set(DOORS) | HARMLESS | REPEATS
    assert set(DOORS.values()) == set(WAYS)
