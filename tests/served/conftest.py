"""Servers to look at from outside: `served` is shared by all who do it no harm, `own_up` belongs to one test."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.served.up import Up

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These mostly wait for a server: spread among the others, they do it while another worker computes."""
    served = [item for item in items if item.path.is_relative_to(HERE)]
    for item in served:
        item.add_marker(pytest.mark.served)
    if not served:
        return
    others = [item for item in items if not item.path.is_relative_to(HERE)]
    step = len(others) // len(served) + 1
    groups = [others[start : start + step] for start in range(0, len(served) * step, step)]
    items[:] = [item for one, group in zip(served, groups, strict=True) for item in (one, *group)]


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """The data directory of a server that has been started once, the same for all workers; on SQLite alone."""
    if "DATABASE_URL" in os.environ:
        return None
    ours = tmp_path_factory.getbasetemp()
    home = (ours.parent if "PYTEST_XDIST_WORKER" in os.environ else ours) / "furnished"
    home.mkdir(exist_ok=True)
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "done").exists():
            first = Up(home / "var", DEMO_PACE_MS="0")
            try:
                first.start().stop()
            finally:
                first.discard()
            (home / "done").touch()
    return home / "var"


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, furnished: Path | None) -> Iterator[Up]:
    """A running server with the demo tenants, for tests that leave it as it was."""
    up = Up(tmp_path_factory.mktemp("served") / "var", furnished=furnished, DEMO_PACE_MS="0")
    try:
        yield up.start()
    finally:
        up.discard()


@pytest.fixture
def own_up(tmp_path: Path, furnished: Path | None) -> Iterator[Up]:
    """A server of this test's own, not started yet."""
    up = Up(tmp_path / "var", furnished=furnished, DEMO_PACE_MS="0")
    try:
        yield up
    finally:
        up.discard()
