"""What a page fetches at once: its modules, and all that these import before they run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import override_settings

from platform_site.templatetags import modules

GRAPH = {
    "chat/main.js": """
import { a } from './a.js';
import {
  b,
  c,
} from "./parts/b.js";
export { d } from '../js/d.js';
import './effects.js';
import bare from 'library';
export function x() { return y('./not-imported.js'); }
const later = await import('./later.js');
// import e from './commented.js'
""",
    "chat/a.js": "import { d } from '../js/d.js';",
    "chat/parts/b.js": "import main from '../main.js';\n",
    "js/d.js": "export default 1;",
    "chat/effects.js": "",
}


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    for name, text in GRAPH.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def preloaded(*names: str) -> list[str]:
    wanted = " ".join(f"'{name}'" for name in names)
    html = Template(f"{{% load modules %}}{{% preload_modules {wanted} %}}").render(Context())
    return [
        found.removeprefix(settings.STATIC_URL)
        for found in re.findall(r'modulepreload" href="([^"]+)"', html)
    ]


def test_each_is_named_once_and_level_by_level(graph: Path) -> None:
    """A circle ends, a library is another's business, and what is imported when it is needed is not fetched early."""
    with override_settings(STATIC_DIR=graph, DEBUG=True):
        found = preloaded("chat/main.js")
    assert found[0] == "chat/main.js"
    assert set(found[1:]) == {"chat/a.js", "chat/parts/b.js", "js/d.js", "chat/effects.js"}
    assert len(found) == len(set(found))


def test_the_chat_names_files_that_are_there_and_not_what_comes_later() -> None:
    found = preloaded("chat/main.js")
    assert all((settings.STATIC_DIR / name).is_file() for name in found)
    assert {"chat/gate.js", "chat/socket.js"} <= set(found)
    assert "chat/chart-canvas.js" not in found, "charts bring a library, and come when one is drawn"


def test_files_are_read_once() -> None:
    preloaded("chat/main.js")
    before = modules._kept.cache_info().hits
    preloaded("chat/main.js")
    assert modules._kept.cache_info().hits == before + 1
