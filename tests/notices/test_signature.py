"""The signature of a delivery: computed here by hand as `docs/protocol.md` tells a receiver to."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from platform_site.notices.signature import PREFIX, is_right, new_secret, signature

BODY = b'{"id":"1"}'


def test_it_is_an_hmac_over_time_and_body() -> None:
    mac = hmac.new(b"whsec_x", b"1700000000." + BODY, hashlib.sha256).hexdigest()
    assert signature("whsec_x", BODY, 1700000000) == f"t=1700000000,v1={mac}"


def test_a_receiver_tells_ours_from_others() -> None:
    header = signature("whsec_x", BODY, 1000)
    assert is_right(header, "whsec_x", BODY, 1299)
    assert not is_right(header, "whsec_y", BODY, 1000)
    assert not is_right(header, "whsec_x", BODY + b" ", 1000)
    assert not is_right(header.replace("t=1000", "t=1001"), "whsec_x", BODY, 1000)


def test_an_old_one_is_a_replay() -> None:
    assert not is_right(signature("s", BODY, 1000), "s", BODY, 1301)


@pytest.mark.parametrize(
    "header", ["", "t=1", "v1=ab", "t=1,v1=", "t=-1,v1=" + "0" * 64, "t=٣,v1=" + "0" * 64]
)
def test_what_is_no_signature_is_wrong(header: str) -> None:
    assert not is_right(header, "s", BODY, 1)


def test_secrets_are_new_and_long() -> None:
    one, other = new_secret(), new_secret()
    assert one != other and one.startswith(PREFIX) and len(one) > 40
