"""The backend stands alone: the standard library, its three packages, and its own modules."""

import ast
import sys
from pathlib import Path

BACKEND = Path(__file__).parents[2] / "tools/packs/mall/backend"


def imported(file: Path) -> set[str]:
    """The top-level packages that a file imports, relative imports aside."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1, file
    return names


def test_the_backend_imports_nothing_of_the_platform() -> None:
    used = set().union(*(imported(file) for file in BACKEND.glob("*.py")))
    assert used - set(sys.stdlib_module_names) == {"starlette", "uvicorn", "jwt"}
