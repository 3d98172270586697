"""What somebody fills in to set or change a reminder: a plain form, so that it works without a script.

Formats are checked here; times, limits and rights by the verb, whose `Problem` is put beside the field it names.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from agents.usage.periods import zone as zone_named
from conversations.reminders.models import Reminder, ReminderAct, ReminderKind
from conversations.reminders.verbs import LONGEST_CONTENT, Wish
from platform_site.errors import Problem
from platform_site.time_zone import ZoneField

FIELDS = {
    "$.content": "content", "$.type": "kind", "$.time": "time", "$.weekday": "weekday", "$.zone": "zone",
    "$.action": "act", "$.mail": "mail", "$.webhook": "webhook",
}  # fmt: skip
"""Where a verb's fault is shown, by its path in `Wish`."""


class ReminderForm(forms.Form):
    """`conversation` is there for a new one only: a reminder stays where it was set."""

    conversation = forms.ChoiceField(
        error_messages={"invalid_choice": _("Choose one of your conversations.")}
    )
    content = forms.CharField(
        max_length=LONGEST_CONTENT, error_messages={"required": _("Say what it is about.")}
    )
    kind = forms.ChoiceField(choices=ReminderKind.choices)
    date = forms.DateField(required=False, error_messages={"invalid": _("This is not a date.")})
    time = forms.TimeField(
        input_formats=["%H:%M", "%H:%M:%S"],
        error_messages={
            "required": _("At what time?"),
            "invalid": _("Give hours and minutes, such as 09:30."),
        },
    )
    weekday = forms.TypedChoiceField(choices=WEEKDAYS.items(), coerce=int, empty_value=None, required=False)
    zone = ZoneField(error_messages={"required": _("In which time zone?")})
    act = forms.ChoiceField(choices=ReminderAct.choices)
    mail = forms.BooleanField(required=False)
    webhook = forms.BooleanField(required=False)

    def __init__(
        self, *args: Any, conversations: Iterable[tuple[str, str]] | None = None, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        if conversations is None:
            del self.fields["conversation"]
        else:
            self.fields["conversation"].choices = list(conversations)  # type: ignore[attr-defined]  # a ChoiceField

    def clean(self) -> dict[str, Any]:
        """A day stands where the kind has one; a hidden field may hold one that was chosen before."""
        given: dict[str, Any] = super().clean() or {}
        kind = given.get("kind")
        if kind == ReminderKind.ONCE and not given.get("date") and "date" not in self.errors:
            self.add_error("date", _("On which day?"))
        if kind == ReminderKind.WEEKLY and given.get("weekday") is None and "weekday" not in self.errors:
            self.add_error("weekday", _("On which day of the week?"))
        given["date"] = given.get("date") if kind == ReminderKind.ONCE else None
        given["weekday"] = given.get("weekday") if kind == ReminderKind.WEEKLY else None
        return given

    def wish(self) -> Wish:
        """What is wished for, of a form that is valid."""
        given = self.cleaned_data
        clock = f"{given['time']:%H:%M}"
        return Wish(
            type=given["kind"],
            time=f"{given['date']:%Y-%m-%d} {clock}" if given["date"] else clock,
            content=given["content"],
            weekday=given["weekday"],
            action=given["act"],
            zone=given["zone"],
            mail=given["mail"],
            webhook=given["webhook"],
        )

    def take(self, problem: Problem) -> None:
        """Show what the verb found wrong, beside the fields it names, else above them."""
        faults = problem.extra.get("errors", ())
        for fault in faults:
            name = FIELDS.get(fault["path"])
            self.add_error(name if name in self.fields else None, fault["message"])
        if not faults:
            self.add_error(None, problem.detail)


def beginning(zone: str, now: datetime) -> dict[str, Any]:
    """What a new reminder's form begins with: the next full hour that is at least half an hour away."""
    here = (
        (now + timedelta(minutes=90)).astimezone(zone_named(zone)).replace(minute=0, second=0, microsecond=0)
    )
    return {
        "kind": ReminderKind.ONCE, "date": here.date(), "time": here.time(), "weekday": here.weekday(), "zone": zone,
        "act": ReminderAct.TELL,
    }  # fmt: skip


def as_it_is(reminder: Reminder, now: datetime) -> dict[str, Any]:
    """What the form of a reminder begins with. What its kind does not need is there, in case the kind is changed."""
    fresh = beginning(reminder.zone, now)
    return {
        "content": reminder.content, "kind": reminder.kind, "date": reminder.date or fresh["date"],
        "time": reminder.time, "weekday": fresh["weekday"] if reminder.weekday is None else reminder.weekday,
        "zone": reminder.zone, "act": reminder.act, "mail": reminder.mail, "webhook": reminder.webhook,
    }  # fmt: skip
