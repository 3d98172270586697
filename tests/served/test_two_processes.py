"""Scale-out: a second web process. Its sockets hear every delta, and its stop is heard at once."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx2
import pytest

from platform_site.env import BASE_DIR
from tests.served.talk import Transcript, talk
from tests.served.up import Up, two_free_ports

pytestmark = pytest.mark.skipif(
    not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")), reason="needs PostgreSQL and Redis"
)


@pytest.fixture
def web(own_up: Up) -> Iterator[str]:
    """The URL of a second web process on the database and layer of a running `up`."""
    own_up.environment["DEMO_PACE_MS"] = "10"
    own_up.start()
    port = str(two_free_ports())
    command = [
        sys.executable,
        "-m",
        "daphne",
        "-b",
        "127.0.0.1",
        "-p",
        port,
        "platform_site.asgi:application",
    ]
    process = subprocess.Popen(
        command, cwd=BASE_DIR, env=own_up.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 30
        while not answers(url):
            assert time.monotonic() < until
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(10)


def answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/healthz", timeout=2).status_code == 200
    except httpx2.HTTPError:
        return False


def test_another_process_hears_the_text_as_it_is_written_and_can_stop_it(own_up: Up, web: str) -> None:
    """T46."""
    token = own_up.token("member")

    async def scenario() -> tuple[Transcript, Transcript, float]:
        person = await talk(web, token, "mall")
        conversation = await person.start("mall-guide")
        run = (await person.say(conversation, "count to 2000"))["run"]
        await person.until(conversation, lambda told: "50" in "".join(told.texts.values()))
        late = await talk(web, token, "mall")
        await late.follow(conversation)
        asked = time.monotonic()
        await person.ask("run.stop", run=run)
        told = await person.until(conversation, lambda told: told.ended() == 1)
        took = time.monotonic() - asked
        heard = await late.until(conversation, lambda told: told.ended() == 1)
        await person.close()
        await late.close()
        return told, heard, took

    told, heard, took = asyncio.run(scenario())
    assert told.gaps == heard.gaps == []
    assert told.said() == heard.said()
    assert told.of("RUN_FINISHED")[0]["outcome"]["type"] == "cancelled"
    assert told.of("CUSTOM", "message.complete"), "the text came as deltas, not only as the finished row"
    assert took < 1.0
