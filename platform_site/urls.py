"""Every address there is. The console stands at `admin/`: `TenantMiddleware` takes `/t/<slug>/` off its path."""

from __future__ import annotations

import re

from allauth.account import views as account
from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path, register_converter

from platform_site import health, metrics, time_zone, well_known
from platform_site.accounts import set_language
from platform_site.admin_site import site
from platform_site.setup.gauges import QUESTIONS
from platform_site.token_view import TokenView


class Language:
    """A language of ours, as it stands in LANGUAGES."""

    regex = "|".join(re.escape(code) for code, _name in settings.LANGUAGES)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Language, "language")

accounts: list[URLPattern | URLResolver] = [
    path("login/", account.login, name="account_login"),
    path("logout/", account.logout, name="account_logout"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("password/change/", account.password_change, name="account_change_password"),
    path("password/set/", account.password_set, name="account_set_password"),
    path("password/reset/", account.password_reset, name="account_reset_password"),
    path("password/reset/done/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("2fa/", include("allauth.mfa.urls")),
    path("time-zone/", time_zone.mine, name="time_zone"),
]
"""The parts of allauth that we use (nobody signs up, and the e-mail address is the account), and the time zone."""

api: list[URLPattern | URLResolver] = [
    path("auth/token", TokenView.as_view(), name="api_token"),
    path("", include("conversations.api_urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.page(QUESTIONS), name="metrics"),
    path(".well-known/jwks.json", well_known.jwks, name="jwks"),
    path("accounts/", include(accounts)),
    path("i18n/setlang/", set_language, name="set_language"),
    path("jsi18n/<language:language>/", well_known.Texts.as_view(), name="javascript-catalog"),
    path("admin/", site.urls),
    path("api/v1/", include(api)),
    path("t/<slug:slug>/review/", include("tools.review.urls")),
    path("t/<slug:slug>/usage/", include("agents.usage.urls")),
    path("t/<slug:slug>/grants/", include("tools.grants_urls")),
    path("t/<slug:slug>/notices/", include("platform_site.notices.urls")),
    path("t/<slug:slug>/stories/", include("tools.packs.storyboard.urls")),
    path("", include("conversations.urls")),
]

handler400 = "platform_site.errors.page_400"
handler403 = "platform_site.errors.page_403"
handler404 = "platform_site.errors.page_404"
handler500 = "platform_site.errors.page_500"
