"""What can be noted: every verb, and how it is said to people. A verb that is not here cannot be written."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

VERBS: Mapping[str, str | Promise] = {
    "tenant.created": _("Tenant made"),
    "tenant.changed": _("Tenant changed"),
    "configuration.applied": _("Configuration file applied"),
    "configuration.exported": _("Configuration exported"),
    "audit.exported": _("Audit log exported"),
    "tool.version_saved": _("Tool saved"),
    "tool.switched_on": _("Tool switched on"),
    "tool.switched_off": _("Tool switched off"),
    "agent.version_saved": _("Agent saved"),
    "agent.switched_on": _("Agent switched on"),
    "agent.switched_off": _("Agent switched off"),
    "limit.saved": _("Limit set"),
    "limit.deleted": _("Limit lifted"),
    "model.saved": _("Model saved"),
    "model.deleted": _("Model deleted"),
    "credential.saved": _("Credential saved"),
    "credential.tested": _("Credential or model tested"),
    "secrets.resealed": _("Secrets sealed with a new key"),
    "member.added": _("Person added"),
    "member.role_changed": _("Role changed"),
    "member.deactivated": _("Person deactivated"),
    "member.reactivated": _("Person reactivated"),
    "token.made": _("API token made"),
    "token.revoked": _("API token revoked"),
    "signin.ok": _("Signed in"),
    "signin.failed": _("Sign-in failed"),
    "signin.out": _("Signed out"),
    "password.changed": _("Password changed"),
    "second_factor.added": _("Second factor added"),
    "second_factor.removed": _("Second factor removed"),
    "call.proposed": _("Call: being prepared"),
    "call.rejected": _("Call: bad arguments"),
    "call.refused": _("Call: not allowed"),
    "call.asking": _("Call: the person is asked for arguments"),
    "call.corrected": _("Call: arguments corrected by a person"),
    "call.held": _("Call: waiting for approval"),
    "call.cleared": _("Call: cleared"),
    "call.voted": _("Call: one approval"),
    "call.proof_failed": _("Call: wrong proof"),
    "call.edited": _("Call: arguments changed by who decides"),
    "call.approved": _("Call approved"),
    "call.denied": _("Call denied"),
    "call.expired": _("Call expired"),
    "call.withdrawn": _("Call withdrawn"),
    "call.lapsed": _("Call lapsed"),
    "call.claimed": _("Call started"),
    "call.succeeded": _("Call done"),
    "call.failed": _("Call failed"),
    "call.unknown": _("Call: outcome unknown"),
    "call.looked_into": _("Call: a person settled an unknown outcome"),
    "failure.known": _("Failures marked as known"),
    "failure.unknown": _("Failure put back into the inbox"),
    "failures.exported": _("Failures exported"),
    "webhook.saved": _("Webhook saved"),
    "webhook.secret_made": _("Webhook: a new secret"),
    "webhook.deleted": _("Webhook deleted"),
    "notices.changed": _("Notices: the time to wait changed"),
    "group.saved": _("Reviewer group saved"),
    "group.deleted": _("Reviewer group deleted"),
    "grant.made": _("Standing grant made"),
    "grant.used": _("Standing grant used"),
    "grant.revoked": _("Standing grant revoked"),
}
WAYS: Mapping[str, str | Promise] = {
    "page": _("Web page"),
    "console": _("Admin console"),
    "api": _("HTTP API"),
    "websocket": _("Chat"),
    "agui": _("AG-UI"),
    "command": _("Command line"),
    "system": _("By itself"),
}


def said(verb: str) -> str | Promise:
    return VERBS.get(verb, verb)
