"""`@ag-ui/client` from npm, unchanged, talks to a served Sluice. Part of `make test-browser`.

Skipped until its package is there: `npm ci --prefix .ci/agui` (as `.ci/run` does).
"""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from platform_site.env import BASE_DIR
from tests.served.conftest import furnished, own_up
from tests.served.up import Up

__all__ = ["furnished", "own_up"]
HERE = BASE_DIR / ".ci" / "agui"
NODE = shutil.which("node")
IS_THERE = (HERE / "node_modules" / "@ag-ui" / "client").is_dir()


@pytest.mark.browser
@pytest.mark.skipif(NODE is None or not IS_THERE, reason="needs node, and `npm ci --prefix .ci/agui`")
def test_an_unchanged_client_talks_is_asked_and_answers(own_up: Up) -> None:
    """Approval, rejection, giving up; RUN_ERROR for a partial, a stale, an unknown answer."""
    assert NODE is not None
    own_up.environment["DEMO_PACE_MS"] = "3"  # slow enough to come in pieces
    own_up.start()
    told = {
        "AGUI_URL": f"{own_up.url}/api/v1/t/mall/agents/mall-guide/ag-ui",
        "AGUI_TOKEN": own_up.token("member"),
    }
    done = subprocess.run(
        [NODE, "--test", "talk.test.mjs"],
        cwd=HERE, env={**os.environ, **told}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
