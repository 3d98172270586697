"""How people sign in with a browser: django-allauth, by e-mail address alone, and nobody signs up uninvited."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST
from django.views.i18n import LANGUAGE_QUERY_PARAMETER
from django.views.i18n import set_language as django_set_language

from platform_site.middleware import supported
from platform_site.models import User
from platform_site.people import set_password


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Sign-up is closed; a new password ends every session and API token opened with the old one."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def set_password(self, user: User, password: str) -> None:
        set_password(user, password, by=user)


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Django's view, which keeps the choice in a cookie; for who is signed in, the profile keeps it too."""
    language = supported(request.POST.get(LANGUAGE_QUERY_PARAMETER, ""))
    if language and request.user.is_authenticated:
        User.objects.filter(pk=request.user.pk).update(locale=language)
    return django_set_language(request)
