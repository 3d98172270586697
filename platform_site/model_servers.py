"""Which private model servers a tenant's credentials may name: those the operator listed for it, or for everybody.

`MODEL_EGRESS` opens model servers alone, never what tools may reach. What is sent there is bounded besides: a POST to
a path that ends as the provider's protocol says, or a GET of its list of models; no redirect is followed.
"""

from __future__ import annotations

import json
import os
import shlex

from django.utils.translation import gettext as _

from platform_site.base_url import is_refused, server_of
from platform_site.egress import Egress
from platform_site.env import env
from platform_site.models import Tenant
from platform_site.tenancy import current_tenant_id

OWN_MACHINE = ("127.0.0.1:*", "[::1]:*")
FOR_MODELS = ("openai", "perplexity", "gemini")
"""The kinds of credential that models use."""


def egress_for_models(tenant: Tenant) -> tuple[str, ...]:
    """What a request to a model may reach in the name of this tenant, as `Egress` takes it."""
    return (*tenant.egress, *(env.model_egress or ()))


def open_own_machine() -> None:
    """Let credentials name model servers on this machine, here and in the processes started from here.

    For an installation that only this machine reaches: whoever can write to it can reach these ports without it.
    """
    if env.model_egress is None:
        env.model_egress = list(OWN_MACHINE)
        os.environ["MODEL_EGRESS"] = ",".join(OWN_MACHINE)


def refusal(provider: str, base_url: str) -> str:
    """Why a credential of the acting tenant cannot lead to `base_url`, and what to do; empty when it can.

    `base_url` is normalised already.
    """
    if provider not in FOR_MODELS or not base_url:
        return ""
    server = server_of(base_url)
    tenant = Tenant.objects.get(pk=current_tenant_id())
    if not is_refused(server, Egress(egress_for_models(tenant))):
        return ""
    words = _("This is a private address. An operator must allow %(place)s first, on the server: %(command)s")
    return words % {"place": server.place, "command": allowing(tenant, server.place)}


def allowing(tenant: Tenant, place: str) -> str:
    """The command with which an operator lets a tenant reach `host:port`."""
    section = {"slug": tenant.slug, "name": tenant.name, "egress": [*tenant.egress, place]}
    return f"echo {shlex.quote(json.dumps({'tenant': section}))} | python manage.py apply -"
