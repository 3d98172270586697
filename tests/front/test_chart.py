"""Price charts: their pure modules in a JavaScript engine, and what the vendored library asks of the page."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

HERE = Path(__file__).parent
STATIC = Path(settings.BASE_DIR) / "static"
LIBRARY = STATIC / "vendor" / "lightweight-charts"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed: the charts' own tests did not run")
def test_the_pure_modules_pass_their_own_tests() -> None:
    assert NODE is not None
    done = subprocess.run(
        [NODE, "--test", "chart.test.mjs"], cwd=HERE, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_picture_is_made_of_its_arguments_alone() -> None:
    """No page, no clock, no network in what makes the SVG file."""
    text = (STATIC / "chat" / "candles-svg.js").read_text()
    assert not re.search(r"\b(document|window|Date|fetch|import|Math\.random)\b", text)


def test_the_policy_allows_the_one_style_of_the_librarys_logo() -> None:
    """T69: a newer library with another style would be refused by the browser, and by this."""
    script = (LIBRARY / "lightweight-charts.js").read_text()
    styles = re.findall(r'createElement\("style"\),this\.\w+\.innerText="([^"]+)"', script)
    assert len(styles) == script.count('createElement("style")') == 1
    digest = base64.b64encode(hashlib.sha256(styles[0].encode()).digest()).decode()
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert f"'sha256-{digest}'" in policy["style-src"]
    assert not re.search(r'setAttribute\("style"|new Function|[^\w.]eval\(', script)


def test_the_librarys_notice_is_linked_and_its_logo_is_on() -> None:
    """Its licence asks for both."""
    assert "https://www.tradingview.com/" in (LIBRARY / "NOTICE.txt").read_text()
    assert "vendor/lightweight-charts/NOTICE.txt" in (STATIC / "chat" / "chart.js").read_text()
    assert "attributionLogo: true" in (STATIC / "chat" / "chart-canvas.js").read_text()


def test_the_library_is_fetched_only_for_a_chart() -> None:
    users = [
        path.name
        for path in (STATIC / "chat").glob("*.js")
        if "from 'lightweight-charts'" in path.read_text()
    ]
    assert users == ["chart-canvas.js"]
    importers = [
        path.name for path in (STATIC / "chat").glob("*.js") if "chart-canvas.js'" in path.read_text()
    ]
    assert importers == ["chart.js"]
    assert "await import('./chart-canvas.js')" in (STATIC / "chat" / "chart.js").read_text()
