"""Pictures in the chat: chosen, dropped, pasted; seen before and after they are sent; refused in friendly words."""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.uploads.pictures import HTML, SVG, moving, picture

BLUE = picture("PNG", (640, 480), "blue")
RED = picture("JPEG", (300, 400), "red")
TYPES = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml"}
HAND_OVER = """([kind, files]) => {
  const data = new DataTransfer();
  for (const [name, type, text] of files) {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    data.items.add(new File([bytes], name, { type }));
  }
  const how = { bubbles: true, cancelable: true };
  const pasted = () => new ClipboardEvent('paste', { clipboardData: data, ...how });
  const dragged = (name) => new DragEvent(name, { dataTransfer: data, ...how });
  const at = document.querySelector(kind === 'paste' ? '#composer textarea' : '#scroll');
  const events = kind === 'paste' ? [pasted()] : ['dragenter', 'dragover', 'drop'].map(dragged);
  for (const event of events) at.dispatchEvent(event);
}"""


BLIND = """
const parse = JSON.parse;
JSON.parse = (...given) => {
  const read = parse(...given);
  for (const agent of read?.agents ?? []) agent.seesImages = false;
  return read;
};"""


def choose(person: Person, **files: bytes) -> None:
    """Through the button; `a_png` is a file `a.png`."""
    with person.page.expect_file_chooser() as chooser:
        person.page.get_by_role("button", name="Add pictures").click()
    chooser.value.set_files(
        [{"name": name, "mimeType": mime, "buffer": data} for name, mime, data in _named(files)]
    )


def hand_over(person: Person, how: str, **files: bytes) -> None:
    """`drop` on the talk, or `paste`."""
    given = [[name, mime, base64.b64encode(data).decode()] for name, mime, data in _named(files)]
    person.page.evaluate(HAND_OVER, [how, given])


def _named(files: dict[str, bytes]) -> list[tuple[str, str, bytes]]:
    return [(name.replace("_", "."), TYPES[name.rpartition("_")[2]], data) for name, data in files.items()]


def chips(person: Person) -> Locator:
    return person.page.locator("#attached > li")


def sent(person: Person) -> Locator:
    return person.page.locator(".entry.is-user .picture img")


def is_drawn(image: Locator) -> None:
    """The browser has the picture's pixels."""
    expect(image).to_be_visible()
    image.page.wait_for_function("(one) => one.complete && one.naturalWidth > 0", arg=image.element_handle())


def photograph(person: Person, name: str, shots: Path | None) -> None:
    if shots:
        person.page.wait_for_timeout(400)
        person.page.screenshot(path=shots / f"{name}.png")


@pytest.fixture
def shots() -> Path | None:
    """Where to leave pictures of the pages, if somebody wants to look: SHOTS=<folder>."""
    folder = os.environ.get("SHOTS")
    return Path(folder) if folder else None


def test_pictures_are_chosen_dropped_and_pasted_and_stay_after_a_reload(
    member: Person, shots: Path | None
) -> None:
    choose(member, blue_png=BLUE)
    hand_over(member, "drop", red_jpg=RED)
    hand_over(member, "paste", moves_gif=moving())
    expect(chips(member)).to_have_count(3)
    expect(chips(member).locator(".chip-words")).to_have_text(["640 × 480", "300 × 400", "32 × 32"])
    photograph(member, "attached", shots)

    expect(chips(member).last.locator("img")).to_have_attribute("src", re.compile("/content$"))
    member.page.get_by_role("button", name="Remove moves.gif").click()
    expect(chips(member)).to_have_count(2)
    member.ask("What is this?")
    expect(chips(member)).to_have_count(0)
    expect(sent(member)).to_have_count(2)
    is_drawn(sent(member).first)
    expect(member.page.locator(".is-reply").first).to_contain_text("a PNG picture of 640 × 480, mostly blue")
    expect(member.page.locator(".is-reply").first).to_contain_text("a JPEG picture of 300 × 400, mostly red")
    photograph(member, "sent", shots)

    member.page.reload()
    expect(sent(member)).to_have_count(2)
    is_drawn(sent(member).last)
    member.page.get_by_role("button", name="Enlarge: blue.png").click()
    large = member.page.locator("dialog.viewer img")
    is_drawn(large)
    photograph(member, "large", shots)
    member.page.keyboard.press("Escape")
    expect(large).to_have_count(0)
    expect(member.page.get_by_role("button", name="Enlarge: blue.png")).to_be_focused()


