"""Where a tool's request may go: decided on the address connected to, whatever the URL looks like."""

from __future__ import annotations

import asyncio
import gzip
import ipaddress
from typing import Any

import pytest

from tests.tools.backend import Say, Seen, answer, backend, carry_out, exactly, execute, tool
from tools import executors
from tools.executors import guard
from tools.executors.guard import Egress, is_public, unwrapped
from tools.outcome import Failed, Outcome, Succeeded, Unknown

OK = answer({})


def try_url(url: str, egress: tuple[str, ...] = ()) -> tuple[Outcome, int]:
    """Execute a call to `url`, `{port}` being that of a backend on loopback; how many connections it got."""

    async def scenario() -> tuple[Outcome, int]:
        async with backend(OK) as served:
            listed = tuple(entry.replace("{port}", str(served.port)) for entry in egress)
            outcome = await execute(tool(url.replace("{port}", str(served.port)), read_only=True), {}, listed)
            return outcome, served.connections

    return asyncio.run(scenario())


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://2130706433:{port}/",
        "http://0x7f000001:{port}/", "http://0177.0.0.1:{port}/", "http://127.1:{port}/", "http://0:{port}/",
        "http://[::1]:{port}/", "http://[::ffff:127.0.0.1]:{port}/", "http://[::ffff:7f00:1]:{port}/",
        "http://[::7f00:1]:{port}/", "http://user:pw@127.0.0.1:{port}/", "http://127.0.0.1.:{port}/",
        "http://example.test@127.0.0.1:{port}/", "http://0.0.0.0:{port}/", "http://169.254.169.254/latest",
        "http://10.0.0.1/", "http://[fe80::1]/", "http://[64:ff9b::7f00:1]:{port}/", "http://[2002:7f00:1::]/",
    ],
)  # fmt: skip
def test_no_spelling_of_a_private_address_is_reached(url: str) -> None:
    """T48: the canary on loopback gets no connection."""
    outcome, connections = try_url(url)
    assert isinstance(outcome, Failed)
    assert outcome.code in ("not_reachable", "unreachable", "bad_request")
    assert connections == 0


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "gopher://127.0.0.1:{port}/", "ftp://127.0.0.1/", "//127.0.0.1/"]
)
def test_only_http_is_spoken(url: str) -> None:
    """T48."""
    outcome, connections = try_url(url)
    assert isinstance(outcome, Failed)
    assert connections == 0


@pytest.mark.parametrize("listed", ["127.0.0.1:{port}", "localhost:{port}"])
def test_the_operator_may_list_a_private_host(listed: str) -> None:
    host = listed.split(":")[0]
    outcome, connections = try_url(f"http://{host}:{{port}}/", (listed,))
    assert isinstance(outcome, Succeeded)
    assert connections == 1


@pytest.mark.parametrize(
    "listed", ["127.0.0.1:1", "localhost", "127.0.0.1", "*:{port}", "10.0.0.1:{port}", ""]
)
def test_a_listed_host_is_host_and_port(listed: str) -> None:
    outcome, connections = try_url("http://127.0.0.1:{port}/", (listed,))
    assert isinstance(outcome, Failed)
    assert connections == 0


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """A resolver that answers from a table; a name's answers are used up one by one, the last one stays."""
    table: dict[str, list[list[str]]] = {}

    async def resolve(host: str, port: int) -> list[guard.Address]:
        answers = table[host]
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [ipaddress.ip_address(one) for one in found]

    monkeypatch.setattr(guard, "resolve", resolve)
    return table


def test_a_name_with_one_private_address_is_refused_whole(names: dict[str, list[list[str]]]) -> None:
    """T50."""
    names["mixed.test"] = [["93.184.216.34", "127.0.0.1"]]
    outcome, connections = try_url("http://mixed.test:{port}/")
    assert isinstance(outcome, Failed)
    assert (outcome.code, connections) == ("not_reachable", 0)


def test_the_connection_goes_to_the_address_that_was_checked(
    names: dict[str, list[list[str]]], monkeypatch: Any
) -> None:
    """T50: a name that answers public first and loopback afterwards never leads to loopback."""
    names["rebind.test"] = [["93.184.216.34"], ["127.0.0.1"]]
    asked: list[str] = []

    class Network:
        async def connect_tcp(self, host: str, port: int, *rest: object) -> None:
            asked.append(host)
            raise guard.httpcore2.ConnectError("not in a test")

    monkeypatch.setattr(guard.httpcore2, "AnyIOBackend", Network)
    outcome, connections = try_url("http://rebind.test:{port}/")
    assert isinstance(outcome, Failed)
    assert (asked, connections) == (["93.184.216.34"], 0)


