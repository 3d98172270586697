"""What the playground says would happen is what the gate then does."""

from __future__ import annotations

import pytest

from platform_site import ledger
from platform_site.models import Role, Tenant, Topic, User
from tests.tools.conftest import definition
from tools import catalogue, gate
from tools.models import CallStatus, ReviewerGroup, ToolCall
from tools.review.playground_look import Looked, WhatIf, look
from tools.review.playground_words import approval_sentences, nobody_because, steps_of

FATES = {
    CallStatus.CLEARED: "runs", CallStatus.HELD: "asks", CallStatus.REJECTED: "rejected", CallStatus.REFUSED: "refused",
}  # fmt: skip
RULES = [
    {"name": "few", "check": "args.count < 5", "severity": "confirm", "message": "That is a lot."},
    {"name": "not_mine", "check": 'user.role != "admin"', "severity": "warn", "message": "You are an admin."},
    {"name": "no_bombs", "check": 'args.item != "bomb"', "severity": "error", "message": "No bombs."},
    {"name": "strange", "check": "int(args.item) == 1", "severity": "critical", "message": "Cannot tell.",
     "when": 'args.item == "strange"'},
]  # fmt: skip
TEXTS = (
    '{"item": "shoes"}', '{"item": "shoes", "count": 9}', '{"item": "shoes", "count": "3"}', '{"item": "bomb"}',
    '{"item": "strange"}', '{"item": 3}', '{"count": 1}', '```json\n{"item": "shoes"}\n```', "{'item': 'shoes'}",
    '{"item": "shoes"', "", "shoes", "[]", '{"item": "a", "item": "b"}', '{"item": "x", "colour": "red"}',
)  # fmt: skip


def spec_of(risk: str = "SAFE", **more: object) -> catalogue.ToolSpec:
    catalogue.save_tool(definition("look", risk, **more), None)
    return catalogue.offered(["look"])["look"]


def proposed(
    spec: catalogue.ToolSpec, raw: str, by: User, role: str = "admin", *, truncated: bool = False
) -> ToolCall:
    """What the gate makes of the same."""
    topic = Topic.objects.create().pk
    asked = gate.Asked(topic, "", "look", raw, 0, topic, "", "", "", truncated)
    with ledger.writing(topic) as log:
        return gate.propose(log, asked, {"look": spec}, gate.Requester(by, role))


@pytest.mark.parametrize(
    "more", [{}, {"read_only": True}, {"run": "background"}], ids=["writes", "reads", "later"]
)
@pytest.mark.parametrize("risk", ["SAFE", "CONFIRM", "CRITICAL"])
def test_what_is_shown_is_what_happens(
    inside: Tenant, adam: User, risk: str, more: dict[str, object]
) -> None:
    spec = spec_of(risk, rules=RULES, **more)
    for raw in TEXTS:
        agree(look(spec, raw, WhatIf(adam, "admin")), proposed(spec, raw, adam))


def agree(looked: Looked, call: ToolCall) -> None:
    assert FATES[CallStatus(call.status)] == looked.outcome, call.raw
    assert call.risk == looked.risk, call.raw
    assert call.why == [str(reason) for reason in looked.reasons], call.raw
    assert [error["path"] for error in call.errors] == [error.path for error in looked.errors], call.raw
    if looked.outcome == "rejected":
        assert call.result and call.result["content"] == looked.told, call.raw
    else:
        assert looked.accepted and call.arguments == looked.accepted.arguments, call.raw
    nobody = any(flag["name"] == "nobody_can_approve" for flag in call.flags)
    assert nobody == bool(looked.approval and looked.approval.who.nobody), call.raw


def test_a_text_that_was_cut_off_is_not_read(inside: Tenant, adam: User) -> None:
    spec, raw = spec_of("SAFE"), '{"item": "shoes"}'
    assert look(spec, raw, WhatIf(adam, "admin", truncated=True)).outcome == "rejected"
    assert proposed(spec, raw, adam, truncated=True).status == CallStatus.REJECTED
    assert look(spec, raw, WhatIf(adam, "admin")).outcome == "runs"


def test_after_outside_text_a_write_waits_for_people(inside: Tenant, adam: User) -> None:
    spec, raw = spec_of("SAFE"), '{"item": "shoes"}'
    looked = look(spec, raw, WhatIf(adam, "admin", tainted=True))
    assert (looked.outcome, looked.risk) == ("asks", "CONFIRM")
    assert look(spec_of("SAFE", read_only=True), raw, WhatIf(adam, "admin", tainted=True)).outcome == "runs"


def test_rules_see_the_role_that_is_supposed(inside: Tenant, adam: User) -> None:
    spec = spec_of("SAFE", rules=RULES)

    def fired(role: str) -> bool:
        seen = look(spec, '{"item": "shoes"}', WhatIf(adam, role)).rules
        return next(one.fired for one in seen if one.rule.name == "not_mine")

    assert fired(Role.ADMIN)
    assert not fired(Role.MEMBER)


def test_where_groups_review_it_they_are_named_and_their_people_alone_count(
    inside: Tenant, adam: User, rita: User, alice: User
) -> None:
    ReviewerGroup.objects.create(slug="money", name="Money", members=[adam.pk], tools=["look"])
    spec, raw = spec_of("CRITICAL"), '{"item": "shoes"}'
    looked = look(spec, raw, WhatIf(adam, "admin"))
    assert "Only these groups review it: Money." in words(looked)
    assert looked.approval and looked.approval.who.nobody, "Adam alone is in it, and he asks"
    agree(looked, proposed(spec, raw, adam))
    ReviewerGroup.objects.update(members=[adam.pk, rita.pk])
    looked = look(spec, raw, WhatIf(adam, "admin"))
    assert looked.approval and looked.approval.who.others == 1
    agree(looked, proposed(spec, raw, adam))


def words(looked: Looked) -> str:
    assert looked.approval
    return " ".join([*approval_sentences(looked.approval), *nobody_because(looked.approval)])


def test_it_says_who_could_approve(inside: Tenant, adam: User, rita: User) -> None:
    own = {"by": "user", "proof": "password"}
    looked = look(spec_of("CRITICAL", confirmation=own), '{"item": "x"}', WhatIf(adam, "admin"))
    assert "with their password" in words(looked)
    looked = look(spec_of("CRITICAL"), '{"item": "x"}', WhatIf(adam, "admin"))
    assert "1 reviewer who did not ask" in words(looked)
    assert "there is 1 person here who may review" in words(looked)


def test_it_says_when_nobody_could(inside: Tenant, adam: User) -> None:
    looked = look(spec_of("CRITICAL"), '{"item": "x"}', WhatIf(adam, "admin"))
    assert looked.approval and looked.approval.who.nobody
    assert "not enough others here" in words(looked)
    adam.set_unusable_password()
    adam.save()
    looked = look(spec_of("CRITICAL"), '{"item": "x"}', WhatIf(adam, "admin"))
    assert "no password" in words(looked)


def test_steps_after_the_one_that_failed_were_not_reached(inside: Tenant, adam: User) -> None:
    steps = list(steps_of(look(spec_of(), '{"item": "a", "item": "b"}', WhatIf(adam, "admin"))))
    assert [step.name for step in steps] == [
        "size", "whole", "json", "repair", "coerce", "schema", "defaults", "handler",
    ]  # fmt: skip
    after = [str(step.outcome) for step in steps[3:]]
    assert set(after) == {"Not reached"}
