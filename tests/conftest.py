"""Who is who: Alice owns the tenant, Adam configures it, Rita reviews, Bob works there, Charlie is elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
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


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Threads keep their connections; PostgreSQL drops no database that somebody is connected to."""
    yield
    close_connections()
    with django_db_blocker.unblock():
        end_other_sessions()


def end_other_sessions() -> None:
    """Those of threads we do not own: tools', and the libraries' own for asynchronous views."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(autouse=True)
def _fast_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


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
