"""Background calls as people in a conversation know them: cancel one, and hear once how each one ended.

The runner looks each second for jobs that have ended and were not told (`Job.is_told`): the mark, the notice and the
run that tells the outcome are one transaction. Where the conversation, or the person in it, is gone, nobody is told.
An outcome that cannot be told holds up no other: it rests, and in the end is told by its card alone.
"""

from __future__ import annotations

import logging
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from conversations import actions
from conversations.access import call_for
from conversations.models import Conversation, Participant
from platform_site import audit, bell, ledger
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Membership, Topic
from platform_site.tenancy import acting_for
from tools.gate.noting import note_call
from tools.jobs import cancelling
from tools.jobs.setbacks import Setbacks
from tools.models import CallStatus, Job, ToolCall

log = logging.getLogger(__name__)
ENDED = (CallStatus.SUCCEEDED, CallStatus.FAILED, CallStatus.UNKNOWN)
BATCH = 100
BARE = ("tenant", "name", "status", "requester", "digest", "risk", "version", "run")
"""What a note in the audit log needs of a call: nothing of what may be broken in it."""
SETBACKS = Setbacks()


def cancel(actor: Actor, call_id: str) -> str:
    """End the job of a call, as far as that can be done; its status then."""
    call = call_for(actor, call_id)
    if call.requester_id != actor.user.pk:
        detail = _("Only %(name)s, who asked for it, can cancel this.")
        raise Problem(403, "forbidden", detail % {"name": call.requester})
    with actions.writing(call.topic) as told:
        return str(cancelling.cancel(told, call, actor.user))


def tell_outcomes() -> list[str]:
    """Tell how jobs have ended, to who asked for them; returns the calls that were told of.

    Only ids are read for all of them at once: a row that cannot even be read breaks alone.
    """
    untold = Job.objects.across_tenants().filter(is_told=False, call__status__in=ENDED)
    ready = untold.exclude(pk__in=SETBACKS.resting()).order_by("call__settled_at", "pk")
    found = list(ready.values_list("pk", "tenant_id")[:BATCH])
    return [
        call for call, tenant in found
        if SETBACKS.tried(call, partial(_told, str(tenant), call), partial(_give_up, str(tenant), call))
    ]  # fmt: skip


def _told(tenant: str, call_id: str) -> bool:
    with acting_for(tenant):
        call = ToolCall.objects.select_related("requester").get(pk=call_id)
        try:
            with ledger.writing(call.topic):
                return _mark(call_id) and _go_on(call)
        except Topic.DoesNotExist:
            _mark(call_id)
            return False


def _give_up(tenant: str, call_id: str) -> None:
    """Its card says how it ended; the audit log, that nobody was told besides."""
    with acting_for(tenant), audit.recording():
        call = ToolCall.objects.only(*BARE).get(pk=call_id)
        if _mark(call_id):
            note_call(call, why="its outcome could not be told")
    log.error("the outcome of the job %s is not told", call_id)


def _mark(call_id: str) -> bool:
    """Of all who look, one tells it."""
    return bool(Job.objects.filter(pk=call_id, is_told=False).update(is_told=True))


def _go_on(call: ToolCall) -> bool:
    conversation = Conversation.objects.select_related("agent__current").filter(pk=call.topic).first()
    if conversation is None or not _still_there(call):
        return False
    actions.run_on(conversation, "job", call)
    data = {"conversation": call.topic, "call": call.pk, "tool": call.name, "status": call.status}
    notice = bell.Notice(call.tenant_id or "", call.requester_id or "", "job", data)
    transaction.on_commit(lambda: bell.notify(notice))
    return True


def _still_there(call: ToolCall) -> bool:
    """Whether who asked for it still takes part."""
    takes_part = Participant.objects.filter(conversation=call.topic, user=call.requester_id)
    member = Membership.objects.filter(user=call.requester_id, is_active=True, user__is_active=True)
    return takes_part.exists() and member.exists()