def test_a_listed_name_does_not_open_link_local_addresses(names: dict[str, list[list[str]]]) -> None:
    names["shop.internal"] = [["169.254.169.254"]]
    outcome, _ = try_url("http://shop.internal:{port}/", ("shop.internal:{port}",))
    assert isinstance(outcome, Failed)
    assert outcome.code == "not_reachable"


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "100.64.0.1", "169.254.1.1", "0.0.0.0", "224.0.0.1",
     "240.0.0.1", "255.255.255.255", "192.0.2.1", "::", "::1", "fe80::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1",
     "64:ff9b::a00:1", "2002:a00:1::", "::a00:1", "2001:db8::1", "192.0.0.192", "fec0::1", "::ffff:192.0.0.192"],
)  # fmt: skip
def test_special_addresses_are_not_public(address: str) -> None:
    """T48."""
    assert not is_public(unwrapped(ipaddress.ip_address(address)))
    assert not Egress([]).allows("x.test", 80, ipaddress.ip_address(address))


def test_public_addresses_are_open() -> None:
    for address in ("93.184.216.34", "2606:4700::1111"):
        assert Egress([]).allows("x.test", 80, ipaddress.ip_address(address))


def test_one_tenants_connection_is_not_anothers() -> None:
    """A kept connection that was opened under one tenant's list is not used for a tenant without it."""

    async def scenario() -> tuple[Outcome, Outcome, int]:
        keep = exactly(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        async with backend(keep) as served:
            spec = tool(served.origin + "/")
            allowed = await execute(spec, {}, (f"127.0.0.1:{served.port}",))
            refused = await execute(spec, {}, ())
            return allowed, refused, len(served.seen)

    allowed, refused, requests = asyncio.run(scenario())
    assert isinstance(allowed, Succeeded)
    assert isinstance(refused, Failed)
    assert requests == 1


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert isinstance(carry_out(OK)[0], Succeeded)


def redirect(to: str, status: str = "302 Found") -> Say:
    async def say(seen: Seen, writer: asyncio.StreamWriter) -> None:
        host = seen.headers["host"]
        await answer({}, status, Location=to.replace("HERE", f"http://{host}"))(seen, writer)

    return say


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
@pytest.mark.parametrize(
    "to",
    [
        "http://localhost:1/",
        "https://example.test/",
        "file:///etc/passwd",
        "//evil.test/",
        "",
        "http://[",
        "http://127.0.0.1:1/",
    ],
)
def test_a_redirect_elsewhere_is_not_followed(to: str, status: str) -> None:
    """T51: neither method nor token reaches another origin."""
    outcome, served = carry_out(redirect(to, status))
    assert isinstance(outcome, Failed)
    assert (outcome.code, len(served.seen)) == ("redirected", 1)


def test_a_redirect_within_the_origin_is_followed() -> None:
    _, served = carry_out(redirect("/new"), OK, arguments={"a": 1})
    assert [(seen.method, seen.target, seen.body) for seen in served.seen][1] == ("GET", "/new", b"")
    _, served = carry_out(redirect("HERE/new", "307 Temporary"), OK, arguments={"a": 1})
    assert (served.seen[1].method, served.seen[1].body) == ("POST", b'{"a":1}')


def test_a_circle_of_redirects_ends() -> None:
    """T51."""
    outcome, served = carry_out(redirect("/again"))
    assert isinstance(outcome, Failed)
    assert (outcome.code, len(served.seen)) == ("redirects", 5)


async def endless(seen: Seen, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(5_000):
        writer.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        await writer.drain()


async def endless_headers(seen: Seen, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for _ in range(2_000):
        writer.write(b"X-A: " + b"x" * 1_000 + b"\r\n")
        await writer.drain()


async def dripping(seen: Seen, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


BOMB = gzip.compress(b"0" * 50_000_000)


@pytest.mark.parametrize(
    ("say", "code"),
    [(endless, "too_large"), (endless_headers, "network"), (dripping, "timeout"),
     (answer(BOMB, Content_Encoding="gzip"), "too_large"), (answer(b"[" * 100_000), "bad_answer")],
)  # fmt: skip
def test_an_abusive_answer_is_bounded(say: Say, code: str) -> None:
    """T52."""
    outcome, _ = carry_out(say, read_only=True, timeout_s=1.0 if say is not dripping else 0.3)
    assert isinstance(outcome, Failed)
    assert outcome.code == code


def test_an_answer_too_large_to_read_leaves_a_write_unknown() -> None:
    assert isinstance(carry_out(endless)[0], Unknown)


def test_closing_twice_is_harmless() -> None:
    async def scenario() -> None:
        await executors.close()
        await executors.close()

    asyncio.run(scenario())


def test_the_resolver_gives_each_address_once() -> None:
    found = asyncio.run(guard.resolve("localhost", 80))
    assert ipaddress.ip_address("127.0.0.1") in found or ipaddress.ip_address("::1") in found
    assert len(found) == len(set(found))
