"""Each status that a call reaches is one entry in the audit log, in the transaction that moved it (T64).

Called right after each move that was made. What the model asked for is nobody's act, on behalf of the requester; what
a person decided is theirs. Arguments and results stay out: the digest stands for what was approved.
"""

from __future__ import annotations

from typing import Any

from platform_site import audit
from platform_site.models import User
from tools.models import ToolCall


def note_call(call: ToolCall, *, by: User | None = None, **details: Any) -> None:
    """Note the status `call` has just been moved to, or was stored with."""
    note_about(f"call.{call.status}", call, by=by, **details)


def note_about(
    verb: str, call: ToolCall, *, by: User | None = None, before: str = "", **details: Any
) -> None:
    """Note something about a call that is no status: a vote, a wrong proof, an edit."""
    audit.note(
        verb, call, by=by, behalf=call.requester, before=before, after=call.digest, risk=call.risk,
        version=call.version_id, run=call.run, **details,
    )  # fmt: skip
