"""What somebody with SQL and no key can do to a chain, and the first position that must be named for it.

`Chain` is the table as they see it; `tampered` does one random thing to it. Used in memory a thousand times, and on a
real table through SQL.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from platform_site.audit import chain
from platform_site.audit.chain import COLUMNS, NUMBER, Head, Row

KEYS = {"k1": b"first key", "k2": b"second key"}
TENANT = "t1"


@dataclass
class Chain:
    rows: list[Row]
    head: Head | None

    def first_bad(self, witnesses: Any = None, key_of: Any = KEYS.get) -> int | None:
        """The position that the walk names; None when it finds nothing."""
        walk = chain.Walk(TENANT, key_of, witnesses or {})
        ordered = sorted(self.rows, key=lambda row: (row.number, row.values[0]))
        broken = walk.steps(ordered) or walk.end(self.head)
        return broken.number if broken else None


def made(count: int) -> Chain:
    """A sound chain; in its middle the key was changed for a newer one."""
    rows: list[Row] = []
    previous, key = "", "k1"
    for number in range(1, count + 1):
        key = "k1" if number <= count // 2 else "k2"
        told = {
            "id": f"id{number:04}", "tenant_id": TENANT, "number": number, "verb": "tool.version_saved", "key": key,
            "time": f"2026-11-20T10:{number % 60:02}:00+00:00", "details": f'{{"version":{number}}}',
        }  # fmt: skip
        values = [told.get(column, "") for column in COLUMNS]
        previous = chain.link(KEYS[key], previous, values)
        rows.append(Row(values, previous))
    head = Head(count, previous, key, "")
    return Chain(rows, head._replace(mac=chain.head_mac(KEYS[key], TENANT, head)))


Tampering = Callable[[Chain, random.Random], int]


def edited(told: Chain, dice: random.Random) -> int:
    """One value of one entry, the hash included."""
    at = dice.randrange(len(told.rows))
    row, column = told.rows[at], dice.randrange(len(COLUMNS) + 1)
    if column == len(COLUMNS):
        told.rows[at] = row._replace(hash=other(row.hash, dice))
        return at + 1
    told.rows[at] = with_value(row, column, other(row.values[column], dice))
    return min(at + 1, told.rows[at].number)


def other(value: Any, dice: random.Random) -> Any:
    if isinstance(value, int):
        return dice.choice([0, value + dice.randint(1, 500)])
    at = dice.randrange(len(value) + 1)
    return value[:at] + dice.choice("abcXYZ 0.{鞋") + value[at:]


def with_value(row: Row, column: int, value: Any) -> Row:
    values = list(row.values)
    values[column] = value
    return row._replace(values=values)


def deleted(told: Chain, dice: random.Random) -> int:
    """One entry is gone; those after it may have moved up, and the head with them."""
    at = dice.randrange(len(told.rows))
    del told.rows[at]
    if dice.random() < 0.5:
        renumber(told)
    return at + 1


def inserted(told: Chain, dice: random.Random) -> int:
    """A copy of an entry stands between others, or after the last."""
    at = dice.randrange(len(told.rows) + 1)
    copy = deepcopy(dice.choice(told.rows))
    told.rows.insert(at, with_value(copy, 0, f"new{dice.random()}"))
    renumber(told)
    return at + 1


def swapped(told: Chain, dice: random.Random) -> int:
    """Two entries take each other's places."""
    one, two = sorted(dice.sample(range(len(told.rows)), 2))
    told.rows[one], told.rows[two] = told.rows[two], told.rows[one]
    renumber(told)
    return one + 1


def cut(told: Chain, dice: random.Random) -> int:
    """The end is gone; the head may have been made to fit, without the key."""
    left = dice.randrange(len(told.rows))
    del told.rows[left:]
    if dice.random() < 0.5 and left:
        assert told.head
        told.head = told.head._replace(
            length=left, hash=told.rows[-1].hash, key=told.rows[-1].values[chain.KEY]
        )
    elif dice.random() < 0.3 and left:
        told.head = None
    return left + 1


def renumber(told: Chain) -> None:
    told.rows = [with_value(row, NUMBER, number) for number, row in enumerate(told.rows, 1)]


TAMPERINGS: tuple[Tampering, ...] = (edited, deleted, inserted, swapped, cut)
