"""A week of traffic in Acme, and one in the tenant next door that nobody here may see."""

from __future__ import annotations

import pytest

from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.review.seen import Reader
from tests.review.week import Week, make_week


@pytest.fixture
def week(tenant: Tenant, bob: User) -> Week:
    with acting_for(tenant):
        return make_week(bob, wishes=90)


@pytest.fixture
def next_door(other_tenant: Tenant, charlie: User) -> Week:
    with acting_for(other_tenant):
        return make_week(charlie, wishes=20)


@pytest.fixture
def reviewer(rita: User) -> Reader:
    return Reader.of(rita)
