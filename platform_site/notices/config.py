"""The section `webhooks` of the configuration file (protocol.md), in alone: what they hold does not come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from django.forms import ValidationError
from pydantic import AfterValidator, Field

from platform_site import audit
from platform_site.config_sections import CHANGED, CREATED, UNCHANGED, Done, Section, each, update
from platform_site.models import User
from platform_site.notices import outbox
from platform_site.notices.forms import checked_url
from platform_site.notices.models import Webhook
from platform_site.secrets import CannotOpen

Kind = Literal["confirmation_waiting", "confirmation_expiring", "reminder"]


def _url(value: str) -> str:
    try:
        return checked_url(value)
    except ValidationError as error:
        raise ValueError(error.message) from None


class WebhookSection(Section):
    """Without a secret, one is made; the console makes a new one and shows it."""

    name: str = Field(pattern=r"^\S(.*\S)?$", max_length=60)
    url: Annotated[str, Field(max_length=500), AfterValidator(_url)]
    kinds: list[Kind] = list(get_args(Kind))
    enabled: bool = True
    secret: str | None = Field(default=None, min_length=16, max_length=200)


def apply_webhooks(entries: Iterable[Mapping[str, Any]], author: User | None) -> Done:
    """A secret that is given is sealed; without one, that of a new webhook is made, and that of an old one stays."""
    return each("webhooks", WebhookSection, entries, lambda asked: (asked.name, _apply(asked, author)))


def _apply(asked: WebhookSection, author: User | None) -> str:
    kept = Webhook.objects.filter(name=asked.name).first()
    values = {"url": asked.url, "kinds": asked.kinds, "is_enabled": asked.enabled}
    webhook = kept or Webhook.objects.create(name=asked.name, **values)
    outcome = update(webhook, values) if kept else CREATED
    if outcome != UNCHANGED:
        host = urlsplit(webhook.url).netloc
        audit.note(
            "webhook.saved", webhook, by=author, given=sorted(values), host=host, enabled=asked.enabled
        )
    if kept is None or (asked.secret and _is_new(asked.secret, webhook)):
        outbox.renew_secret(webhook, by=author, secret=asked.secret or "")
        outcome = CHANGED if kept else CREATED
    return outcome


def _is_new(secret: str, webhook: Webhook) -> bool:
    try:
        return secret != outbox.secret_of(webhook)
    except CannotOpen:
        return True


def entries() -> list[dict[str, Any]]:
    """As they stand, without their secrets. An address may hold a key: these are shown, and leave in no export."""
    return [
        {"name": row.name, "url": row.url, "kinds": row.kinds, "enabled": row.is_enabled}
        for row in Webhook.objects.order_by("name")
    ]
