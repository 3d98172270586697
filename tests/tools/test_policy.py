"""Risk and policy, as tables: nothing lowers a risk, and who may decide follows from the policy alone."""

from __future__ import annotations

import pytest

from tools import policy, risk
from tools.policy import Standing
from tools.spec import ConfirmationPolicy, HttpExecutor, RiskLevel, ToolSpec


def spec(level: RiskLevel, **more: object) -> ToolSpec:
    return ToolSpec("t", "", {}, level, HttpExecutor("GET", "http://x/"), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("own", "raised", "tainted", "read_only", "expected"),
    [
        ("SAFE", [], [], False, "SAFE"), ("SAFE", ["CONFIRM"], [], False, "CONFIRM"),
        ("SAFE", ["CONFIRM", "CRITICAL"], [], False, "CRITICAL"), ("CRITICAL", ["CONFIRM"], ["web"], False, "CRITICAL"),
        ("SAFE", [], ["web"], False, "CONFIRM"), ("SAFE", [], ["web"], True, "SAFE"),
        ("CONFIRM", [], [], True, "CONFIRM"),
    ],
)  # fmt: skip
def test_risk_only_rises(
    own: RiskLevel, raised: list[RiskLevel], tainted: list[str], read_only: bool, expected: str
) -> None:
    verdict = risk.assess(
        spec(own, read_only=read_only), [(level, "r") for level in raised], tainted_by=tainted
    )
    assert verdict.risk == expected
    assert isinstance(verdict, risk.Proceed) == (expected == "SAFE")


@pytest.mark.parametrize(
    ("by", "user_approved", "is_requester", "can_review", "has_voted", "part"),
    [
        ("user", False, True, False, False, "user"), ("user", False, False, True, False, None),
        ("reviewer", False, True, True, False, None), ("reviewer", False, False, True, False, "reviewer"),
        ("reviewer", False, False, True, True, None), ("reviewer", False, False, False, False, None),
        ("user+reviewer", False, True, True, False, "user"), ("user+reviewer", True, True, True, True, None),
        ("user+reviewer", False, False, True, False, None), ("user+reviewer", True, False, True, False, "reviewer"),
    ],
)  # fmt: skip
def test_whose_part_it_is(
    by: str, user_approved: bool, is_requester: bool, can_review: bool, has_voted: bool, part: str | None
) -> None:
    """T09."""
    assert policy.part_of(Standing(by, user_approved, is_requester, can_review, has_voted)) == part


def test_a_raised_call_keeps_what_is_stricter() -> None:
    own = ConfirmationPolicy(by="reviewer", proof="code", decide_within_s=60, votes=2)
    raised = policy.policy_for(spec("CONFIRM", confirmation=own), "CRITICAL")
    assert raised == ConfirmationPolicy("user+reviewer", "code", 60, 900, 2)
    assert policy.policy_for(spec("CONFIRM", confirmation=own), "CONFIRM") == own


@pytest.mark.parametrize(
    ("by", "can_prove", "reviewers", "nobody"),
    [("user", True, 0, False), ("user", False, 5, True), ("reviewer", False, 1, False), ("reviewer", True, 0, True),
     ("user+reviewer", True, 1, False), ("user+reviewer", False, 1, True)],
)  # fmt: skip
def test_whether_anybody_can_approve(by: str, can_prove: bool, reviewers: int, nobody: bool) -> None:
    asks = ConfirmationPolicy(by=by)  # type: ignore[arg-type]
    assert policy.nobody_can(asks, user_can_prove=can_prove, other_reviewers=reviewers) is nobody


@pytest.mark.parametrize(
    ("proof", "has_password", "shown"),
    [("none", True, "simple"), ("password", True, "password"), ("code", True, "code"), ("any", True, "password"),
     ("any", False, "code")],
)  # fmt: skip
def test_the_ceremony(proof: str, has_password: bool, shown: str) -> None:
    assert policy.ceremony(proof, has_password=has_password) == shown
