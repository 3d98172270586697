"""What every page's template may use, as `page`. Nothing is asked of the database before a template asks."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_info

from platform_site.access import Actor
from platform_site.models import Membership, Tenant, User

BRAND = "Sluice"


class Page:
    """The frame around a page's content: where one is, and where one may go."""

    brand = BRAND

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self.tenant: Tenant | None = getattr(request, "tenant", None)
        self._actor: Actor | None = getattr(request, "actor", None)

    @property
    def can_configure(self) -> bool:
        return self._actor is not None and self._actor.can_configure

    @property
    def can_review(self) -> bool:
        return self._actor is not None and self._actor.can_review

    @property
    def languages(self) -> list[tuple[str, str]]:
        """Codes with each language's own name, so that one finds one's own."""
        return [(code, get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES]

    @cached_property
    def tenants(self) -> list[Tenant]:
        """Where the person belongs."""
        user = getattr(self._request, "user", None)
        return tenants_of(user) if isinstance(user, User) else []


def tenants_of(user: User) -> list[Tenant]:
    """The places a person belongs to, by name. It crosses tenants because it comes before choosing one."""
    memberships = Membership.objects.across_tenants().filter(
        user=user, is_active=True, tenant__is_active=True
    )
    return [membership.tenant for membership in memberships.select_related("tenant").order_by("tenant__name")]


def page(request: HttpRequest) -> dict[str, Any]:
    """The context processor."""
    return {"page": Page(request)}
