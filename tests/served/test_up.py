"""`manage.py up`: it starts once, serves, tells sockets when it leaves, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable

import httpx2
import psutil
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from platform_site.setup.only import is_free
from tests.served.up import Up

SERVICE_RESTART = 1012


def wait_for(condition: Callable[[], object], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "this did not come true in time"
        time.sleep(0.02)


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [one for one in processes if lives(one)]


def lives(process: psutil.Process) -> bool:
    """It may end between any two looks at it."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def command_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def test_the_banner_tells_where_it_is_and_who_may_sign_in(served: Up) -> None:
    said = served.said()
    for words in (f"http://127.0.0.1:{served.port}/", "member@mall.test", "demo-pass-1234", "/t/mall/admin/"):
        assert words in said
    assert str(served.data_dir) in said


def test_each_demo_person_can_sign_in(served: Up) -> None:
    for tenant in ("mall", "studio", "desk"):
        assert served.token("member", tenant)


def test_the_sample_mall_answers_beside_it(served: Up) -> None:
    assert (
        httpx2.get(
            served.mall_url + "/api/products/search", params={"keyword": "shoes"}, timeout=5
        ).status_code
        == 401
    )


def test_the_sample_market_source_answers_beside_it(served: Up) -> None:
    origin = (served.data_dir / "market-origin").read_text()
    told = httpx2.get(f"{origin}/api/price", params={"name": "gold"}, timeout=5).json()
    assert (told["symbol"], told["sample"]) == ("GC", True)


def test_a_second_up_on_the_same_data_is_refused_plainly(served: Up) -> None:
    second = served.manage("up")
    assert second.returncode == 1
    assert f"in use: process {served.process.pid}" in second.stderr  # type: ignore[union-attr]
    assert "Traceback" not in second.stderr
    assert served.is_ready()


def test_a_second_runner_on_the_same_file_is_refused_plainly(served: Up) -> None:
    if served.database.environment:
        return  # on PostgreSQL any number of runners is welcome
    second = served.manage("runagents")
    assert (second.returncode, "is in use" in second.stderr) == (1, True)


def test_a_port_that_is_taken_is_said_plainly(own_up: Up) -> None:
    with socket.create_server(("127.0.0.1", own_up.port)):
        assert own_up.spawn().wait(30) == 1
    assert f"Port {own_up.port} on 127.0.0.1 cannot be used" in own_up.said()
    assert "Traceback" not in own_up.said()


def test_it_stops_in_order_and_starts_again_with_what_admins_changed(own_up: Up) -> None:
    """T46: a restart tells its sockets so, and nobody is left behind. The mall's tools follow it to another port."""
    own_up.start()
    family = own_up.family()
    changed = own_up.manage("apply", str(renamed(own_up)))
    assert "1 changed" in changed.stdout, changed.stderr

    code, seconds = asyncio.run(stop_with_an_open_socket(own_up))
    assert code == SERVICE_RESTART
    assert seconds < 10
    assert alive(family) == []
    assert is_free("127.0.0.1", own_up.port)
    assert is_free("127.0.0.1", own_up.port + 1)

    before = own_up.mall_url
    own_up.environment["MALL_PORT"] = str(own_up.port + 7)
    own_up.start()
    assert '"name": "The Renamed Mall"' in (exported := own_up.manage("export", "mall").stdout)
    assert before not in exported
    assert exported.count(own_up.mall_url + "/api/") == 15
    assert f'"127.0.0.1:{own_up.port + 7}"' in exported
    assert own_up.token("member")


def renamed(up: Up) -> os.PathLike[str]:
    file = up.data_dir / "renamed.json"
    file.write_text('{"tenant": {"slug": "mall", "name": "The Renamed Mall"}}')
    return file


async def stop_with_an_open_socket(up: Up) -> tuple[int, float]:
    """(the close code a client saw, seconds until the process had ended)"""
    headers = up.socket_headers(up.token("member"))
    async with connect(up.socket_url(), additional_headers=headers, proxy=None) as client:
        started = time.monotonic()
        up.process.send_signal(signal.SIGTERM)  # type: ignore[union-attr]
        try:
            while True:
                await client.recv()
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 1006
    exit_code = await asyncio.to_thread(up.process.wait, 15)  # type: ignore[union-attr]
    assert exit_code == 0, up.said()
    return code, time.monotonic() - started


def test_killed_it_leaves_no_child_and_starts_again(own_up: Up) -> None:
    """T73, coarsely: `kill -9` of the queue's cluster, then of the server with its cluster, workers and sample mall."""
    own_up.start()
    cluster = clusters(own_up)
    min(cluster, key=psutil.Process.create_time).kill()
    wait_for(lambda: not alive(cluster))
    wait_for(lambda: len(clusters(own_up)) > 3)  # itself, its guard and its workers

    family = own_up.family()
    own_up.kill()
    wait_for(lambda: not alive(family), seconds=6)

    mall_before = own_up.mall_url
    own_up.start()
    assert own_up.mall_url == mall_before
    end_with_two_signals(own_up)


def clusters(up: Up) -> list[psutil.Process]:
    """The queue's cluster and its workers, without what ties them to the server."""
    commands = [(one, command_of(one)) for one in up.family()]
    return [one for one, command in commands if command[-1:] == ["qcluster"] and "-S" not in command]


def end_with_two_signals(up: Up) -> None:
    """Who cannot wait for the orderly stop says it twice."""
    process, family = up.process, up.family()
    assert process is not None
    process.send_signal(signal.SIGINT)
    wait_for(lambda: is_free("127.0.0.1", up.port), seconds=5)
    process.send_signal(signal.SIGINT)
    process.wait(3)
    wait_for(lambda: not alive(family), seconds=6)
