"""Any file into a picture that is made anew: what is let in, what is taken off, what is refused and why."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from conversations import uploads_picture
from conversations.uploads_picture import MAX_BYTES, MAX_SIDE, Kept, Wrong, made_anew, scans
from tests.uploads.pictures import (
    HEIC,
    HTML,
    MAKER,
    SCRIPT,
    SVG,
    moving,
    picture,
    png_of,
    red_at_the_left,
    with_place,
)


def kept(data: bytes) -> Kept:
    made = made_anew(data)
    assert isinstance(made, Kept), made
    return made


def opened(made: Kept) -> Image.Image:
    return Image.open(BytesIO(made.data))


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/png"), ("GIF", "image/png")],
)
def test_each_kind_of_picture_is_kept_as_a_jpeg_or_a_png(kind: str, media_type: str) -> None:
    made = kept(picture(kind))
    assert (made.media_type, made.width, made.height) == (media_type, 64, 48)
    assert f"image/{opened(made).format.lower()}" == media_type  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "CMYK"])
def test_every_way_to_write_pixels_is_read(mode: str) -> None:
    out = BytesIO()
    Image.new(mode, (20, 10)).save(out, "JPEG" if mode == "CMYK" else "PNG")
    assert (kept(out.getvalue()).width, kept(out.getvalue()).height) == (20, 10)


def test_what_shines_through_stays_so() -> None:
    assert opened(kept(picture(mode="RGBA", colour="#ff000080"))).getpixel((3, 3)) == (255, 0, 0, 128)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_is_left_of_place_and_camera(kind: str) -> None:
    """The GPS position of a photograph tells where somebody lives."""
    data = with_place(kind)
    assert MAKER.encode() in data
    made = kept(data)
    assert not opened(made).getexif()
    assert b"Exif" not in made.data
    assert MAKER.encode() not in made.data


def test_nothing_is_left_of_comments_and_profiles() -> None:
    out = BytesIO()
    Image.new("RGB", (8, 8)).save(out, "JPEG", comment=b"my diary", icc_profile=b"profile" * 30)
    made = kept(out.getvalue())
    assert b"my diary" in out.getvalue()
    assert b"my diary" not in made.data
    assert b"profile" not in made.data


@pytest.mark.parametrize(
    ("orientation", "size", "red_at"),
    [(1, (40, 20), (5, 10)), (3, (40, 20), (35, 10)), (6, (20, 40), (10, 5)), (8, (20, 40), (10, 35))],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_picture_stands_upright(
    kind: str, orientation: int, size: tuple[int, int], red_at: tuple[int, int]
) -> None:
    image = opened(kept(red_at_the_left(kind, orientation)))
    assert image.size == size
    red, _green, blue = image.convert("RGB").getpixel(red_at)  # type: ignore[misc]
    assert (red > 200, blue < 60) == (True, True)


def test_of_a_moving_picture_the_first_frame_is_taken() -> None:
    image = opened(kept(moving()))
    assert getattr(image, "n_frames", 1) == 1
    assert image.convert("RGB").getpixel((5, 5)) == (0, 0, 255)


def test_a_large_picture_is_made_smaller() -> None:
    made = kept(picture("JPEG", (MAX_SIDE * 2, MAX_SIDE)))
    assert (made.width, made.height) == (MAX_SIDE, MAX_SIDE // 2)
    assert kept(picture(size=(MAX_SIDE, 3))).width == MAX_SIDE


def test_what_is_appended_to_a_picture_is_gone() -> None:
    """A polyglot: a picture to one reader, a page or an archive to another."""
    for kind in ("GIF", "PNG", "JPEG"):
        data = picture(kind) + SCRIPT + b"PK\x03\x04"
        made = kept(data)
        assert b"script" not in made.data
        assert b"PK\x03\x04" not in made.data


def test_a_script_in_a_comment_of_a_picture_is_gone() -> None:
    out = BytesIO()
    Image.new("P", (4, 4)).save(out, "GIF", comment=SCRIPT)
    assert SCRIPT in out.getvalue()
    assert b"script" not in kept(out.getvalue()).data


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"", Wrong.EMPTY),
        (SVG, Wrong.SVG),
        (HTML, Wrong.OTHER),
        (HEIC, Wrong.HEIC),
        (b"%PDF-1.7", Wrong.OTHER),
        (b"BM" + b"\0" * 60, Wrong.OTHER),
        (b"GIF89a=1;" + SCRIPT, Wrong.BROKEN),
        (picture("PNG")[:60], Wrong.BROKEN),
        (picture("JPEG", (300, 300))[:-400], Wrong.BROKEN),
        (b"\x89PNG\r\n\x1a\n", Wrong.BROKEN),
        (picture("BMP"), Wrong.OTHER),
        (picture("TIFF"), Wrong.OTHER),
    ],
    ids=[
        "empty",
        "svg",
        "html",
        "heic",
        "pdf",
        "bmp head",
        "gif script",
        "cut png",
        "cut jpeg",
        "png head",
        "bmp",
        "tiff",
    ],
)
def test_what_is_no_picture_of_ours_is_named(data: bytes, wrong: Wrong) -> None:
    """T71: by its content, whatever it is called."""
    assert made_anew(data) is wrong


@pytest.mark.parametrize("size", [(7000, 6000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_bomb_does_not_go_off(size: tuple[int, int]) -> None:
    """A small file that promises a great many pixels is refused by its head."""
    bomb = png_of(*size)
    assert len(bomb) < 200
    assert made_anew(bomb) is Wrong.TOO_MANY_PIXELS


def test_a_file_beyond_the_limit_is_not_looked_at() -> None:
    assert made_anew(picture() + b"\0" * MAX_BYTES) is Wrong.TOO_LARGE


def test_no_more_than_a_few_are_worked_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads_picture, "WAIT_S", 0.01)
    assert isinstance(made_anew(picture()), Kept)
    for _ in range(uploads_picture.AT_ONCE):
        uploads_picture._room.acquire()
    try:
        assert made_anew(picture()) is Wrong.BUSY
    finally:
        for _ in range(uploads_picture.AT_ONCE):
            uploads_picture._room.release()
    assert isinstance(made_anew(picture()), Kept)


def test_a_jpeg_of_very_many_scans_is_refused_before_it_is_decoded() -> None:
    """Sixty bytes make a decoder go over 40 million pixels once more: 10 MB of them would take an hour."""
    out = BytesIO()
    Image.new("L", (640, 480), 128).save(out, "JPEG", progressive=True)
    data = out.getvalue()
    assert isinstance(made_anew(data), Kept)
    last = data[data.rindex(b"\xff\xda") : -2]
    few, many = (data[:-2] + last * times + data[-2:] for times in (20, 100))
    assert isinstance(made_anew(few), Kept)
    assert made_anew(many) is Wrong.BROKEN
    # What only looks like a scan is none: in what a camera wrote beside the pixels, or appended.
    assert isinstance(made_anew(data + b"\xff\xda" * 500), Kept)
    assert scans(data + b"\xff\xda" * 500) == scans(data)
    exif = BytesIO()
    Image.open(BytesIO(data)).save(exif, "JPEG", exif=b"Exif\0\0" + b"\xff\xda" * 500)
    assert isinstance(made_anew(exif.getvalue()), Kept)
