"""What there is in a conversation, seen in one statement, so that what is not there need not be read.

Every transaction of a turn begins with it. In SQL for the ledger's reason (`ledger_rows`): the ORM takes as long to
put one of these questions as the database takes to answer all of them. The tenant stands in each. What is seen holds
as long as the topic is locked.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from platform_site.tenancy import current_tenant_id


@dataclass(frozen=True, slots=True)
class Glance:
    """A conversation as one person meets it."""

    head: str | None = None
    """The last message of the branch that is shown."""
    titled: str = ""
    takes_part: bool = False
    is_shared: bool = False
    """Somebody else takes part, or has said something."""
    live: int = 0
    """Runs that are queued or move."""
    waiting: bool = False
    """Messages wait for their place in the branch."""
    calls: bool = False
    summaries: bool = False
    reminders: bool = False
    """Some were shown, or asked the agent, here."""
    limits: bool = False
    """The tenant limits its usage."""


_OF_CONVERSATION = "tenant_id = %(tenant)s AND conversation_id = c.topic_id"
_SQL = f"""
SELECT c.head_id, c.titled,
 EXISTS (SELECT 1 FROM conversations_participant WHERE {_OF_CONVERSATION} AND user_id = %(user)s),
 EXISTS (SELECT 1 FROM conversations_participant WHERE {_OF_CONVERSATION} AND user_id <> %(user)s)
  OR EXISTS (SELECT 1 FROM conversations_message WHERE {_OF_CONVERSATION} AND role = 'user'
   AND author_id <> %(user)s),
 (SELECT COUNT(*) FROM conversations_run WHERE {_OF_CONVERSATION} AND status IN ('queued', 'running')),
 EXISTS (SELECT 1 FROM conversations_message WHERE {_OF_CONVERSATION} AND waiting),
 EXISTS (SELECT 1 FROM tools_toolcall WHERE tenant_id = %(tenant)s AND topic = c.topic_id),
 EXISTS (SELECT 1 FROM conversations_summary WHERE {_OF_CONVERSATION}),
 EXISTS (SELECT 1 FROM conversations_occurrence o JOIN conversations_reminder r ON r.id = o.reminder_id
   WHERE r.tenant_id = %(tenant)s AND r.conversation_id = c.topic_id AND o.tenant_id = %(tenant)s
   AND o.status = 'delivered'),
 EXISTS (SELECT 1 FROM agents_usagelimit WHERE tenant_id = %(tenant)s)
FROM conversations_conversation c WHERE c.tenant_id = %(tenant)s AND c.topic_id = %(topic)s
"""


_MOVES = "SELECT 1 FROM conversations_run r WHERE tenant_id = %s AND id = %s AND runner = %s AND status = 'running'"
_HERE = """
 AND EXISTS (SELECT 1 FROM conversations_participant
  WHERE tenant_id = r.tenant_id AND conversation_id = r.conversation_id AND user_id = %s)
"""


def at(topic: str, user: str = "") -> Glance:
    """The conversation as this person meets it; without one, whoever is there is somebody else.

    What the acting tenant does not have is empty, and nobody takes part in it.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SQL, {"tenant": current_tenant_id(), "topic": topic, "user": user})
        row = cursor.fetchone()
    if row is None:
        return Glance()
    head, titled, takes_part, is_shared, live, *there = row
    return Glance(head, titled, bool(takes_part), bool(is_shared), live, *map(bool, there))


def is_moved_by(runner: str, run: str, whose: str = "") -> bool:
    """Whether the run moves and this runner has it; `whose`: and this person takes part in its conversation still."""
    sql, given = (_MOVES + _HERE, (whose,)) if whose else (_MOVES, ())
    with connection.cursor() as cursor:
        cursor.execute(sql, (current_tenant_id(), run, runner, *given))
        return cursor.fetchone() is not None
