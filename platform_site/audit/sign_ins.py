"""Sign-ins, failed ones, sign-outs and second factors, noted in every tenant of the person. allauth and Django tell of
them by signals, which is all they offer; `apps` imports this once. A new password is noted by `people.set_password`.

Somebody unknown failing to sign in concerns no tenant, and stands in the log of requests alone.
"""

from __future__ import annotations

from typing import Any

from allauth.account.signals import user_logged_in, user_logged_out
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from django.contrib.auth.signals import user_login_failed
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from platform_site.audit.recording import note_of_person, recording
from platform_site.models import User


@receiver(user_logged_in)
def signed_in(user: User, **_more: Any) -> None:
    _note(user, "signin.ok", by=user)


@receiver(user_logged_out)
def signed_out(user: User | None, **_more: Any) -> None:
    if user:
        _note(user, "signin.out", by=user)


@receiver(user_login_failed)
def failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_more: Any) -> None:
    """A wrong password: at the door, or where somebody signed in was asked for it again."""
    email = str(credentials.get("email") or "").strip().lower()
    user = User.objects.filter(email=email).first() if email else getattr(request, "user", None)
    if isinstance(user, User):
        _note(user, "signin.failed", by=None, why="password")


@receiver(authentication_failed)
def failed_second(user: User, **_more: Any) -> None:
    _note(user, "signin.failed", by=None, why="one-time code")


@receiver(post_save, sender=Authenticator)
def added(instance: Authenticator, created: bool, **_more: Any) -> None:
    """In the transaction that adds it; allauth's own signals come after it."""
    if created:
        _note(instance.user, "second_factor.added", by=instance.user, type=instance.type)


@receiver(post_delete, sender=Authenticator)
def removed(instance: Authenticator, **_more: Any) -> None:
    _note(instance.user, "second_factor.removed", by=instance.user, type=instance.type)


def _note(user: User, verb: str, *, by: User | None, **details: Any) -> None:
    with recording():
        note_of_person(user, verb, by=by, **details)
