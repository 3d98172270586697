"""What the anchors need besides: the seeded debate, a picture, the page's own tests, a model that is hung up on."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.catalogue import save_agent, save_model
from agents.messages import Request
from agents.models import LanguageModel
from agents.providers.demo import DemoProvider
from agents.spec import ModelSpec
from agents.stream import Finish, StreamEvent, TextDelta
from conversations import uploads
from conversations.models import Message
from conversations.uploads_picture import Kept, made_anew
from platform_site.setup.seed import ADDED
from tests.debate.conftest import Debated, Stage
from tests.uploads.pictures import picture

NODE = shutil.which("node")
SEEDED = json.loads(ADDED["desk"].read_text(encoding="utf-8"))


@pytest.fixture
def seeded(debate: Debated, monkeypatch: pytest.MonkeyPatch) -> Debated:
    """Bob's conversation with the debate as it is seeded, on the demo model; without tools besides the notepad."""
    monkeypatch.setattr("agents.providers.get", lambda _: DemoProvider())
    save_model({"slug": "demo", "provider": "demo", "name": "demo", "images": True})
    for model in SEEDED["models"]:
        save_model(model)
    for entry in SEEDED["agents"]:
        save_agent({**entry, "tools": []}, None)
    return debate


def said(debate: Debated) -> dict[int, str]:
    """Everything said, by turn; the summary is turn 0."""
    found: dict[int, str] = {}
    for message in Message.objects.filter(role="assistant").order_by("position"):
        text = "".join(part["text"] for part in message.parts if part["kind"] == "text")
        found[message.turn] = (found.get(message.turn, "") + text).strip()
    return found


def attached(debate: Debated, data: bytes | None = None) -> str:
    """A picture that Bob has uploaded."""
    LanguageModel.objects.update(images=True)
    made = made_anew(data or picture("PNG", (640, 480), "red"))
    assert isinstance(made, Kept)
    return uploads.keep(debate.actor, made, "chart.png").pk


def on_the_page(name: str) -> None:
    """Run what the page promises of that name."""
    if NODE is None:
        pytest.skip("node is not installed: the page's own test did not run")
    command = [NODE, "--test", f"--test-name-pattern=^{name}:", "anchors.test.mjs"]
    done = subprocess.run(
        command, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=60, check=False
    )
    ran = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert done.returncode == 0 and ran and int(ran[1]) > 0, done.stdout + done.stderr


class Told(Stage):
    """A model that waits to be hung up on, and notes that it was."""

    hung_up = False

    async def stream(self, request: Request, model: ModelSpec) -> AsyncIterator[StreamEvent]:
        self.loop = asyncio.get_running_loop()
        self.requests.append(request)
        yield TextDelta("What came so far")
        try:
            self.speaking()
            await asyncio.sleep(30)
        except (asyncio.CancelledError, GeneratorExit):
            self.hung_up = True
            raise
        yield TextDelta(" and never came.")
        yield Finish("stop", "told")

    def speaking(self) -> None:
        """What happens while it speaks."""
