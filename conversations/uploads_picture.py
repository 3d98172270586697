"""Any file into a picture we keep, or why not. Pure: bytes in, a value out; Pillow alone decides what it is.

What is kept was made anew from its pixels: turned upright, at most `MAX_SIDE` a side, a JPEG or a PNG, with nothing
else that stood in the file (place, camera, comments, hidden pages, whatever was appended). Of a moving picture the
first frame is taken.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from enum import Enum
from io import BytesIO
from threading import BoundedSemaphore

from PIL import Image, UnidentifiedImageError

MAX_BYTES = 10 * 1024 * 1024
MAX_PIXELS = 40_000_000
MAX_SIDE = 2048
MOST_KEPT = 3 * 1024 * 1024
"""A PNG beyond this becomes a JPEG: sixteen of them go to a model in one request."""
MOST_SCANS = 64
"""Passes over a JPEG's pixels; encoders make about ten. One is 60 bytes and up to 20 ms: 10 MB would take an hour."""
AT_ONCE = 2
"""Pictures worked on at one time in a process: each may take some hundred megabytes."""
WAIT_S = 20.0
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
QUALITY = 88
ORIENTATION = 0x0112
UPRIGHT = {
    2: (Image.Transpose.FLIP_LEFT_RIGHT,),
    3: (Image.Transpose.ROTATE_180,),
    4: (Image.Transpose.FLIP_TOP_BOTTOM,),
    5: (Image.Transpose.TRANSPOSE,),
    6: (Image.Transpose.ROTATE_270,),
    7: (Image.Transpose.TRANSVERSE,),
    8: (Image.Transpose.ROTATE_90,),
}
"""What turns a picture upright, by the number its camera wrote down."""
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
_SCAN, _END, _BARE = 0xDA, 0xD9, (0x01, 0xD8)

# A picture whose head promises more pixels is refused before one of them is decoded.
Image.MAX_IMAGE_PIXELS = MAX_PIXELS
warnings.filterwarnings("error", category=Image.DecompressionBombWarning)

_room = BoundedSemaphore(AT_ONCE)


class Wrong(Enum):
    """Why a file is no picture for us."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    TOO_MANY_PIXELS = "too_many_pixels"
    HEIC = "heic"
    SVG = "svg"
    OTHER = "other"
    BROKEN = "broken"
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture made anew. `media_type` is `image/jpeg` or `image/png`; sizes in pixels."""

    data: bytes
    media_type: str
    width: int
    height: int


def made_anew(data: bytes) -> Kept | Wrong:
    """The picture in `data`. Waits for its turn; `BUSY` when that takes longer than `WAIT_S`."""
    if not data:
        return Wrong.EMPTY
    if len(data) > MAX_BYTES:
        return Wrong.TOO_LARGE
    if not _room.acquire(timeout=WAIT_S):
        return Wrong.BUSY
    try:
        return _decoded(data)
    except UnidentifiedImageError:
        return what_it_may_be(data)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return Wrong.TOO_MANY_PIXELS
    except Exception:  # noqa: BLE001  # whatever a made-up file breaks in a decoder, it is no picture
        return Wrong.BROKEN
    finally:
        _room.release()


def _decoded(data: bytes) -> Kept | Wrong:
    with Image.open(BytesIO(data), formats=FORMATS) as image:
        if image.width * image.height > MAX_PIXELS:
            return Wrong.TOO_MANY_PIXELS
        if image.format in ("JPEG", "MPO") and scans(data) > MOST_SCANS:
            return Wrong.BROKEN
        turns = UPRIGHT.get(_orientation(image), ())
        image.draft("RGB", (MAX_SIDE, MAX_SIDE))
        image.load()
        plain = _plain(image)
    plain.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS, reducing_gap=2.0)
    for turn in turns:
        plain = plain.transpose(turn)
    return _encoded(plain, as_jpeg=image.format in ("JPEG", "MPO"))


def scans(data: bytes) -> int:
    """How many scans the JPEG at the beginning of `data` has, `MOST_SCANS + 1` for any more. Decodes nothing."""
    count, at = 0, 2
    while count <= MOST_SCANS and (found := _MARKER.search(data, at)):
        marker, at = data[found.start() + 1], found.end()
        if marker == _END:
            break
        count += marker == _SCAN
        if marker not in _BARE:
            at += int.from_bytes(data[at : at + 2], "big")
    return count


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(ORIENTATION, 1))
    except Exception:  # noqa: BLE001  # what a camera wrote beside the pixels does not make them worse
        return 1


def _plain(image: Image.Image) -> Image.Image:
    """Its pixels as RGB or RGBA, and nothing of what the file said besides."""
    if image.mode.startswith("I"):  # 16 bits of grey
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    plain = image.convert("RGBA" if image.has_transparency_data else "RGB")
    plain.info = {}
    return plain


def _encoded(plain: Image.Image, *, as_jpeg: bool) -> Kept:
    if not as_jpeg:
        kept = _saved(plain, "PNG")
        if len(kept.data) <= MOST_KEPT:
            return kept
    if plain.mode == "RGBA":
        ground = Image.new("RGB", plain.size, "white")
        ground.paste(plain, mask=plain.getchannel("A"))
        plain = ground
    return _saved(plain, "JPEG", quality=QUALITY, optimize=True)


def _saved(plain: Image.Image, form: str, **how: int | bool) -> Kept:
    out = BytesIO()
    plain.save(out, form, **how)
    return Kept(out.getvalue(), f"image/{form.lower()}", plain.width, plain.height)


def what_it_may_be(data: bytes) -> Wrong:
    """What people most often take for such a picture, by its first bytes: only to word the answer."""
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[4:8] == b"ftyp":
        return Wrong.HEIC
    if b"<svg" in head.lower():
        return Wrong.SVG
    known = head.startswith((b"\xff\xd8\xff", b"\x89PNG", b"GIF8")) or head[8:12] == b"WEBP"
    return Wrong.BROKEN if known else Wrong.OTHER
