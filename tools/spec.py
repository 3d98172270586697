"""The frozen value of a tool version: what the gate, the executors and the model's tool list read. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

RiskLevel = Literal["SAFE", "CONFIRM", "CRITICAL"]
RISKS: tuple[RiskLevel, ...] = ("SAFE", "CONFIRM", "CRITICAL")
By = Literal["user", "reviewer", "user+reviewer"]
Proof = Literal["none", "password", "code", "any"]


@dataclass(frozen=True, slots=True)
class ConfirmationPolicy:
    """Who decides on a held call, with what proof, and for how long. Times in seconds."""

    by: By = "user"
    proof: Proof = "none"
    decide_within_s: int = 900
    execute_within_s: int = 900
    votes: int = 1


DEFAULT_CONFIRMATION: Mapping[RiskLevel, ConfirmationPolicy] = {
    "CONFIRM": ConfirmationPolicy(),
    "CRITICAL": ConfirmationPolicy(by="user+reviewer", proof="any", decide_within_s=72 * 3600),
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A content rule in CEL: it fires when `when` holds (or is absent) and `check` is false."""

    name: str
    check: str
    severity: Literal["error", "warn", "confirm", "critical"]
    message: str
    when: str = ""
    fix: str = ""
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Message and fix for people by language: `{"zh-hans": {"message", "fix"}}`."""


@dataclass(frozen=True, slots=True)
class HttpExecutor:
    method: str
    url: str
    credential: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: Literal["http"] = "http"


@dataclass(frozen=True, slots=True)
class PythonExecutor:
    handler: str
    kind: Literal["python"] = "python"


Executor = HttpExecutor | PythonExecutor


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool version. `version` is the ToolVersion's id, empty for a spec that is not stored."""

    name: str
    description: str
    schema: Mapping[str, Any]
    risk: RiskLevel
    executor: Executor
    version: str = ""
    tool: str = ""
    domain: str = ""
    read_only: bool = False
    idempotent: bool = False
    untrusted: bool = False
    run: Literal["inline", "background"] = "inline"
    timeout_s: float = 30.0
    rate_limit: str = ""
    confirmation: ConfirmationPolicy | None = None
    rules: tuple[Rule, ...] = ()
    templates: Mapping[str, str] = field(default_factory=dict)
    preview: str = ""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Texts for people by language: `{"en": {"title", "summary"}}`; a summary may hold {argument}s."""

    def policy(self, risk: RiskLevel) -> ConfirmationPolicy:
        """The ceremony for a call held at `risk`."""
        if risk == self.risk and self.confirmation:
            return self.confirmation
        return DEFAULT_CONFIRMATION[risk]
