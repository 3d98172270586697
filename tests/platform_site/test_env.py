"""A setting that cannot be read is an error that names the variable."""

from __future__ import annotations

import pytest

from platform_site.env import read_environment


@pytest.mark.parametrize(
    ("name", "value"), [("PORT", "abc"), ("PORT", "70000"), ("HTTPS", "maybe"), ("DB_THREADS", "0")]
)
def test_a_bad_setting_is_named_without_a_traceback(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as told:
        read_environment()
    assert f"{name}: " in str(told.value)


def test_a_good_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "8080")
    monkeypatch.setenv("ALLOWED_HOSTS", "a.test, b.test")
    env = read_environment()
    assert env.port == 8080
    assert env.allowed_hosts == ["a.test", "b.test"]


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"HOST": "0.0.0.0", "PORT": "8080"}, "http://127.0.0.1:8080"),
        ({"HOST": "::1"}, "http://[::1]:8000"),
        ({"ALLOWED_HOSTS": "*.b.test,.c.test,a.test", "HTTPS": "1"}, "https://a.test"),
        ({"PUBLIC_URL": "https://sluice.example.org/"}, "https://sluice.example.org"),
    ],
)
def test_where_links_in_mails_lead(
    given: dict[str, str], origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOST", "PORT", "ALLOWED_HOSTS", "HTTPS", "PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert read_environment().origin() == origin
