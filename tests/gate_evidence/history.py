"""One random history: the gate's verbs in any order, by anybody, also on calls they are not for.

What may run is judged by what people said here (`yeses`), each about what was shown then, not by the gate's rows.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from platform_site import audit, ledger
from platform_site.models import Membership, Topic
from platform_site.tenancy import acting_for
from tests.gate_evidence.witness import S, Witness
from tests.tools.conftest import YES, Answer, Desk, actor
from tools import gate
from tools.gate import granting
from tools.gate.previewing import Previewing
from tools.models import Confirmation, Grant, Tool, Vote
from tools.outcome import Failed, Succeeded, Unknown

DEAR = {"name": "dear", "check": "args.count < 5", "severity": "critical", "message": "That is a lot."}
ITEMS: dict[str, dict[str, Any]] = {
    "shoes": {"item": "shoes", "count": 1}, "boots": {"item": "boots", "count": 2},
    "many": {"item": "shoes", "count": 9}, "bad": {"item": 7},
}  # fmt: skip
WHO = st.sampled_from(["bob", "rita", "roy", "alice"])
WHICH = st.integers(0, 4)
NEWEST = 0
ITEM = st.sampled_from(list(ITEMS))
NAME = st.sampled_from(["order", "pay", "fetch", "look", "lok"])
SHOWN = st.sampled_from(["5", "6"])


class History(Witness, RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.scope = acting_for(self.tenant)
        self.scope.__enter__()
        topic = Topic.objects.create().pk
        self.desks = {name: Desk(self.tenant, topic, self.people[name]) for name in ("bob", "rita")}
        self.desk = self.desks["bob"]
        self.the_tools()

    def the_tools(self) -> None:
        self.desk.tool("look", read_only=True)
        self.desk.tool("order", "CONFIRM", rules=[DEAR])
        self.desk.tool(
            "pay", "CRITICAL", confirmation={"by": "user+reviewer", "proof": "password"}, idempotent=True
        )
        asks = {"by": "user+reviewer", "proof": "none", "votes": 2}
        self.desk.tool("fetch", "CRITICAL", confirmation=asks, preview={"tool": "look"})

    def teardown(self) -> None:
        try:
            self.the_audit_log_has_it_all()
        finally:
            self.scope.__exit__(None, None, None)
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    # What people and programs do

    @initialize(names=st.lists(NAME, min_size=2, max_size=4))
    def begin(self, names: list[str]) -> None:
        for name in names:
            self.propose("bob", name, "shoes")

    @rule(
        who=st.sampled_from(["bob", "bob", "rita"]),
        name=NAME,
        item=ITEM,
    )
    def propose(self, who: str, name: str, item: str) -> None:
        call = self.desks[who].ask(name, ITEMS[item])
        self.calls.append(call.pk)
        if grant := next((flag["detail"] for flag in call.flags if flag["name"] == "granted"), ""):
            self.was_granted(call, Grant.objects.get(pk=grant))

    @precondition(lambda self: self.calls)
    @rule(n=WHICH, shown=st.sampled_from(["5", "5", "6", "null", "fails"]))
    def show_beforehand(self, n: int, shown: str) -> None:
        call = self.call(n)
        if call.status != S.PROPOSED:
            return
        with audit.recording():
            begun = gate.previews.begin(call, "member")
        outcome = Failed("empty", "Nothing there.") if shown == "fails" else Succeeded(shown)
        with ledger.writing(self.desk.topic) as log:
            taken = gate.previews.finish(begun, outcome) if isinstance(begun, Previewing) else begun
            gate.previews.settle_held(log, taken)

    @precondition(lambda self: self.calls)
    @rule(
        n=WHICH, who=WHO, decision=st.sampled_from(["approve"] * 5 + ["reject"]),
        proof=st.sampled_from([YES, YES, YES, None, {"password": "no"}]), stale=st.sampled_from([False] * 5 + [True]),
        item=st.sampled_from(["", "", "", *ITEMS]), grant=st.booleans(),
    )  # fmt: skip
    def decide(
        self,
        n: int,
        who: str,
        decision: str,
        proof: dict[str, str] | None,
        stale: bool,
        item: str,
        grant: bool,
    ) -> None:
        call, by = self.call(n), self.actor(who)
        question = Confirmation.objects.filter(call=call).first()
        if question is None or by is None:
            return
        answer = Answer(decision, "0" * 64 if stale else question.digest, proof, "Because.", ITEMS.get(item))
        wanted = gate.Wanted(["item"], 2, 60) if grant and not item else None
        before = Vote.objects.count()
        with ledger.writing(self.desk.topic) as log:
            verdict = gate.decide(log, question.pk, by, answer, wanted)
        assert not (stale and isinstance(verdict, gate.Decided))
        voted = Vote.objects.count() > before
        assert voted <= isinstance(verdict, gate.Decided)
        if voted and decision == "approve":
            part = "user" if by.user.pk == call.requester_id else "reviewer"
            self.yeses[call.pk].add((by.user.pk, part, self.times_shown(call)))

    @precondition(lambda self: self.calls)
    @rule(n=WHICH, shown=SHOWN)
    def claim(self, n: int, shown: str) -> None:
        """Also on a call that is claimed already, as a redelivery would."""
        call = self.call(n)
        with ledger.writing(self.desk.topic) as log:
            verdict = gate.claim(log, call, gate.Shown(int(shown)) if call.name == "fetch" else None)
        if isinstance(verdict, gate.AskedAgain):
            self.asked_again.add(call.pk)
        if isinstance(verdict, gate.Claimed):
            assert not self.ran[call.pk]
            self.ran[call.pk] += 1
            self.was_allowed(call, shown)

    @precondition(lambda self: self.calls)
    @rule(n=WHICH)
    def crash_and_redeliver(self, n: int) -> None:
        """Whoever carried it out died, and another looks whether it may be sent once more, under the same key."""
        call = self.call(n)
        if call.status == S.CLAIMED:
            assert gate.may_repeat(call) <= (call.name in ("look", "pay"))

    @precondition(lambda self: self.calls)
    @rule(n=WHICH, steps=st.integers(1, 4))
    def goes_well(self, n: int, steps: int) -> None:
        """The next steps of a call in which everybody does what they should: random ones seldom come so far."""
        for _ in range(steps):
            call = self.call(n)
            if call.status == S.PROPOSED:
                self.show_beforehand(n, "5")
            elif call.status == S.HELD:
                self.decide(n, self.who_is_next(call), "approve", YES, False, "", False)
            elif call.status in (S.CLEARED, S.APPROVED):
                self.claim(n, "5")
            else:
                break

    @rule(item=ITEM)
    def a_standing_yes_and_the_next_call(self, item: str) -> None:
        """Random steps seldom come so far."""
        self.propose("bob", "order", "shoes")
        self.decide(NEWEST, "bob", "approve", None, False, "", True)
        self.propose("bob", "order", item)

    @precondition(lambda self: self.calls)
    @rule(n=WHICH, outcome=st.sampled_from([Succeeded("{}"), Failed("no", "No."), Unknown("It broke.")]))
    def settle(self, n: int, outcome: Any) -> None:
        call = self.call(n)
        was_claimed = call.status == S.CLAIMED
        assert self.desk.settle(call, outcome) == was_claimed

    @precondition(lambda self: self.calls)
    @rule(n=WHICH, who=WHO, what=st.sampled_from(["happened", "did_not", "retry"]))
    def resolve(self, n: int, who: str, what: Any) -> None:
        call, by = self.call(n), self.actor(who)
        if by is None:
            return
        with ledger.writing(self.desk.topic) as log:
            verdict = gate.resolve(log, call, by, what, "I looked.")
        if isinstance(verdict, gate.Resolved):
            assert by.can_review
            assert not (call.risk == "CRITICAL" and by.user.pk == call.requester_id)
            assert what != "retry" or call.name in ("look", "pay")

    @precondition(lambda self: self.calls)
    @rule(n=WHICH)
    def withdraw(self, n: int) -> None:
        self.desk.withdraw(self.call(n))

    @rule(minutes=st.sampled_from([0, 0, 1, 1, 16, 80 * 60]))
    def time_passes(self, minutes: int) -> None:
        gate.expire(timezone.now() + timedelta(minutes=minutes))

    # What changes around them

    @rule(
        what=st.sampled_from(["tool", "switch", "role", "membership"]), back=st.sampled_from([True, True, False]),
        tool=st.sampled_from(["pay", "look"]), who=st.sampled_from(["bob", "rita", "roy"]),
    )  # fmt: skip
    def something_changes(self, what: str, back: bool, tool: str, who: str) -> None:
        """For the worse, or, more often, back to what it was."""
        members = Membership.objects.filter(user=self.people[who])
        if what == "tool":
            url = "http://a.test/" if back else "http://b.test/"
            executor = {"kind": "http", "method": "POST", "url": url}
            self.desk.tool("order", "CONFIRM", rules=[DEAR], executor=executor)
        elif what == "switch":
            Tool.objects.filter(name=tool).update(is_enabled=back)
        elif what == "membership":
            members.update(is_active=back)
        elif who != "bob":
            members.update(role="reviewer" if back else "member")

    @precondition(lambda self: self.grants)
    @rule()
    def a_grant_is_revoked(self) -> None:
        for grant in Grant.objects.all():
            granting.revoke(grant.pk, actor(self.tenant, grant.user))
            self.grants[grant.pk] = 0
