"""Pictures in an AG-UI message: made anew before anything is written, kept in the transaction of the message."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from conversations import uploads
from conversations.agui_input import Said
from conversations.uploads_picture import Kept, made_anew
from platform_site.access import Actor

Made = Mapping[str, Kept]
"""By the fingerprint of what came in."""


def made_of(said: Iterable[Said]) -> Made:
    """All pictures that came with their bytes. Raises a Problem for one that is none."""
    given = [picture for one in said for picture in one.pictures if isinstance(picture, bytes)]
    return {_name(data): uploads.check_picture(made_anew(data)) for data in given}


def keep_pictures(actor: Actor, said: Iterable[Said], made: Made) -> tuple[str, ...]:
    """The upload ids of these messages' pictures, in order."""
    return tuple(
        uploads.keep(actor, made[_name(picture)], "").pk if isinstance(picture, bytes) else picture
        for one in said
        for picture in one.pictures
    )


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
