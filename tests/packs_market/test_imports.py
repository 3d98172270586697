"""The source stands alone: the standard library, its two packages, and its own modules."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.packs_mall.test_imports import imported

BACKEND = Path(__file__).parents[2] / "tools/packs/market/backend"


def test_the_source_imports_nothing_of_the_platform() -> None:
    used = set().union(*(imported(file) for file in BACKEND.glob("*.py")))
    assert used - set(sys.stdlib_module_names) == {"starlette", "uvicorn"}
