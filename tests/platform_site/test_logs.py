"""Logs: each line says whose it is, and none says a secret."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import structlog
from django.test import Client

from platform_site import logs
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.conftest import PASSWORD


@contextmanager
def logging_to(stream: io.StringIO, form: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Logging as it is set up at start; the handlers of the test run come back afterwards."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure({"format": form, "level": "DEBUG"})
    yield stream
    root.handlers[:], root.level = before[0], before[1]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    with logging_to(io.StringIO(), "json", monkeypatch) as stream:
        yield stream


def written(lines: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_a_line_names_request_tenant_and_run(lines: io.StringIO) -> None:
    with logs.bound(request_id="r1"), acting_for("t1"), logs.bound(run="run1"):
        structlog.get_logger("sluice").info("done", calls=2)
        logging.getLogger("anything").warning("by the %s library", "standard")
    logging.getLogger("anything").warning("outside")
    ours, standard, outside = written(lines)
    for line in (ours, standard):
        assert (line["request_id"], line["tenant"], line["run"]) == ("r1", "t1", "run1")
        assert str(line["timestamp"]).endswith("Z")
    assert (ours["event"], ours["calls"], ours["level"], ours["logger"]) == ("done", 2, "info", "sluice")
    assert standard["event"] == "by the standard library"
    assert not {"request_id", "tenant", "run"} & outside.keys()


def test_values_under_telling_names_are_hidden_however_deep(lines: io.StringIO) -> None:
    """T61"""
    structlog.get_logger("x").info(
        "call",
        password="canary1",
        headers={"Authorization": "Bearer canary2", "Accept": "json"},
        items=[{"api_key": "canary3", "n": 1}],
        OPENAI_API_KEY="canary4",
        token="canary5",
        proof={"code": "canary6"},
        input_tokens=12,
    )
    [line] = written(lines)
    assert "canary" not in json.dumps(line)
    assert line["input_tokens"] == 12
    assert line["headers"] == {"Authorization": logs.HIDDEN, "Accept": "json"}
    assert line["items"] == [{"api_key": logs.HIDDEN, "n": 1}]


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer canary-token",
        "authorization=canary",
        "got {'password': 'canary', 'n': 1}",
        '{"api_key":"canary"}',
        "url?api_key=canary&x=1",
        "OPENAI_API_KEY=canary",
        "slc_canarycanarycanary was used",
        "key sk-canarycanary failed",
    ],
)
def test_secrets_inside_texts_are_hidden(text: str, lines: io.StringIO) -> None:
    """T61"""
    logging.getLogger("x").error(text)
    logging.getLogger("x").error("%s", text)
    for line in written(lines):
        assert "canary" not in str(line["event"])


def test_ordinary_texts_stay_as_they_are(lines: io.StringIO) -> None:
    text = "bearer of news, password changed, the secretary has 3 tokens: ok — 你好"
    logging.getLogger("x").error(text)
    assert written(lines)[0]["event"] == text


def test_a_traceback_is_part_of_its_line_and_its_secrets_are_hidden(
    lines: io.StringIO,
) -> None:
    """T61"""
    try:
        raise ValueError("password=canary")
    except ValueError:
        logging.getLogger("x").exception("broke")
        structlog.get_logger("x").exception("broke")
    found = written(lines)
    assert len(found) == 2
    for line in found:
        assert "ValueError" in json.dumps(line)
        assert "canary" not in json.dumps(line)


@pytest.mark.django_db
def test_a_request_leaves_one_line_without_its_query(lines: io.StringIO, client: Client) -> None:
    """T61"""
    client.get("/accounts/login/?next=/canary", headers={"X-Request-ID": "trace-1234"})
    [line] = [line for line in written(lines) if line["event"] == "request"]
    assert (line["method"], line["path"], line["status"]) == ("GET", "/accounts/login/", 200)
    assert line["request_id"] == "trace-1234"
    assert isinstance(line["ms"], float)
    assert "canary" not in json.dumps(line)


@pytest.mark.django_db
def test_the_key_of_a_reset_link_is_not_written_down(lines: io.StringIO, client: Client) -> None:
    """T41, T61"""
    client.get("/accounts/password/reset/key/1-canary-canary/")
    assert "canary" not in lines.getvalue()


@pytest.mark.django_db
def test_signing_in_leaves_no_secret_even_when_all_is_logged(
    lines: io.StringIO, bob: User, tenant: Tenant
) -> None:
    """T61"""
    client = Client()
    body = {"email": bob.email, "password": PASSWORD, "tenant": "acme"}
    token = client.post("/api/v1/auth/token", body, content_type="application/json").json()["token"]
    client.get("/api/v1/t/acme/conversations", headers={"Authorization": f"Bearer {token}"})
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    noise = "\n".join(
        line for line in lines.getvalue().splitlines() if '"logger": "django.db.backends"' not in line
    )
    assert '"event": "request"' in noise
    for secret in (PASSWORD, token, client.cookies["sessionid"].value):
        assert secret not in noise


def test_a_terminal_gets_lines_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    with logging_to(io.StringIO(), "console", monkeypatch) as stream:
        with logs.bound(run="run1"):
            structlog.get_logger("x").info("hello", password="canary")
        try:
            raise ValueError("api_key=canary")
        except ValueError:
            logging.getLogger("x").exception("broke")
    told = stream.getvalue()
    assert "hello" in told
    assert "run1" in told
    assert "ValueError" in told
    assert "canary" not in told
