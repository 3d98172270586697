"""What the scripted model says it sees: the kind, size and main colour of the pictures that came last.

Computed from the pixels by a few lines of arithmetic. It understands nothing, and says so.
"""

from __future__ import annotations

from collections import Counter
from colorsys import rgb_to_hsv
from io import BytesIO

from PIL import Image

from agents.demo.language import Language
from agents.demo.story import Story
from agents.messages import ImagePart, Picture

SAMPLE = 32
NAMES: dict[str, str] = {
    "black": "黑色", "white": "白色", "grey": "灰色", "red": "红色", "orange": "橙色", "yellow": "黄色",
    "green": "绿色", "blue": "蓝色", "purple": "紫色", "pink": "粉色",
}  # fmt: skip
HUES = (
    (15, "red"),
    (45, "orange"),
    (70, "yellow"),
    (165, "green"),
    (255, "blue"),
    (310, "purple"),
    (345, "pink"),
)
"""The last degree of each colour on the wheel; red comes round again."""
WORDS: dict[Language, tuple[str, str, str]] = {
    "en": ("I see ", " and ", ". (I am a script: I measured the pixels and understood nothing.)"),
    "zh": ("我看到", "和", "。（我只是脚本：量了像素，什么也没看懂。）"),
}


def told(story: Story) -> str:
    """What came with the person's newest message; empty when nothing did, or when they do not speak last."""
    if story.speaks_last != "user" or not story.request.messages:
        return ""
    parts = [part for part in story.request.messages[-1].parts if isinstance(part, ImagePart)]
    pictures = [story.request.images[part.upload] for part in parts if part.upload in story.request.images]
    if not pictures:
        return ""
    begin, between, end = WORDS[story.language]
    return begin + between.join(described(picture, story.language) for picture in pictures) + end


def described(picture: Picture, language: Language) -> str:
    """For example `a PNG picture of 640 × 480, mostly blue`."""
    with Image.open(BytesIO(picture.data)) as image:
        kind, width, height = image.format, image.width, image.height
        image.draft("RGB", (SAMPLE * 2, SAMPLE * 2))
        small = image.convert("RGB").resize((SAMPLE, SAMPLE), Image.Resampling.BOX)
    raw = small.tobytes()
    pixels = zip(raw[::3], raw[1::3], raw[2::3], strict=True)
    colour = Counter(named(*pixel) for pixel in pixels).most_common(1)[0][0]
    if language == "zh":
        return f"一张 {width} × {height} 的 {kind} 图片，主要是{NAMES[colour]}"
    return f"a {kind} picture of {width} × {height}, mostly {colour}"


def named(red: int, green: int, blue: int) -> str:
    """The everyday name of a colour."""
    hue, saturation, value = rgb_to_hsv(red / 255, green / 255, blue / 255)
    if value < 0.2:
        return "black"
    if saturation < 0.15:
        return "white" if value > 0.85 else "grey"
    return next((name for last, name in HUES if hue * 360 <= last), "red")
