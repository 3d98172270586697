"""A person's own time zone: chosen by name or city, and never anything that is not one."""

from __future__ import annotations

import pytest
from django.test import Client

from platform_site import zones
from platform_site.models import User

HERE = "/accounts/time-zone/"


@pytest.fixture
def client(bob: User) -> Client:
    client = Client()
    client.force_login(bob)
    return client


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("Shanghai", "Asia/Shanghai"),
        ("UTC", "UTC"),
        ("", ""),
    ],
)
def test_it_is_kept(client: Client, bob: User, given: str, kept: str) -> None:
    assert client.post(HERE, {"zone": given}).status_code == 302
    bob.refresh_from_db()
    assert bob.timezone == kept


@pytest.mark.parametrize("given", ["Mars/Base", "../../etc/passwd", "Europe", "x" * 65])
def test_what_is_no_zone_is_not_kept(client: Client, bob: User, given: str) -> None:
    assert client.post(HERE, {"zone": given}).status_code == 400
    bob.refresh_from_db()
    assert bob.timezone == ""


def test_the_nearest_is_proposed(client: Client) -> None:
    assert "Did you mean Asia/Shanghai?" in client.post(HERE, {"zone": "Asia/Shangai"}).content.decode()


def test_one_goes_back_to_where_it_was_offered_and_nowhere_else(client: Client) -> None:
    here = client.post(HERE, {"zone": "UTC", "next": "/t/acme/reminders/"})
    elsewhere = client.post(HERE, {"zone": "UTC", "next": "https://elsewhere.test/"})
    assert (here["Location"], elsewhere["Location"]) == ("/t/acme/reminders/", HERE)


def test_it_is_only_for_who_is_signed_in() -> None:
    assert Client().get(HERE)["Location"].startswith("/accounts/login/")


def test_a_name_that_several_cities_bear_is_not_guessed() -> None:
    twins = [name for name in zones.offered() if name.endswith("/Louisville")]
    assert len(twins) > 1 and zones.meant("louisville") is None
