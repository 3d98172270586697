"""Which pictures of a conversation go to the model, read when a run is claimed and kept for as long as it moves.

The newest ones, up to a number and a size; in the place of an older one stands a note that it was there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from agents.messages import ImagePart, ModelMessage, Part, Picture, TextPart
from conversations.uploads_models import Upload
from platform_site import stored_files
from platform_site.tenancy import current_tenant_id

MOST = 16
MOST_BYTES = 12 * 1024 * 1024
"""A request stays below what providers take inline, base64 included."""


def read_pictures(topic: str, messages: Iterable[ModelMessage]) -> dict[str, Picture]:
    """The newest pictures of this history by upload id, as far as they fit. Reads files: in a database thread."""
    wanted = newest(messages)
    if not wanted:
        return {}
    rows = {row.pk: row for row in Upload.objects.filter(pk__in=wanted, conversation=topic)}
    found: dict[str, Picture] = {}
    room = MOST_BYTES
    for upload_id in wanted:
        row = rows.get(upload_id)
        if row is None or row.bytes > room:
            continue
        data = stored_files.read(current_tenant_id(), row.file_name)
        if data is not None:
            found[upload_id] = Picture(row.media_type, data)
            room -= len(data)
    return found


def newest(messages: Iterable[ModelMessage]) -> list[str]:
    """Upload ids, newest first, each once."""
    parts = [part for message in messages for part in message.parts if isinstance(part, ImagePart)]
    return list(dict.fromkeys(part.upload for part in reversed(parts)))[:MOST]


def with_pictures(
    messages: Sequence[ModelMessage], pictures: Mapping[str, Picture]
) -> tuple[ModelMessage, ...]:
    """The history as it is sent: a picture that is not among `pictures` becomes a note."""
    return tuple(_noted(message, pictures) for message in messages)


def _noted(message: ModelMessage, pictures: Mapping[str, Picture]) -> ModelMessage:
    if not any(isinstance(part, ImagePart) and part.upload not in pictures for part in message.parts):
        return message
    return replace(message, parts=tuple(_shown(part, pictures) for part in message.parts))


def _shown(part: Part, pictures: Mapping[str, Picture]) -> Part:
    if isinstance(part, ImagePart) and part.upload not in pictures:
        return TextPart(f"[picture, {part.width} x {part.height} pixels: shown earlier, not sent again]")
    return part
