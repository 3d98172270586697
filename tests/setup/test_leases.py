"""After a crash, the runs of the server that died are free at once; those of others keep their leases."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from agents.catalogue import save_agent, save_model
from conversations.models import Conversation, Run, RunStatus
from platform_site.models import Tenant, Topic, User
from platform_site.setup.leases import end_leases_of_the_last, new_runner


def moving(bob: User, runner: str, until: datetime) -> Run:
    """A run that `runner` moves."""
    save_model({"slug": "demo", "provider": "demo", "name": "demo"})
    agent, _ = save_agent(
        {"slug": "guide", "name": "Guide", "instructions": "Help.", "models": ["demo"], "tools": []}, None
    )
    conversation = Conversation.objects.create(topic=Topic.objects.create(), agent=agent)
    return Run.objects.create(
        conversation=conversation, requester=bob, agent_version=agent.current, cause="message",
        status=RunStatus.RUNNING, runner=runner, lease_until=until,
    )  # fmt: skip


@pytest.mark.django_db
def test_only_the_runs_of_the_runner_noted_last_are_freed(inside: Tenant, bob: User, tmp_path: Path) -> None:
    """T73."""
    until = timezone.now() + timedelta(seconds=15)
    mine = moving(bob, new_runner(tmp_path).name, until)
    theirs = moving(bob, "another-process", until)
    assert end_leases_of_the_last(tmp_path) == 1
    mine.refresh_from_db()
    theirs.refresh_from_db()
    assert mine.lease_until is not None
    assert mine.lease_until < timezone.now()
    assert theirs.lease_until == until


@pytest.mark.django_db
def test_the_first_start_frees_nothing(inside: Tenant, bob: User, tmp_path: Path) -> None:
    moving(bob, "", timezone.now())
    assert end_leases_of_the_last(tmp_path) == 0
