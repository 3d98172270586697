"""Pictures people send: taken in, found again by who may see them, tied to the conversation they are sent in.

The walk of one: `made_anew` (no database), `keep` (file, then row), `attach` inside the transaction of the message.
Who may see a picture: its uploader, and whoever takes part in the conversation it stands in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext as _

from agents import catalogue
from agents.messages import ImagePart
from conversations.access import conversations_for
from conversations.debate import beginning
from conversations.models import Conversation
from conversations.uploads_models import Upload
from conversations.uploads_picture import MAX_BYTES, MAX_PIXELS, Kept, Wrong
from platform_site import stored_files
from platform_site.access import Actor
from platform_site.env import env
from platform_site.errors import Problem
from platform_site.ids import new_id
from platform_site.tenancy import current_tenant_id

MOST_IN_A_MESSAGE = 8
LONGEST_NAME = 120
MEGABYTE = 1024 * 1024
UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""Characters a name does not need and that could make it look like another."""


def keep(actor: Actor, picture: Kept, name: str) -> Upload:
    """Store a picture for this person to send. Raises a Problem when there is no room for it."""
    _check_room(actor, len(picture.data))
    upload = Upload(
        id=new_id(), uploader=actor.user, media_type=picture.media_type, width=picture.width, height=picture.height,
        bytes=len(picture.data), sha256=hashlib.sha256(picture.data).hexdigest(), name=plain_name(name),
    )  # fmt: skip
    stored_files.write(actor.tenant.pk, upload.file_name, picture.data)
    upload.save(force_insert=True)
    return upload


def _check_room(actor: Actor, size: int) -> None:
    if Upload.objects.filter(uploader=actor.user, conversation=None).count() >= env.upload_most_unsent:
        detail = _("You have %(count)s pictures that were not sent. Send or remove some first.")
        raise Problem(429, "too_many_uploads", detail % {"count": env.upload_most_unsent})
    used = Upload.objects.aggregate(used=Sum("bytes"))["used"] or 0
    if used + size > env.upload_tenant_mb * MEGABYTE:
        raise Problem(
            413, "storage_full", _("There is no room left for pictures here. Ask an administrator.")
        )


def plain_name(name: str) -> str:
    """A file's name as it is shown: its last part, without what cannot be seen."""
    last = re.split(r"[/\\]", name)[-1]
    return UNSHOWN.sub("", last).strip()[:LONGEST_NAME]


def check_picture(made: Kept | Wrong) -> Kept:
    """The picture, or a problem that says in plain words what is wrong with the file."""
    if isinstance(made, Kept):
        return made
    raise _problem(made)


