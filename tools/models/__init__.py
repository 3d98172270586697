"""The records of tools, by noun; everything is imported from here."""

from tools.models.attempt import AttemptOutcome, AttemptSource, CallAttempt, ChainResult, Fault, NextStep
from tools.models.call import CALL_ARROWS, OPEN_STATUSES, CallStatus, ToolCall
from tools.models.job import Job
from tools.models.question import (
    CONFIRMATION_ARROWS,
    CORRECTION_ARROWS,
    Confirmation,
    ConfirmationStatus,
    Correction,
    CorrectionStatus,
    Vote,
)  # fmt: skip
from tools.models.standing import Grant, ReviewerGroup
from tools.models.tool import Risk, Tool, ToolVersion

__all__ = [
    "CALL_ARROWS", "CONFIRMATION_ARROWS", "CORRECTION_ARROWS", "OPEN_STATUSES", "AttemptOutcome", "AttemptSource",
    "CallAttempt", "CallStatus", "ChainResult", "Confirmation", "ConfirmationStatus", "Correction", "CorrectionStatus",
    "Fault", "Grant", "Job", "NextStep", "ReviewerGroup", "Risk", "Tool", "ToolCall", "ToolVersion", "Vote",
]  # fmt: skip
