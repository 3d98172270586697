"""What pages of other apps ask about stories."""

from __future__ import annotations

from django import template

from platform_site.models import Tenant
from platform_site.tenancy import acting_for
from tools.packs.storyboard.models import Story

register = template.Library()


@register.simple_tag
def has_stories(tenant: Tenant | None) -> bool:
    """Whether there is a story to read. Error pages are drawn outside the tenant's scope, so it is entered here."""
    if tenant is None:
        return False
    with acting_for(tenant):
        return Story.objects.exists()
