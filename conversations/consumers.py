"""The websocket: decodes a frame, calls one verb, answers with one ack or error. What is told goes out by `outlet`.

A plain ASGI application instead of a Channels consumer class: a consumer hops to a thread before each message
and joins a layer group for each socket, which is what most of a turn would cost.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import asdict
from typing import Any, assert_never

from django.utils import translation
from django.utils.translation import gettext as _

from conversations import actions, branches, frames, hall, jobs, saying
from conversations.access import glance_for
from conversations.debate import steering
from conversations.groups import reading, writing_now
from conversations.outlet import Outlet, Send
from platform_site import access, audit, bell, ledger, metrics
from platform_site.access import Actor
from platform_site.db import db
from platform_site.errors import Problem
from platform_site.ids import new_id
from platform_site.logs import bound
from platform_site.tenancy import acting_for
from tools import gate
from tools.words import errors_as_json

log = logging.getLogger(__name__)
FRAMES_A_SECOND = 40
BURST = 200
UNAUTHENTICATED, FORBIDDEN, TOO_MUCH, FLOOD, BROKEN = 4401, 4403, 4008, 4029, 4500


async def socket(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """One connection, from handshake to close."""
    await receive()
    hall.open_doors()
    slug = scope["url_route"]["kwargs"]["slug"]
    who = await db(access.actor_for_socket, scope, slug)
    await send({"type": "websocket.accept"})
    if not isinstance(who, Actor):
        await send({"type": "websocket.close", "code": FORBIDDEN if who == "forbidden" else UNAUTHENTICATED})
        return
    language = who.user.locale or who.tenant.locale
    request = new_id()
    origin = audit.coming_from("websocket", audit.address_of_scope(scope), request)
    with acting_for(who.tenant), translation.override(language), bound(request_id=request), origin:
        await Connection(who, send).run(receive)


class Connection:
    """A person's open socket."""

    def __init__(self, actor: Actor, send: Send) -> None:
        self.actor = actor
        self.outlet = Outlet(actor.tenant.pk, send)
        self._send = send
        self._allowance, self._counted_at = float(BURST), time.monotonic()
        self._typing = writing_now.Pace()

    async def run(self, receive: Any) -> None:
        """Read frames until the socket ends; write beside it."""
        notices = f"notices:{self.actor.tenant.pk}"
        bell.the_bell.listen(notices, self._hear_notice)
        hall.enter(self)
        metrics.SOCKETS_TOTAL.inc()
        writing = asyncio.create_task(self.outlet.write())
        writing.add_done_callback(self._stopped_writing)
        try:
            while (message := await receive())["type"] == "websocket.receive":
                if not await self._take(message):
                    break
        finally:
            hall.leave(self)
            bell.the_bell.forget(notices, self._hear_notice)
            self.outlet.close()
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    def _stopped_writing(self, writing: asyncio.Task[None]) -> None:
        """A socket that cannot write is closed: the client comes back and goes on where it was."""
        if not writing.cancelled() and (error := writing.exception()):
            log.error("a socket could not be written to", exc_info=error)
            self._closing = asyncio.create_task(self.close(BROKEN))

    async def close(self, code: int) -> None:
        await self._send({"type": "websocket.close", "code": code})

    def _hear_notice(self, what: bell.Heard) -> None:
        if not isinstance(what, bell.Notice) or what.user not in ("", self.actor.user.pk):
            return
        if what.kind == "removed":
            self.end_following(what.data["conversation"], what.data["why"])
        elif what.kind != "review" or self.actor.can_review:
            self.outlet.put(frames.notice(what.kind, what.data))

    def end_following(self, conversation: str, why: str) -> None:
        """They do not take part there any more: nothing of it goes out from now on."""
        self.outlet.leave(conversation)
        self.outlet.put(frames.notice("removed", {"conversation": conversation, "why": why}))

    async def _take(self, message: dict[str, Any]) -> bool:
        """Answer one message; False ends the connection."""
        text = message.get("text")
        if not self._within_rate():
            await self.close(FLOOD)
            return False
        if len(text or message.get("bytes") or "") > frames.MAX_FRAME_BYTES:
            limit = frames.MAX_FRAME_BYTES // 1024
            self.outlet.put(
                frames.error(None, "too_large", _("A frame has at most %(limit)s KiB.") % {"limit": limit})
            )
            await asyncio.sleep(0)
            await self.close(TOO_MUCH)
            return False
        answer = await self._answer(frames.parse(text if text is not None else message.get("bytes")))
        if answer:
            self.outlet.put(answer)
        return True

    def _within_rate(self) -> bool:
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._counted_at) * FRAMES_A_SECOND)
        self._counted_at = now
        self._allowance -= 1
        return self._allowance >= 0

    async def _answer(self, frame: frames.ClientFrame | frames.BadFrame) -> str:
        if isinstance(frame, frames.BadFrame):
            metrics.FRAMES.labels("bad").inc()
            return frames.error(frame.id, frame.code, frame.detail)
        metrics.FRAMES.labels(frame.type).inc()
        try:
            return await self._act(frame)
        except Problem as problem:
            return frames.error(frame.id, problem.code, problem.detail, **problem.extra)
        except Exception:
            log.exception("a frame broke")
            return frames.error(
                frame.id, "internal", _("Something went wrong on our side. It was written down.")
            )

    async def _act(self, frame: frames.ClientFrame) -> str:
        """One verb a frame."""
        who = self.actor
        access.check_scope(who, frame.scope)
        match frame:
            case frames.Ping():
                return frames.ack(frame.id)
            case frames.Typing() | frames.ReadMark():
                return await self._among_people(frame)
            case frames.ConversationCreate():
                made = await db(actions.create_conversation, who, frame.agent, frame.title)
                return frames.ack(frame.id, conversation=made.pk)
            case frames.Subscribe():
                return await self._subscribe(frame)
            case frames.Unsubscribe():
                self.outlet.leave(frame.conversation)
                return frames.ack(frame.id)
            case frames.MessageSend():
                return await self._send_message(frame)
            case frames.MessageEdit() | frames.MessageRegenerate() | frames.BranchSwitch():
                return await self._branch(frame)
            case frames.RunStop() | frames.RunRetry() | frames.JobCancel() | frames.DebateSteer():
                return await self._steer(frame)
            case frames.ConfirmationDecide():
                return await self._decide(frame)
            case frames.InputSubmit():
                return await self._submit(frame)
            case _:
                raise AssertionError(f"no verb for {frame.type}")

    async def _among_people(self, frame: frames.Typing | frames.ReadMark) -> str:
        """What people do beside talking."""
        match frame:
            case frames.Typing(conversation=conversation):
                if self._typing.allows(conversation):
                    await db(writing_now.tell, self.actor, conversation)
                return frames.ack(frame.id)
            case frames.ReadMark(conversation=conversation, seq=seq):
                return frames.ack(frame.id, seq=await db(reading.mark, self.actor, conversation, seq))
            case _:
                assert_never(frame)

    async def _steer(
        self, frame: frames.RunStop | frames.RunRetry | frames.JobCancel | frames.DebateSteer
    ) -> str:
        """Something that is under way, or ended, is to go on otherwise."""
        match frame:
            case frames.RunStop(run=run):
                return frames.ack(frame.id, status=await db(actions.stop_run, self.actor, run))
            case frames.RunRetry(run=run):
                again = await db(actions.retry_run, self.actor, run)
                return frames.ack(frame.id, run=again.pk)
            case frames.JobCancel(call=call):
                return frames.ack(frame.id, status=await db(jobs.cancel, self.actor, call))
            case frames.DebateSteer(conversation=conversation, do=do):
                steered = await db(steering.steer, self.actor, conversation, do)
                return frames.ack(frame.id, **asdict(steered))
            case _:
                assert_never(frame)

    async def _subscribe(self, frame: frames.Subscribe) -> str:
        """Acknowledged here, not by the caller: the missed events come after the ack."""
        newest = await db(_newest_for, self.actor, frame.conversation)
        self.outlet.put(frames.ack(frame.id, seq=newest))
        self.outlet.follow(frame.conversation, min(frame.after, newest), newest)
        return ""

    async def _send_message(self, frame: frames.MessageSend) -> str:
        options = frame.options.model_dump(exclude_none=True)
        words = saying.Words(
            frame.text, frame.key, options, tuple(frame.attachments), reply_to=frame.reply_to
        )
        posted = await db(saying.post_message, self.actor, frame.conversation, words)
        return frames.ack(frame.id, message=posted.message, run=posted.run)

    async def _branch(
        self, frame: frames.MessageEdit | frames.MessageRegenerate | frames.BranchSwitch
    ) -> str:
        match frame:
            case frames.MessageEdit():
                return await self._edit_message(frame)
            case frames.MessageRegenerate(conversation=conversation, message=message, key=key):
                run = await db(branches.regenerate, self.actor, conversation, message, key)
                return frames.ack(frame.id, run=run.pk)
            case frames.BranchSwitch(conversation=conversation, message=message):
                return frames.ack(frame.id, head=await db(branches.switch, self.actor, conversation, message))
            case _:
                assert_never(frame)

    async def _edit_message(self, frame: frames.MessageEdit) -> str:
        options = frame.options.model_dump(exclude_none=True) if frame.options else None
        pictures = None if frame.attachments is None else tuple(frame.attachments)
        new = branches.Rewording(frame.text, frame.key, pictures, options)
        posted = await db(branches.edit_message, self.actor, frame.conversation, frame.message, new)
        return frames.ack(frame.id, message=posted.message, run=posted.run)

    async def _decide(self, frame: frames.ConfirmationDecide) -> str:
        proof = frame.proof.model_dump(exclude_none=True) if frame.proof else None
        wanted = gate.Wanted(**frame.grant.model_dump()) if frame.grant else None
        answer = actions.Answer(frame.decision, frame.digest, proof, frame.reason, frame.arguments, wanted)
        verdict = await db(actions.decide, self.actor, frame.confirmation, answer)
        match verdict:
            case gate.Decided(status=status):
                return frames.ack(frame.id, status=status)
            case gate.Refused(code=code, detail=detail, tries_left=tries_left, errors=errors):
                more: dict[str, Any] = {} if tries_left is None else {"triesLeft": tries_left}
                more |= {"errors": list(errors)} if errors else {}
                return frames.error(frame.id, code, detail, **more)
            case _:
                assert_never(verdict)

    async def _submit(self, frame: frames.InputSubmit) -> str:
        verdict = await db(actions.submit, self.actor, frame.interrupt, frame.arguments)
        match verdict:
            case actions.Submitted(run=run):
                return frames.ack(frame.id, run=run)
            case gate.StillWrong(errors=errors):
                detail = _("These arguments are not right yet.")
                return frames.error(frame.id, "invalid_arguments", detail, errors=errors_as_json(errors))
            case gate.Refused(code=code, detail=detail):
                return frames.error(frame.id, code, detail)
            case _:
                assert_never(verdict)


def _newest_for(actor: Actor, conversation_id: str) -> int:
    glance_for(actor, conversation_id)
    return ledger.newest(conversation_id)
