"""One AG-UI request as the verbs people have: answer what is open, or say something; then, where the answer is told.

One transaction holds the topic from the look at what is open to the last change, so that no run begins in between.
"""

from __future__ import annotations

from dataclasses import replace

from django.db.models import Q
from django.utils.translation import gettext as _

from conversations import actions, agui_resume, saying
from conversations.agui_input import Asked, Said
from conversations.agui_pictures import Made, keep_pictures
from conversations.agui_resume import NotTaken, Taken
from conversations.agui_telling import Where
from conversations.agui_thread import conversation_of
from conversations.models import Conversation, Message, Run, RunStatus
from conversations.saying import Words
from platform_site import ledger
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Event


def take(actor: Actor, agent: str, asked: Asked, made: Made) -> Where | NotTaken:
    """Do what the request asks for; `made` are its pictures, ready to be kept."""
    conversation = conversation_of(actor, asked.thread, agent)
    with ledger.writing(conversation.pk) as log:
        told = _Told(actor, asked, conversation, log.last)
        waiting = agui_resume.open_questions(actor, conversation.pk)
        new, known = _news(actor, conversation, asked.said)
        if wrong := agui_resume.misfit(actor, conversation.pk, asked.resume, waiting):
            return wrong
        if new and any(entry.status == "resolved" for entry in asked.resume):
            detail = _("Answer the open questions without a new message, and send that afterwards.")
            return NotTaken("bad_request", detail)
        if new:
            return _say(told, new, tuple(call.pk for call in waiting.values()), made)
        if asked.resume:
            return _resume(told, agui_resume.answer(actor, asked.resume, waiting))
        return _again(told, known)


class _Told:
    """Of whom and where; `after`: the newest number before anything was done."""

    def __init__(self, actor: Actor, asked: Asked, conversation: Conversation, after: int) -> None:
        self.actor, self.asked, self.conversation, self.after = actor, asked, conversation, after

    def where(self, run: str, calls: tuple[str, ...] = (), after: int | None = None) -> Where:
        since = self.after if after is None else after
        return Where(self.conversation.pk, self.asked.thread, self.asked.run, run, since, calls)


def _news(
    actor: Actor, conversation: Conversation, said: tuple[Said, ...]
) -> tuple[tuple[Said, ...], Message | None]:
    """What was said after the last message that is stored already; and that one."""
    by_key = {one.key: one for one in said}
    by_id = {one.id: one for one in said}
    rows = Message.objects.filter(conversation=conversation, role="user").select_related("run")
    stored = rows.filter(Q(author=actor.user, key__in=by_key) | Q(pk__in=by_id))
    known = {by_key.get(row.key) or by_id[row.pk]: row for row in stored}
    last = max((nth for nth, one in enumerate(said) if one in known), default=-1)
    return said[last + 1 :], known[said[last]] if last >= 0 else None


def _say(told: _Told, new: tuple[Said, ...], withdrawn: tuple[str, ...], made: Made) -> Where:
    """One message for all that is new: each would get a run of its own."""
    text = "\n\n".join(one.text for one in new if one.text)
    pictures = keep_pictures(told.actor, new, made)
    words = Words(text, new[-1].key, attachments=pictures, addressed=True)
    posted = saying.post_message(told.actor, told.conversation.pk, words)
    return told.where(posted.run, withdrawn, _before_start(told, posted.run, told.after))


def _resume(told: _Told, verdict: Taken | NotTaken) -> Where | NotTaken:
    """The run that acts on the answers: queued by them, or before. None when a reviewer has to agree first, or when
    an answer changed its call into one that asks for more: that is told as it stands now."""
    if isinstance(verdict, NotTaken):
        return verdict
    queued = Run.objects.filter(
        conversation=told.conversation, status=RunStatus.QUEUED, requester=told.actor.user
    )
    run = queued.order_by("created_at").first()
    if run:
        return told.where(run.pk, verdict.calls)
    answered = {entry.interrupt_id for entry in told.asked.resume if entry.status == "resolved"}
    waiting = agui_resume.open_questions(told.actor, told.conversation.pk)
    raised = {question: call for question, call in waiting.items() if question in answered}
    return replace(told.where("", verdict.calls), questions=agui_resume.as_interrupts(raised))


def _again(told: _Told, known: Message | None) -> Where:
    """Nothing new was said: the answer to what was said last, once more; a failed one is tried again."""
    if known is None or known.run is None:
        raise Problem(400, "bad_request", _("There is no new message to answer."))
    if known.run.status == RunStatus.FAILED:
        return told.where(actions.retry_run(told.actor, known.run.pk).pk)
    return told.where(known.run.pk, after=_before_start(told, known.run.pk, known.position))


def _before_start(told: _Told, run: str, last: int) -> int:
    """From where to listen to a run: words said into a debate that moves join one that was told to start before."""
    here = Event.objects.filter(topic=told.conversation.pk, seq__lte=last)
    begun = here.filter(payload__type="RUN_STARTED", payload__runId=run).order_by("-seq")
    seq = begun.values_list("seq", flat=True).first() if run else None
    return last if seq is None else seq - 1
