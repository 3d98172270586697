"""Who said yes to what, as it was seen from outside; and what must be true of a history, whatever happened in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from hypothesis.stateful import invariant

from platform_site.access import Actor
from platform_site.audit.verifying import Sound, verify
from platform_site.models import AuditEntry, Membership, Tenant, User
from tests.tools.conftest import Desk, actor
from tools.models import CallStatus, Confirmation, Grant, ToolCall

S = CallStatus
FINAL = {S.REJECTED, S.REFUSED, S.DENIED, S.EXPIRED, S.WITHDRAWN, S.LAPSED, S.SUCCEEDED, S.FAILED}
NEEDS: dict[str, tuple[bool, int]] = {
    "look": (False, 0),
    "order": (True, 0),
    "pay": (True, 1),
    "fetch": (True, 2),
}
"""Of each tool: whether who asked has to agree, and how many reviewers."""


def needs(call: ToolCall) -> tuple[bool, int]:
    dear = call.name == "order" and call.risk == "CRITICAL"
    return (True, 1) if dear else NEEDS[call.name]


class Witness:
    tenant: Tenant
    people: dict[str, User]
    desk: Desk
    steps = 0
    seen: Counter[str] = Counter()
    """How many calls reached what, over all histories."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.yeses: dict[str, set[tuple[str, str, int]]] = defaultdict(set)
        """(who, as what, how many times it had been shown) of each call."""
        self.grants: dict[str, int] = {}
        self.ran: dict[str, int] = defaultdict(int)
        self.reached: dict[str, set[str]] = defaultdict(set)
        self.decisions: dict[str, str] = {}
        self.asked_again: set[str] = set()

    def was_allowed(self, call: ToolCall, shown: str) -> None:
        """T78: everybody who has to agree said yes, to what was shown last, and who reviewed may still do so."""
        if call.risk == "SAFE" or any(flag["name"] == "granted" for flag in call.flags):
            return
        question = call.confirmation
        by_user, reviewers = needs(call)
        now = {yes for yes in self.yeses[call.pk] if yes[2] == self.times_shown(call)}
        able = Membership.objects.filter(is_active=True, role__in=["owner", "admin", "reviewer"])
        able_users = set(able.values_list("user", flat=True))
        assert ("user" in {part for _, part, _ in now}) == by_user
        said = {who for who, part, _ in now if part == "reviewer" and who in able_users}
        assert len(said) >= reviewers
        assert call.requester_id not in said
        assert question.digest == call.digest
        assert question.preview == (int(shown) if call.name == "fetch" else None)
        assert self.last_shown(call)["arguments"] == call.arguments

    def was_granted(self, call: ToolCall, grant: Grant) -> None:
        """A standing yes of the same person to this version, with what was pinned, not used up, not taken back."""
        self.grants.setdefault(grant.pk, grant.uses)
        self.grants[grant.pk] -= 1
        assert self.grants[grant.pk] >= 0
        assert (grant.user_id, grant.version_id) == (call.requester_id, call.version_id)
        assert grant.pinned.items() <= (call.arguments or {}).items()
        assert call.risk == "CONFIRM"

    @invariant()
    def a_decision_stands(self) -> None:
        """Nothing follows a final one, but that people are asked again when the preview changed."""
        type(self).steps += 1
        for question in Confirmation.objects.all():
            before = self.decisions.get(question.pk, "pending")
            if before != question.status and before != "pending":
                assert (before, question.status) == ("approved", "pending")
                assert question.call_id in self.asked_again
                self.asked_again.discard(question.call_id)
            self.decisions[question.pk] = question.status

    @invariant()
    def an_end_is_an_end(self) -> None:
        told = {
            event["toolCallId"]: event
            for event in self.desk.events()
            if event.get("type") == "TOOL_CALL_RESULT"
        }
        for call in ToolCall.objects.filter(topic=self.desk.topic):
            reached = self.reached[call.pk]
            assert not (reached & FINAL) or call.status in reached & FINAL, (reached, call.status)
            reached.add(call.status)
            if call.status in FINAL or call.status == S.UNKNOWN:
                assert told[call.pk]["metadata"]["status"] == call.status
            assert bool(call.claimed_at) == bool(self.ran[call.pk])

    def the_audit_log_has_it_all(self) -> None:
        """T64: an entry for each status a call has reached, in a chain that holds."""
        assert isinstance(verify(), Sound)
        for pk, reached in self.reached.items():
            name = ToolCall.objects.get(pk=pk).name
            self.seen.update(f"{name} {status}" for status in reached)
            verbs = set(AuditEntry.objects.filter(object_id=pk).values_list("verb", flat=True))
            assert {f"call.{status}" for status in reached} <= verbs

    def who_is_next(self, call: ToolCall) -> str:
        names = {user.pk: name for name, user in self.people.items()}
        question = call.confirmation
        if "user" in question.by and not question.user_approved:
            return names[call.requester_id]
        said = {who for who, _, shown in self.yeses[call.pk] if shown == self.times_shown(call)}
        return next(name for name in ("rita", "roy", "alice", "bob") if self.people[name].pk not in said)

    def call(self, n: int) -> ToolCall:
        return ToolCall.objects.select_related("confirmation").get(pk=self.calls[-1 - n % len(self.calls)])

    def actor(self, who: str) -> Actor | None:
        """None for somebody who was removed: no door lets them in."""
        user = self.people[who]
        return actor(self.tenant, user) if Membership.objects.get(user=user).is_active else None

    def times_shown(self, call: ToolCall) -> int:
        return len([one for one in self.desk.events("tool_call.checked") if one["toolCallId"] == call.pk])

    def last_shown(self, call: ToolCall) -> dict[str, Any]:
        return [one for one in self.desk.events("tool_call.checked") if one["toolCallId"] == call.pk][-1]
