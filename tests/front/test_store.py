"""The page's pure modules, tested where they run: in a JavaScript engine. Skipped where node is missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed: the store's own tests did not run")
@pytest.mark.parametrize(
    "name", ["branches", "changes", "debate", "form", "reminders", "notepad", "store", "text", "words"]
)
def test_the_pure_modules_pass_their_own_tests(name: str) -> None:
    """T04, T07, T17 and T46 among them: hidden characters are shown, no name and no token twice."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, "--test", f"{name}.test.mjs"],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
