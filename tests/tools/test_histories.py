"""Random histories of one conversation: whatever happens in whatever order, nothing runs that nobody allowed."""

from __future__ import annotations

import logging

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from platform_site.models import Role, Tenant, User
from tests.conftest import person
from tests.gate_evidence.history import History
from tests.gate_evidence.rounds import STEPS

log = logging.getLogger(__name__)
EACH = 40
"""Steps of one history."""


@pytest.mark.django_db
def test_any_history_keeps_the_promises(tenant: Tenant, bob: User, rita: User, alice: User) -> None:
    """T78, T64."""
    people = {"bob": bob, "rita": rita, "alice": alice, "roy": person(tenant, "Roy", Role.REVIEWER)}
    machine = type("Machine", (History,), {"tenant": tenant, "people": people})
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    how = settings(
        max_examples=max(1, STEPS // EACH), stateful_step_count=EACH, deadline=None, suppress_health_check=slow,
        print_blob=True,
    )  # fmt: skip
    run_state_machine_as_test(machine, settings=how)
    log.info("%d steps; calls reached %s", machine.steps, sorted(machine.seen.items()))
