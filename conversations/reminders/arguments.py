"""What the reminder tools take (R3 to R5), and what holds across their fields: that is told before anything is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from conversations.reminders.verbs import LONGEST_CONTENT


class ReminderArgs(BaseModel):
    """When, what, and what then."""

    type: Literal["once", "daily", "weekly"] = Field(
        description="How often. once = one time; daily = every day; weekly = every week on `weekday`."
    )
    time: str = Field(
        max_length=40,
        description="Local time of the person. once: 'YYYY-MM-DD HH:MM', in the future. daily and weekly: 'HH:MM', 24 "
        "hours. Good: '2026-11-23 09:30', '09:30'. Bad: 'tomorrow at nine', '9am'.",
    )
    content: str = Field(
        min_length=1, max_length=LONGEST_CONTENT,
        description="What to remind of, in the person's language, as it is to be read then. Good: 'Call the dentist'. "
        "Bad: 'remind me to call the dentist tomorrow'.",
    )  # fmt: skip
    weekday: Annotated[int, Field(ge=0, le=6)] | None = Field(
        default=None,
        description="Only for weekly, and needed there: 0 = Monday to 6 = Sunday. null otherwise.",
    )
    action: Literal["tell", "run"] = Field(
        default="tell",
        description="tell = show `content` to the person. run = ask you `content` at that time, with nobody there, "
        "as in 'every Monday at nine summarise the week'; only if the person wants you to do something by yourself.",
    )


@dataclass(frozen=True)
class ReminderListArgs:
    """Nothing."""


class ReminderDeleteArgs(BaseModel):
    """Which one."""

    reminder_id: str = Field(
        min_length=1, max_length=32,
        description="The id from reminder_list, or its first characters if they are enough to tell it from the others.",
    )  # fmt: skip


Words = tuple[str, str]
"""English and Chinese."""


def _rule(name: str, check: str, message: Words, fix: Words, severity: str = "error") -> dict[str, Any]:
    """A rule of the tool's; a person may change it in the console as any other."""
    zh = {"message": message[1], "fix": fix[1]}
    return {
        "name": name, "check": check, "severity": severity, "message": message[0], "fix": fix[0],
        "translations": {"zh-hans": zh},
    }  # fmt: skip


SET_RULES = [
    _rule(
        "once",
        r'args.type != "once" || args.time.matches("^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{1,2}:[0-9]{2}$")',
        ("A reminder that comes once needs a date and a time.", "一次性提醒需要日期和时间。"),
        (
            "Write time as 'YYYY-MM-DD HH:MM', as in '2026-11-23 09:30'.",
            "请将 time 写成 'YYYY-MM-DD HH:MM'，例如 '2026-11-23 09:30'。",
        ),
    ),
    _rule(
        "clock",
        r'args.type == "once" || args.time.matches("^([01]?[0-9]|2[0-3]):[0-5][0-9]$")',
        (
            "A reminder that comes again and again needs a time of day, without a date.",
            "重复提醒只需要时刻，不带日期。",
        ),
        (
            "Write time as 'HH:MM', 00:00 to 23:59, as in '09:30'.",
            "请将 time 写成 'HH:MM'（00:00 至 23:59），例如 '09:30'。",
        ),
    ),
    _rule(
        "weekly",
        'args.type != "weekly" || (has(args.weekday) && args.weekday != null)',
        ("A weekly reminder needs its day of the week.", "每周提醒需要指定星期。"),
        ("Add weekday: 0 = Monday to 6 = Sunday.", "请加上 weekday：0=周一 … 6=周日。"),
    ),
    _rule(
        "not_weekly",
        'args.type == "weekly" || !has(args.weekday) || args.weekday == null',
        ("Only a weekly reminder has a day of the week.", "只有每周提醒才有星期。"),
        ("Leave weekday out, or use type: weekly.", "请去掉 weekday，或将 type 改为 weekly。"),
    ),
    _rule(
        "acts_by_itself",
        '!has(args.action) || args.action != "run"',
        ("At that time the agent will act by itself, in your name.", "到时智能体会以你的名义自行处理。"),
        ("", ""),
        "confirm",
    ),
]
"""Across fields; that the time lies in the future, and the limits, are checked by the verb."""
