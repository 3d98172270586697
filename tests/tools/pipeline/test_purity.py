"""The pipeline can be used, tested and measured without a server: importing it loads no Django."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PURE = ["spec", "strictjson", "schema", "schema_limits", "schema_words", "rules", "canonical", "kept"]
PIPELINE = [path.stem for path in (ROOT / "tools/pipeline").glob("*.py") if path.stem != "__init__"]


@pytest.mark.parametrize(
    "modules", [PURE, [f"pipeline.{name}" for name in PIPELINE]], ids=["tools", "pipeline"]
)
def test_no_pure_module_loads_django(modules: list[str]) -> None:
    names = ", ".join(f"tools.{name}" for name in modules)
    code = f"import sys, {names}; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_door_may() -> None:
    code = "import sys, tools.words; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 1
