"""The one gate (rule 1): a tool's effect happens only after `claim`, whichever way a call came in.

    propose   a model (or a person) asks: checked, assessed, stored as rejected, refused, held or cleared
    submit    a person puts right what the model could not
    decide    a person answers what is held: exactly what they were shown, once
    claim     cleared or approved -> claimed, if all that was true then is true now; then, and only then, execute
    settle    what came of it: succeeded, failed or unknown
    resolve   a person says how an unknown one ended, or has it sent again under the same key
    withdraw  a call that has not started is taken back
    expire    the sweep: nobody decided, nobody claimed, nobody settled in time

Verbs take the `ledger.Log` of the transaction they happen in. Statuses move by conditional updates alone, so of
two callers one moves and the other is told that it lost. The gate knows names, specs and an opaque topic.
"""

from tools.gate import previewing as previews
from tools.gate.approvers import approvers_of, warnings_of
from tools.gate.asking import as_json as form_json
from tools.gate.attempting import Tries
from tools.gate.attempting import close as close_tries
from tools.gate.attempting import read as read_tries
from tools.gate.before_asking import is_parked
from tools.gate.claiming import claim, claim_cleared, may_repeat
from tools.gate.correcting import Corrected, StillWrong, submit
from tools.gate.deciding import decide, part_for
from tools.gate.granting import Wanted
from tools.gate.interrupts import interrupt_of
from tools.gate.proposing import propose
from tools.gate.resolving import Resolved, resolve
from tools.gate.settling import settle, withdraw
from tools.gate.sweeping import expire
from tools.gate.telling import NOT_RUN, confirmation_json, pending_answer, working_answer
from tools.gate.values import (
    Asked,
    AskedAgain,
    Claimed,
    Decided,
    Lapsed,
    Lost,
    Queued,
    Refused,
    Requester,
    Shown,
)

__all__ = [
    "NOT_RUN",
    "Asked",
    "AskedAgain",
    "Claimed",
    "Corrected",
    "Decided",
    "Lapsed",
    "Lost",
    "Queued",
    "Refused",
    "Requester",
    "Resolved",
    "Shown",
    "StillWrong",
    "Tries",
    "Wanted",
    "approvers_of",
    "claim",
    "claim_cleared",
    "close_tries",
    "confirmation_json",
    "decide",
    "expire",
    "form_json",
    "interrupt_of",
    "is_parked",
    "may_repeat",
    "part_for",
    "pending_answer",
    "previews",
    "propose",
    "read_tries",
    "resolve",
    "settle",
    "submit",
    "warnings_of",
    "withdraw",
    "working_answer",
]  # fmt: skip
