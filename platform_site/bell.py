"""The bell tells whoever listens, here and in other processes, that a topic moved (rule 3: a hint, never the truth).

In this process a listener is handed what was written, so that a socket costs no query. Other processes hear only
that something moved (through the channel layer, when it reaches beyond this process) and read the ledger. Text
deltas (`whisper`) go the same two ways; they may be lost, the row may not.

Everything here runs on the event loop; `ring` may be called from a database thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer

from platform_site.ids import new_id
from platform_site.wire import Event

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rung:
    """`topic` has new events from `first` on; `events` is None when they must be read."""

    topic: str
    first: int
    events: tuple[Event, ...] | None


@dataclass(frozen=True, slots=True)
class Whisper:
    """A piece of a message being written. `offset`: code points before it. `text` may repeat what was heard."""

    topic: str
    message: str
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something outside a conversation, for one person in a tenant (or all of it when `user` is empty)."""

    tenant: str
    user: str
    kind: str
    data: dict[str, Any]


Heard = Rung | Whisper | Notice
Listener = Callable[[Heard], None]


class Bell:
    """Who listens to what, in this process. One instance, `the_bell`."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.listeners: defaultdict[str, set[Listener]] = defaultdict(set)
        self.process = new_id()
        self.changed = asyncio.Event()
        """Set when a key was heard for the first time, or by nobody any more."""
        self._sending: set[asyncio.Task[None]] = set()

    def listen(self, key: str, listener: Listener) -> None:
        """Hear a topic's id, `notices:<tenant>`, or `runs`; on the event loop."""
        self.loop = asyncio.get_running_loop()
        if not self.listeners[key]:
            self.changed.set()
        self.listeners[key].add(listener)

    def forget(self, key: str, listener: Listener) -> None:
        heard = self.listeners.get(key)
        if heard is None:
            return
        heard.discard(listener)
        if not heard:
            del self.listeners[key]
            self.changed.set()

    def hear(self, key: str, what: Heard) -> None:
        """Hand `what` to every listener of `key` in this process."""
        for listener in tuple(self.listeners.get(key, ())):
            try:
                listener(what)
            except Exception:
                log.exception("a listener of the bell failed")

    def tell(self, key: str, what: Heard) -> None:
        """To this process at once, to the others through the layer."""
        self.hear(key, what)
        if _reaches_others():
            self._spawn(get_channel_layer().group_send(_group(key), _packed(key, what, self.process)))

    def _spawn(self, coroutine: Any) -> None:
        task = asyncio.ensure_future(coroutine)
        self._sending.add(task)
        task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        if not task.cancelled() and task.exception():
            log.warning("the channel layer did not take a message: %r", task.exception())


the_bell = Bell()


def ring(topic: str, first: int, events: Iterable[Event]) -> None:
    """A committed transaction told `events`, the first numbered `first`. From any thread."""
    _on_loop(topic, Rung(topic, first, tuple(events)))


def notify(notice: Notice) -> None:
    """Tell a person's open pages. From any thread."""
    _on_loop(f"notices:{notice.tenant}", notice)


def wake_runners(run: str, tenant: str) -> None:
    """A run was queued, or should stop. From any thread."""
    _on_loop("runs", Notice("", "", "run", {"run": run, "tenant": tenant}))


def ask_again(topic: str) -> None:
    """Whoever writes a message on `topic` should whisper it from its beginning. On the loop."""
    the_bell.tell("runs", Notice("", "", "recap", {"topic": topic}))


def whisper(topic: str, message: str, offset: int, text: str) -> None:
    """A piece of text for who listens now. On the loop."""
    the_bell.tell(topic, Whisper(topic, message, offset, text))


def _on_loop(key: str, what: Heard) -> None:
    loop = the_bell.loop
    if loop is None or loop.is_closed():
        _from_outside(key, what)
        return
    try:
        running = asyncio.get_running_loop()
    except RuntimeError:
        running = None
    if running is loop:
        the_bell.tell(key, what)
    else:
        loop.call_soon_threadsafe(the_bell.tell, key, what)


def _from_outside(key: str, what: Heard) -> None:
    """A process with no loop (a management command, a queue worker): only the layer can carry it."""
    if _reaches_others():
        from asgiref.sync import async_to_sync

        try:
            async_to_sync(get_channel_layer().group_send)(_group(key), _packed(key, what, the_bell.process))
        except Exception:
            # The rows are committed; who does not hear of them now finds them within a second.
            log.exception("the channel layer did not take a message")


def _reaches_others() -> bool:
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


def _group(key: str) -> str:
    return "bell." + key.replace(":", ".")


def _packed(key: str, what: Heard, sender: str) -> dict[str, Any]:
    message: dict[str, Any] = {"type": "bell", "key": key, "from": sender}
    match what:
        case Rung(topic, first, _):
            message |= {"rung": [topic, first]}
        case Whisper(topic, said, offset, text):
            message |= {"whisper": [topic, said, offset, text]}
        case Notice(tenant, user, kind, data):
            message |= {"notice": [tenant, user, kind, data]}
    return message


def _unpacked(message: dict[str, Any]) -> Heard:
    if "rung" in message:
        topic, first = message["rung"]
        return Rung(topic, first, None)
    if "whisper" in message:
        return Whisper(*message["whisper"])
    return Notice(*message["notice"])


async def relay() -> None:
    """Carry other processes' bells into this one. Runs until the layer breaks, and is then started again: everything
    is joined anew, so that what was missed meanwhile is all that is missed. Returns at once on the memory layer.
    """
    the_bell.loop = asyncio.get_running_loop()
    if not _reaches_others():
        return
    the_bell.changed = asyncio.Event()
    layer = get_channel_layer()
    channel = await layer.new_channel("bell")
    await asyncio.sleep(
        0
    )  # a cancellation asked for again meanwhile is taken here, before there is a group to leave
    async with asyncio.TaskGroup() as both:
        both.create_task(_keep_joined(layer, channel))
        both.create_task(_receive(layer, channel))


async def _keep_joined(layer: Any, channel: str) -> None:
    """Be in the group of every key that somebody here listens to, and in no other."""
    joined: set[str] = set()
    task = asyncio.current_task()
    # redis-py may swallow a cancellation that comes while it waits for its server; the task remembers it.
    while task and not task.cancelling():
        the_bell.changed.clear()
        wanted = set(the_bell.listeners)
        for key in wanted - joined:
            await layer.group_add(_group(key), channel)
        for key in joined - wanted:
            await layer.group_discard(_group(key), channel)
        joined = wanted
        if not task.cancelling():
            await the_bell.changed.wait()


async def _receive(layer: Any, channel: str) -> None:
    while True:
        message = await layer.receive(channel)
        if message["from"] != the_bell.process:
            the_bell.hear(message["key"], _unpacked(message))