def test_a_picture_alone_is_a_message(member: Person) -> None:
    expect(member.page.locator("#composer .go:not(.is-stop)")).to_be_disabled()
    choose(member, blue_png=BLUE)
    expect(member.page.locator("#composer .go:not(.is-stop)")).to_be_enabled()
    member.composer.press("Enter")
    member.rest()
    expect(member.answer).to_contain_text("mostly blue")
    expect(member.page.locator(".entry.is-user .bubble")).to_be_hidden()


def test_a_wrong_format_is_said_beside_the_picture(member: Person, shots: Path | None) -> None:
    """T69, T71: nothing of it runs, and the message waits until the person has seen to it."""
    member.watch.expect("status 415", "415")
    hand_over(member, "drop", drawing_svg=SVG, page_png=HTML, blue_png=BLUE)
    failed = member.page.locator(".chip-attached.is-failed")
    expect(failed).to_have_count(2)
    expect(failed.first).to_contain_text("SVG drawings cannot be sent")
    expect(failed.last).to_contain_text("JPEG, PNG, WebP and GIF can")
    expect(member.page.locator("#live")).to_contain_text("drawing.svg")
    member.composer.fill("Look")
    expect(member.page.locator("#composer .go:not(.is-stop)")).to_be_disabled()
    photograph(member, "wrong", shots)
    for name in ("drawing.svg", "page.png"):
        member.page.get_by_role("button", name=f"Remove {name}").click()
    member.composer.press("Enter")
    expect(sent(member)).to_have_count(1)
    member.ran_nothing()


def test_a_name_that_is_markup_is_shown_as_text(member: Person) -> None:
    """T69."""
    name = '<img src=x onerror="window.__xss=1">.png'
    with member.page.expect_file_chooser() as chooser:
        member.page.get_by_role("button", name="Add pictures").click()
    chooser.value.set_files([{"name": name, "mimeType": "image/png", "buffer": BLUE}])
    expect(chips(member).locator(".chip-name")).to_have_text(name)
    member.ask("Look")
    member.page.reload()
    is_drawn(sent(member))
    expect(sent(member)).to_have_attribute("alt", re.compile("onerror"))
    sent(member).click()
    expect(member.page.locator(".viewer-name")).to_contain_text("onerror")
    member.ran_nothing()


def test_on_a_small_dark_screen_nothing_sticks_out(enter: Enter, shots: Path | None) -> None:
    person = enter("member", viewport={"width": 375, "height": 700}, color_scheme="dark").go_to_chat()
    person.watch.expect("status 415", "415")
    choose(person, **{f"{name}_jpg": RED for name in "abc"}, blue_png=BLUE)
    hand_over(person, "drop", page_png=HTML)
    expect(chips(person)).to_have_count(5)
    expect(person.page.locator(".chip-attached.is-failed")).to_have_count(1)
    photograph(person, "small-attached", shots)
    assert person.page.evaluate("document.documentElement.scrollWidth") == 375
    expect(person.composer).to_be_in_viewport()
    person.page.get_by_role("button", name="Remove page.png").click()
    person.ask("Which is the nicest?")
    is_drawn(sent(person).first)
    photograph(person, "small-sent", shots)
    person.page.get_by_role("button", name="Enlarge: blue.png").click()
    is_drawn(person.page.locator("dialog.viewer img"))
    photograph(person, "small-large", shots)
    assert person.page.evaluate("document.documentElement.scrollWidth") == 375


def test_where_the_agent_sees_nothing_the_button_says_so(enter: Enter) -> None:
    person = enter("member")
    person.page.add_init_script(BLIND)
    person.go_to_chat()
    add = person.page.get_by_role("button", name="Add pictures")
    expect(add).to_have_attribute("aria-disabled", "true")
    expect(add).to_have_attribute("title", re.compile("cannot see pictures"))
    add.click(force=True)
    hand_over(person, "drop", blue_png=BLUE)
    expect(person.page.locator(".toast").first).to_contain_text("cannot see pictures")
    expect(chips(person)).to_have_count(0)
