"""Who is who: Alice owns the tenant, Adam configures it, Rita reviews, Bob works there, Charlie is elsewhere."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.contenttypes.management import create_contenttypes
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import post_migrate
from hypothesis import settings

from platform_site.db import close_connections
from platform_site.ids import new_id
from platform_site.models import Membership, Role, Tenant, User
from platform_site.tenancy import acting_for

PASSWORD = "demo-pass-1234"
settings.register_profile("steady", derandomize=True, database=None)
if "SLUICE_STEPS" not in os.environ:
    # The same examples each time: what fails here fails for everybody. A long run looks for new ones.
    settings.load_profile("steady")


SERVED = {"transactional_db", "own_up", "up"}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Ten thousand tests stay to the end: whoever looks for garbage need not look through them each time."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--services", action="store_true", help="only what has real transactions or a real server"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--services"):
        apart = [item for item in items if not touches_services(item)]
        config.hook.pytest_deselected(items=apart)
        items[:] = [item for item in items if touches_services(item)]


def touches_services(item: pytest.Item) -> bool:
    """What may come out differently on another database, or between processes."""
    if item.get_closest_marker("same_everywhere"):
        return False
    in_database = item.get_closest_marker("django_db")
    has_transactions = in_database is not None and in_database.kwargs.get("transaction")
    served = item.get_closest_marker("served") or SERVED.intersection(getattr(item, "fixturenames", ()))
    return bool(has_transactions or served)


@pytest.fixture(scope="session")
def django_db_keepdb(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_modify_db_settings: None,
    django_db_blocker: Any,
) -> bool:
    """On SQLite the workers migrate one database between them, and each begins with a copy."""
    if connection.vendor != "sqlite" or "PYTEST_XDIST_WORKER" not in os.environ:
        return bool(request.config.getvalue("reuse_db"))
    migrated = tmp_path_factory.getbasetemp().parent / "migrated.sqlite3"
    with migrated.with_suffix(".lock").open("w") as lock, django_db_blocker.unblock():
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not migrated.exists():
            migrate_into(migrated)
    ours = Path(connection.settings_dict["TEST"]["NAME"])
    for left_over in ours.parent.glob(f"{ours.name}*"):
        left_over.unlink()
    shutil.copyfile(migrated, ours)
    return True


def migrate_into(path: Path) -> None:
    was = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(path)
    try:
        call_command("migrate", verbosity=0, interactive=False)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = was


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Threads keep their connections; PostgreSQL drops no database that somebody is connected to."""
    # Emptying the tables after a test with real transactions would make all permissions anew: most of its time.
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)
    if connection.vendor == "postgresql":
        connection.ops.sql_flush = deletions  # type: ignore[method-assign, assignment]
    yield
    close_connections()
    with django_db_blocker.unblock():
        end_other_sessions()


def deletions(style: object, tables: list[str], **options: object) -> list[str]:
    """What empties the tables after a test with real transactions. TRUNCATE makes new files for each of them: half a
    second and more, where deleting the few rows there are takes milliseconds."""
    if not tables:
        return []
    name = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(f"SELECT '{one}' WHERE EXISTS (SELECT 1 FROM {name(one)})" for one in tables)
        )
        full = [row[0] for row in cursor.fetchall()]
    return ["SET LOCAL session_replication_role = replica", *(f"DELETE FROM {name(one)}" for one in full)]


def end_other_sessions() -> None:
    """Those of threads we do not own: tools', and the libraries' own for asynchronous views."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(autouse=True, scope="session")
def _cheaper() -> None:
    """Passwords need no strength here."""
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True, scope="session")
def _own_uploads(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Pictures that tests send lie nowhere else."""
    django_settings.UPLOADS_DIR = tmp_path_factory.mktemp("uploads")


@pytest.fixture(autouse=True)
def _own_cache(settings: Any) -> None:
    """A cache in the database is rolled back with each test; one in Redis would remember who tried to sign in."""
    if "redis" in settings.CACHES["default"]["BACKEND"].lower():
        settings.CACHES = {"default": {**settings.CACHES["default"], "KEY_PREFIX": new_id()}}


@pytest.fixture
def tenant(db: None) -> Tenant:
    return Tenant.objects.create(slug="acme", name="Acme")


@pytest.fixture
def other_tenant(db: None) -> Tenant:
    return Tenant.objects.create(slug="globex", name="Globex")


def person(tenant: Tenant, name: str, role: Role) -> User:
    """A user with the shared test password and a membership."""
    user = User.objects.create_user(f"{name.lower()}@{tenant.slug}.test", PASSWORD, name=name)
    with acting_for(tenant):
        Membership.objects.create(user=user, role=role)
    return user


@pytest.fixture
def alice(tenant: Tenant) -> User:
    return person(tenant, "Alice", Role.OWNER)


@pytest.fixture
def adam(tenant: Tenant) -> User:
    return person(tenant, "Adam", Role.ADMIN)


@pytest.fixture
def rita(tenant: Tenant) -> User:
    return person(tenant, "Rita", Role.REVIEWER)


@pytest.fixture
def bob(tenant: Tenant) -> User:
    return person(tenant, "Bob", Role.MEMBER)


@pytest.fixture
def charlie(other_tenant: Tenant) -> User:
    return person(other_tenant, "Charlie", Role.MEMBER)


@pytest.fixture
def inside(tenant: Tenant) -> Iterator[Tenant]:
    """The test acts for the tenant throughout."""
    with acting_for(tenant):
        yield tenant
