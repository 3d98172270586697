"""Imports run one way: conversations -> agents -> tools -> platform_site; imports inside functions count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ORDER = ["platform_site", "tools", "agents", "conversations"]
"""Each may import itself and what stands before it."""
WIRING = ("settings.py", "urls.py", "asgi.py", "admin_site.py", "management/", "setup/")
"""Parts of platform_site that put everything together and so may see everything."""


def modules() -> list[Path]:
    found = [path.relative_to(ROOT) for app in ORDER for path in (ROOT / app).rglob("*.py")]
    return sorted(path for path in found if not is_wiring(path))


def is_wiring(path: Path) -> bool:
    return path.parts[0] == "platform_site" and "/".join(path.parts[1:]).startswith(WIRING)


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import; relative ones as what they mean."""
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(path.parts[: len(path.parts) - node.level]) + "." if node.level else ""
            yield node.lineno, base + (node.module or "")
        elif isinstance(node, ast.Call) and (name := by_name(node)):
            yield node.lineno, name


def by_name(call: ast.Call) -> str | None:
    """`import_module("a.b")` and `import_string("a.b.c")` are imports too."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    first = call.args[0] if call.args else None
    is_text = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return (
        str(first.value) if called in ("import_module", "import_string", "__import__") and is_text else None
    )


@pytest.mark.parametrize("path", modules(), ids=str)
def test_a_module_imports_nothing_from_above(path: Path) -> None:
    above = ORDER[ORDER.index(path.parts[0]) + 1 :]
    wrong = [f"{path}:{line}: {name}" for line, name in imported(path) if name.split(".")[0] in above]
    assert not wrong


@pytest.mark.parametrize("path", modules(), ids=str)
def test_nothing_but_the_wiring_imports_the_wiring(path: Path) -> None:
    """What sees everything must not be seen, or the directions would mean nothing."""
    dotted = tuple("platform_site." + part.removesuffix(".py").rstrip("/") for part in WIRING)
    # The one admin site object is what every app's admin.py registers with.
    allowed = ("platform_site.admin_site",) if path.name == "admin.py" else ()
    wrong = [
        f"{path}:{line}: {name}"
        for line, name in imported(path)
        if name.startswith(dotted) and not name.startswith(allowed or ("-",))
    ]
    assert not wrong


def test_the_reader_sees_imports_inside_functions_and_by_name(tmp_path: Path) -> None:
    source = "def f():\n    from conversations import x\n    import_module('agents.y')\n    import tools.z\n"
    file = tmp_path / "sample.py"
    file.write_text(source)
    assert {name for _line, name in imported(file)} == {"conversations", "agents.y", "tools.z"}
