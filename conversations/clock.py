"""What time it is where the person is, told to the model with every request, so that "tomorrow at nine" means a time.

The note stands right before what the person said last, and says the time the run began: a request is the same in every
round of its run, and providers that keep the beginning of a prompt keep nearly all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from agents import asides
from agents.messages import ModelMessage
from agents.usage import periods
from conversations import elsewhere
from platform_site.models import Tenant, User

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def zone_of(user: User, tenant: Tenant) -> ZoneInfo:
    """The zone this person's times are in: their own, else the tenant's."""
    return periods.zone(user.timezone or tenant.timezone)


def local(moment: datetime, there: tzinfo) -> str:
    """A moment on somebody's clocks, to the minute."""
    return f"{moment.astimezone(there):%Y-%m-%d %H:%M}"


def sentence(now: datetime, there: ZoneInfo) -> str:
    """For a model; scripts read it, too (`agents.demo.desk_time`)."""
    return f"For the person it is {DAYS[now.astimezone(there).weekday()]}, {local(now, there)} ({there.key})."


def told(messages: Sequence[ModelMessage], now: datetime, there: ZoneInfo) -> list[ModelMessage]:
    """The history with the time before what the person said last."""
    return elsewhere.told_before_last(list(messages), asides.note(sentence(now, there)))
