"""What a model hears of reminders that were shown here, and whose outside text came with them."""

from __future__ import annotations

from agents import asides
from agents.messages import ModelMessage
from conversations.reminders.models import Occurrence, OccurrenceStatus, Reminder, ReminderAct
from conversations.reminders.telling import local_of

MOST = 10
LONGEST = 200
"""Characters of a reminder's content that are told."""
UNATTENDED = (
    "The last message was sent by a reminder of the person, who is not here now. Do what it asks and ask nothing back. "
    "A call that needs approval waits for them; say so, and go on with the rest."
)


def note(topic: str) -> ModelMessage | None:
    """One line on the reminders that were shown last; None where there are none."""
    shown = Occurrence.objects.filter(
        reminder__conversation=topic, reminder__act=ReminderAct.TELL, status=OccurrenceStatus.DELIVERED
    )
    last = list(shown.select_related("reminder").order_by("-due_at")[:MOST])
    if not last:
        return None
    return asides.note(
        f"Reminders shown to the person in this conversation: {'; '.join(map(_line, last[::-1]))}"
    )


def _line(occurrence: Occurrence) -> str:
    row = occurrence.reminder
    line = " ".join(row.content.split())
    content = line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
    return f"{local_of(occurrence.due_at, row.zone)} ({row.zone}) “{content}”"


def outside_text(topic: str) -> tuple[str, ...]:
    """The tools whose outside text had been read when the reminders were set that came here."""
    came = Occurrence.objects.filter(reminder__conversation=topic, status=OccurrenceStatus.DELIVERED)
    rows = Reminder.objects.filter(pk__in=came.values("reminder")).exclude(after=[])
    return tuple(sorted({name for names in rows.values_list("after", flat=True) for name in names}))
