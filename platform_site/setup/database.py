"""The database as this code expects it: migrated, with its cache table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from platform_site.setup.only import CannotStart

LOCK = 0x51_1C_E0


def prepare() -> None:
    """Migrate if there is something to migrate. Several processes may do this at once on PostgreSQL."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        raise CannotStart(f"The database cannot be used: {str(error).strip()}") from None
    with _one_at_a_time():
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
