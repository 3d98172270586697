"""Which key a model is asked with, and where: its tenant's credential, or the installation's own.

The two never mix. The installation's key goes to the installation's address alone; a tenant's key goes to the address
of its credential, or to the provider's public one. A process remembers an account for `KEEP_S` seconds, so that a turn
costs no query and a changed key counts within that time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from pydantic import SecretStr

from agents.fitting import fits
from agents.providers.base import ProviderError
from agents.spec import ModelSpec
from platform_site import secrets
from platform_site.db import db
from platform_site.env import env
from platform_site.model_servers import egress_for_models
from platform_site.models import Credential, Tenant
from platform_site.tenancy import acting_for, current_tenant_id

KEEP_S = 5.0
MOST_KEPT = 1_000
PUBLIC: Mapping[str, str] = {
    "openai": "https://api.openai.com/v1",
    "perplexity": "https://api.perplexity.ai",
    "gemini": "https://generativelanguage.googleapis.com",
}
"""Where a key goes whose credential names no address."""


@dataclass(frozen=True, slots=True)
class Account:
    """A key and where it may go. `provider` is the kind of key: `openai`, `perplexity` or `gemini`.

    `trusted`: the operator's own address, reached without the egress guard; else `egress` lists the private
    `host:port`s it may be. `id` is the credential's; empty for the installation's own.
    """

    provider: str
    base_url: str
    key: str = field(repr=False)
    trusted: bool
    egress: tuple[str, ...] = ()
    id: str = ""


_kept: dict[tuple[str, str], tuple[float, Account]] = {}


def key_kind(provider: str) -> str:
    """The kind of credential a provider takes."""
    return "openai" if provider == "openai-responses" else provider


async def account(model: ModelSpec) -> Account:
    """The model's account. Raises `ProviderError("auth")` when it has none."""
    if not model.credential:
        return _own(key_kind(model.provider))
    place = (_tenant(model), model.credential)
    found = _kept.get(place)
    now = time.monotonic()
    if found is None or now - found[0] > KEEP_S:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        found = _kept[place] = (now, await db(account_for, model))
    return _fitting(found[1], model)


def has_own(provider: str) -> bool:
    """Whether the installation lends its own key (or its own server) to models of this provider without one."""
    try:
        _own(key_kind(provider))
    except ProviderError:
        return False
    return True


def account_for(model: ModelSpec) -> Account:
    """The same, read now. Raises `ProviderError("auth")`."""
    kind = key_kind(model.provider)
    if not model.credential:
        return _own(kind)
    with acting_for(_tenant(model)):
        credential = Credential.objects.filter(pk=model.credential).first()
        tenant = Tenant.objects.get(pk=current_tenant_id())
    if credential is None:
        raise ProviderError("auth", _("The model’s credential is no longer there."))
    try:
        key = secrets.key_of(credential)
    except Exception as error:
        raise ProviderError(
            "auth", _("The model’s key cannot be opened."), detail=type(error).__name__
        ) from error
    if not key and not credential.base_url:
        raise ProviderError("auth", _("The model’s credential has no key."))
    egress = tuple(sorted(entry for entry in egress_for_models(tenant) if isinstance(entry, str)))
    return _fitting(
        Account(
            credential.provider, credential.base_url or PUBLIC.get(credential.provider, ""), key,
            trusted=False, egress=egress, id=credential.pk,
        ),
        model,
    )  # fmt: skip


def forget() -> None:
    """Read every account anew."""
    _kept.clear()


def _own(kind: str) -> Account:
    """The installation's own account, from the environment."""
    keys: Mapping[str, tuple[SecretStr | None, str]] = {
        "openai": (env.openai_api_key, env.openai_base_url),
        "gemini": (env.gemini_api_key, env.gemini_base_url),
    }
    secret, base_url = keys.get(kind, (None, ""))
    key = secret.get_secret_value() if secret else ""
    if not env.share_model_keys:
        raise ProviderError(
            "auth", _("This installation does not lend its own key: give the model a credential.")
        )
    if not key and not base_url:
        raise ProviderError("auth", _("No key is set for this model: give it a credential."))
    return Account(kind, base_url or PUBLIC[kind], key, trusted=True)


def _fitting(account: Account, model: ModelSpec) -> Account:
    """The account, if its key is of the kind the model's provider takes."""
    if not fits(account.provider, model.provider):
        raise ProviderError("auth", _("The model’s credential is for another provider."))
    return account


def _tenant(model: ModelSpec) -> str:
    return model.tenant or current_tenant_id()
