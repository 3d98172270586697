"""What a try would do, taken before people are asked and again before it is carried out.

Both are steps of a try that is already stored: of two processes that take them, one moves the try. A try whose process
died in between stays as it was, and whoever asked for it goes on from its page.
"""

from __future__ import annotations

from typing import assert_never

from django.db.models import QuerySet

from platform_site import audit, ledger
from platform_site.db import db
from platform_site.models import Membership, Tenant
from tools import executors, gate
from tools.executors import ToolContext
from tools.gate.previewing import NoPreview, Preview, Previewing
from tools.models import CallStatus, Confirmation, ToolCall


def waits_for_preview(call: ToolCall) -> bool:
    """Whether the next step of this try is to find out what it would do."""
    if call.status == CallStatus.PROPOSED:
        return True
    return call.status == CallStatus.APPROVED and _asked_with_preview().filter(call=call).exists()


def _asked_with_preview() -> QuerySet[Confirmation]:
    return Confirmation.objects.filter(preview__isnull=False)


async def take(call: ToolCall, tenant: Tenant) -> Preview | NoPreview:
    """Ask the tool that only reads."""
    begun = await db(_begin, call)
    match begun:
        case NoPreview():
            return begun
        case Previewing(claimed=claimed):
            assert call.requester is not None, "a try is somebody's"
            outcome = await executors.execute(claimed.spec, claimed.call, ToolContext(tenant, call.requester))
            return await db(_finish, begun, outcome)
        case _:
            assert_never(begun)


def _begin(call: ToolCall) -> Previewing | NoPreview:
    role = Membership.objects.filter(user=call.requester_id).values_list("role", flat=True).first()
    with audit.recording():
        return gate.previews.begin(call, role or "")


def _finish(begun: Previewing, outcome: executors.Finished) -> Preview | NoPreview:
    with audit.recording():
        return gate.previews.finish(begun, outcome)


def hold(taken: Preview | NoPreview) -> None:
    """Put the question; without a preview the try ends here."""
    with ledger.writing(taken.of.topic) as told:
        gate.previews.settle_held(told, taken)
