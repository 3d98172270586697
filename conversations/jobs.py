"""Background calls as people in a conversation know them: cancel one, and hear once how each one ended.

The runner looks each second for jobs that have ended and were not told (`Job.is_told`): the mark, the notice and the
run that tells the outcome are one transaction. Where the conversation, or the person in it, is gone, nobody is told.
"""

from __future__ import annotations

import logging

from django.db import transaction
from django.utils.translation import gettext as _

from conversations import actions
from conversations.access import call_for
from conversations.models import Conversation, Participant
from platform_site import bell, ledger
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Membership, Topic
from platform_site.tenancy import acting_for
from tools.jobs import cancelling
from tools.models import CallStatus, Job, ToolCall

log = logging.getLogger(__name__)
ENDED = (CallStatus.SUCCEEDED, CallStatus.FAILED, CallStatus.UNKNOWN)
BATCH = 100


def cancel(actor: Actor, call_id: str) -> str:
    """End the job of a call, as far as that can be done; its status then."""
    call = call_for(actor, call_id)
    if call.requester_id != actor.user.pk:
        detail = _("Only %(name)s, who asked for it, can cancel this.")
        raise Problem(403, "forbidden", detail % {"name": call.requester})
    with actions.writing(call.topic) as told:
        return str(cancelling.cancel(told, call, actor.user))


def tell_outcomes() -> list[str]:
    """Tell how jobs have ended, to who asked for them; returns the calls that were told of."""
    untold = Job.objects.across_tenants().filter(is_told=False, call__status__in=ENDED)
    jobs = untold.select_related("call__requester").order_by("call__settled_at")
    return [job.pk for job in jobs[:BATCH] if _tried(job)]


def _tried(job: Job) -> bool:
    """One outcome that cannot be told must not hold up the others."""
    try:
        with acting_for(job.tenant_id or ""):
            return _told(job)
    except Exception:
        log.exception("the outcome of the job %s could not be told", job.pk)
        return False


def _told(job: Job) -> bool:
    call = job.call
    try:
        with ledger.writing(call.topic):
            return _mark(job) and _go_on(call)
    except Topic.DoesNotExist:
        _mark(job)
        return False


def _mark(job: Job) -> bool:
    """Of all who look, one tells it."""
    return bool(Job.objects.filter(pk=job.pk, is_told=False).update(is_told=True))


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
