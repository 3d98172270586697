"""Files to send: good pictures of each kind, and what only looks like one."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

GPS = 0x8825
MAKER = "Secret Camera 3000"


def picture(kind: str = "PNG", size: tuple[int, int] = (64, 48), colour: str = "blue", **how: Any) -> bytes:
    """A picture of one colour, encoded as `kind`."""
    out = BytesIO()
    mode = how.pop("mode", "RGB")
    Image.new(mode, size, colour).save(out, kind, **how)
    return out.getvalue()


def with_place(kind: str = "JPEG", orientation: int = 1) -> bytes:
    """A photograph that says where and with what it was taken."""
    exif = Image.Exif()
    exif[0x010F] = MAKER
    exif[0x0112] = orientation
    exif.get_ifd(GPS).update({1: "N", 2: (50.0, 5.0, 0.0), 3: "E", 4: (14.0, 25.0, 0.0)})
    return picture(kind, exif=exif)


def red_at_the_left(kind: str, orientation: int) -> bytes:
    """Red and blue halves, to be turned as `orientation` says."""
    image = Image.new("RGB", (40, 20), "blue")
    image.paste("red", (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = BytesIO()
    image.save(out, kind, exif=exif, **({"quality": 95} if kind == "JPEG" else {}))
    return out.getvalue()


def moving(kind: str = "GIF") -> bytes:
    """Two frames: blue, then red."""
    out = BytesIO()
    frames = [Image.new("RGB", (32, 32), colour) for colour in ("blue", "red")]
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], duration=100)
    return out.getvalue()


def png_of(width: int, height: int) -> bytes:
    """A PNG whose head promises any size; there are no pixels behind it worth the name."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 4096)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


SCRIPT = b"<script>alert(document.domain)</script>"
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>'
HTML = b"<!doctype html><html><body>" + SCRIPT + b"</body></html>"
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 64