def _problem(wrong: Wrong) -> Problem:
    limits = {"megabytes": MAX_BYTES // MEGABYTE, "megapixels": MAX_PIXELS // 1_000_000}
    match wrong:
        case Wrong.EMPTY:
            return Problem(422, "empty_file", _("This file is empty."))
        case Wrong.TOO_LARGE:
            detail = _("This picture is larger than %(megabytes)s MB. Send a smaller one.")
            return Problem(413, "too_large", detail % limits)
        case Wrong.TOO_MANY_PIXELS:
            detail = _("This picture has more than %(megapixels)s megapixels. Send a smaller one.")
            return Problem(413, "too_many_pixels", detail % limits)
        case Wrong.HEIC:
            detail = _("This is a HEIC or AVIF picture. Save it as JPEG or PNG and send that.")
            return Problem(415, "unsupported_media_type", detail)
        case Wrong.SVG:
            detail = _("SVG drawings cannot be sent. Save it as PNG and send that.")
            return Problem(415, "unsupported_media_type", detail)
        case Wrong.OTHER:
            detail = _("This is not a picture that can be sent. JPEG, PNG, WebP and GIF can.")
            return Problem(415, "unsupported_media_type", detail)
        case Wrong.BROKEN:
            return Problem(422, "broken_picture", _("This picture is damaged and cannot be read."))
        case Wrong.BUSY:
            detail = _("Many pictures are being taken in right now. Try again in a moment.")
            return Problem(429, "rate_limited", detail, retry_after=5)
        case _:
            assert_never(wrong)


def uploads_for(actor: Actor) -> QuerySet[Upload]:
    """The pictures this person may see. What somebody sent stays theirs to see."""
    here = conversations_for(actor).order_by().values("pk")
    return Upload.objects.filter(Q(uploader=actor.user) | Q(conversation__in=here))


def upload_for(actor: Actor, upload_id: str) -> Upload:
    found = uploads_for(actor).filter(pk=upload_id).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such picture."))
    return found


def take_back(actor: Actor, upload_id: str) -> None:
    """Remove a picture that was not sent. One that was belongs to its conversation."""
    upload = upload_for(actor, upload_id)
    gone, _rows = Upload.objects.filter(pk=upload.pk, uploader=actor.user, conversation=None).delete()
    if not gone:
        raise Problem(409, "conflict", _("This picture was sent and stays with its conversation."))
    remove_files([upload])


def remove_files(uploads: Iterable[Upload]) -> None:
    """After the commit, the files of rows that are gone. A crash in between leaves them to the sweep."""
    names = [(current_tenant_id(), upload.file_name) for upload in uploads]
    transaction.on_commit(lambda: stored_files.remove_all(names))


def check_wanted(conversation: Conversation, ids: Sequence[str], options: Mapping[str, Any]) -> None:
    """Before anything is written: not too many, none twice, and somebody there to see them."""
    if len(ids) > MOST_IN_A_MESSAGE:
        detail = _("A message has at most %(count)s pictures.") % {"count": MOST_IN_A_MESSAGE}
        raise Problem(400, "bad_request", detail)
    if len(set(ids)) != len(ids):
        raise Problem(400, "bad_request", _("The same picture stands here twice."))
    if ids and not sees_images(conversation, options):
        detail = _(
            "The model that would answer cannot see pictures. Send text alone, or choose another agent or model."
        )
        raise Problem(422, "no_vision", detail)


def sees_images(conversation: Conversation, options: Mapping[str, Any]) -> bool:
    """Whether one of the models that would answer sees pictures."""
    if conversation.agent.current is None:
        return False
    agent = catalogue.spec_of(conversation.agent.current)
    if agent.kind == "debate":
        return beginning.see_images(agent, options)
    return any(model.images for model in catalogue.models_for(agent, options))


def attach(actor: Actor, conversation: Conversation, ids: Sequence[str]) -> list[Upload]:
    """Tie pictures to the conversation they are sent in; call it in the transaction of the message.

    They are the sender's own, and not sent yet or sent in this very conversation. One that another message takes at
    the same time goes to one of the two: the row is changed on that condition.
    """
    if not ids:
        return []
    free = Q(conversation=None) | Q(conversation=conversation)
    mine = Upload.objects.filter(free, pk__in=ids, uploader=actor.user)
    if mine.update(conversation=conversation) != len(ids):
        raise Problem(404, "not_found", _("A picture of this message is not there any more. Add it again."))
    found = {upload.pk: upload for upload in Upload.objects.filter(pk__in=ids)}
    return [found[upload_id] for upload_id in ids]


def image_part(upload: Upload) -> ImagePart:
    """How a message names it."""
    return ImagePart(upload.pk, upload.media_type, upload.width, upload.height)


def told(upload: Upload, slug: str) -> dict[str, Any]:
    """How `message.user` names it; `slug` is the tenant's."""
    return {
        "id": upload.pk, "media_type": upload.media_type, "width": upload.width, "height": upload.height,
        "name": upload.name, "url": content_url(upload, slug),
    }  # fmt: skip


def content_url(upload: Upload, slug: str) -> str:
    return f"/api/v1/t/{slug}/uploads/{upload.pk}/content"
