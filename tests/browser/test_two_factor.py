"""Two-factor sign-in in Chromium: setting up an authenticator app, its recovery codes, and doing without again."""

from __future__ import annotations

import re

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.served.up import PASSWORD


def test_an_authenticator_app_is_set_up_with_recovery_codes_and_used(enter: Enter) -> None:
    """The QR code and every style come through the page's own policy: the watch reports what is blocked."""
    person = enter("owner@studio.test")
    page = person.page
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Activate").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Activate")).to_be_visible()
    assert page.locator("img").evaluate("(image) => image.complete && image.naturalWidth > 100")
    secret = page.locator("#authenticator_secret").input_value()
    page.get_by_label("Authenticator code").fill(code_of(secret))
    page.get_by_role("button", name="Activate").click()
    expect(page.locator("#recovery_codes")).to_have_value(re.compile(r"(\d{8}\s*){10}"))
    recovery = page.locator("#recovery_codes").input_value().split()[0]

    newcomer = enter().page
    newcomer.goto("/accounts/login/")
    newcomer.get_by_label("Email").fill("owner@studio.test")
    newcomer.get_by_label("Password").fill(PASSWORD)
    newcomer.get_by_role("button", name="Sign in").click()
    newcomer.get_by_label("Code").fill(recovery)
    newcomer.keyboard.press("Enter")
    expect(newcomer).to_have_url(re.compile("/t/studio/"))

    page.goto("/accounts/2fa/totp/deactivate/")
    page.get_by_role("button", name="Deactivate").click()
    expect(page.get_by_text("not active")).to_be_visible()


def code_of(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())))))
