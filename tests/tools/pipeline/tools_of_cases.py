"""The tools that the cases are about, as `cases/tools.json` has them."""

from __future__ import annotations

import json
from pathlib import Path

from tools.spec import HttpExecutor, ToolSpec

FOLDER = Path(__file__).parent / "cases"


def _read() -> dict[str, ToolSpec]:
    told = json.loads((FOLDER / "tools.json").read_text())
    executor = HttpExecutor("POST", "http://shop.test/")
    return {
        name: ToolSpec(
            name,
            "",
            told["schemas"][tool["schema"]],
            tool["risk"],
            executor,
            name,
            read_only=tool["read_only"],
        )
        for name, tool in told["tools"].items()
    }


TOOLS = _read()
