"""When the sample exchange is open: Monday to Friday, 6:00 to 18:00 UTC. It knows no holidays."""

from datetime import UTC, date, datetime, time, timedelta

OPENS, CLOSES = time(6, tzinfo=UTC), time(18, tzinfo=UTC)
STEP_S = 300
BARS_A_DAY = 144
SATURDAY = 5


def is_trading_day(day: date) -> bool:
    return day.weekday() < SATURDAY


def opening(day: date) -> int:
    """When a day's first bar begins, in seconds since 1970."""
    return int(datetime.combine(day, OPENS).timestamp())


def is_open(now: datetime) -> bool:
    return is_trading_day(now.date()) and OPENS <= now.timetz() < CLOSES


def days_back(now: datetime, count: int) -> list[date]:
    """The newest `count` trading days that have a finished bar by now, oldest first."""
    day = now.date()
    found: list[date] = []
    while len(found) < count:
        if is_trading_day(day) and now.timestamp() >= opening(day) + STEP_S:
            found.append(day)
        day -= timedelta(days=1)
    return found[::-1]


def a_year_back(now: datetime) -> list[date]:
    """The trading days of about a year: from the Monday of the week a year ago, so that every week is whole."""
    first = now.date() - timedelta(days=365)
    first -= timedelta(days=first.weekday())
    days = [first + timedelta(days=after) for after in range((now.date() - first).days + 1)]
    return [day for day in days if is_trading_day(day) and now.timestamp() >= opening(day) + STEP_S]
