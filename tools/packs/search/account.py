"""Which search service a tenant asks, and with which key: its credential of the provider `perplexity`, and no other.

There is no account of the installation's to fall back to: who has no credential has no search (T35).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from platform_site.model_servers import egress_for_models
from platform_site.models import Credential, Tenant
from platform_site.secrets import CannotOpen, key_of
from tools.outcome import Failed

PROVIDER = "perplexity"
PUBLIC = "https://api.perplexity.ai"
"""Where a key goes whose credential names no address."""
TELL = "Tell the person that searching is not set up here; an admin of this tenant can change that. Do not try again."


@dataclass(frozen=True, slots=True)
class Account:
    """A key and where it may go. `egress`: the private `host:port`s that the operator opened."""

    url: str
    credential: str
    key: str = field(repr=False)
    egress: tuple[str, ...] = ()


def account_of(tenant: Tenant) -> Account | Failed:
    """The acting tenant's account: of several credentials the first by name."""
    credential = Credential.objects.filter(provider=PROVIDER).order_by("slug").first()
    if credential is None:
        words = _("No search service is set up here: an admin adds a credential of the provider perplexity.")
        return Failed("no_credential", words, suggestions=[TELL])
    try:
        key = key_of(credential)
    except CannotOpen:
        return _without_key(credential)
    if not (key or credential.base_url):
        return _without_key(credential)
    base = (credential.base_url or PUBLIC).rstrip("/")
    egress = tuple(sorted(one for one in egress_for_models(tenant) if isinstance(one, str)))
    return Account(f"{base}/chat/completions", credential.slug, key, egress)


def _without_key(credential: Credential) -> Failed:
    words = _("The credential {slug} has no key that can be used.")
    return Failed("no_credential", format_lazy(words, slug=credential.slug), suggestions=[TELL])
