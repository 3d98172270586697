"""What somebody is at is not taken from them: the focus, what they typed, and news while the list is closed."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person

PHONE = {"viewport": {"width": 375, "height": 700}, "has_touch": True, "is_mobile": True}
ZOOMED = {"width": 640, "height": 400}
RENAMING = "**/api/v1/t/mall/conversations/*"


def row(person: Person) -> Locator:
    return person.page.locator(".list-item.is-current")


def choose(person: Person, entry: str) -> None:
    """From the menu of the conversation one is in, by keyboard."""
    menu = row(person).locator("summary")
    menu.focus()
    menu.press("Enter")
    row(person).get_by_role("button", name=entry).press("Enter")


def invite(owner: Person, name: str) -> None:
    if not owner.page.locator(".people-dialog").is_visible():
        owner.page.locator("#people").click()
    owner.page.get_by_label("Find somebody to invite").fill(name)
    owner.page.locator(".picker-list li").filter(has_text=name).get_by_role("button").click()
    expect(owner.page.locator(".is-invited").filter(has_text=name)).to_be_visible()


def news(page: Page) -> Locator:
    return page.get_by_role("button", name="Conversations: new activity")


def test_a_phone_shows_an_invitation_though_the_list_is_closed(enter: Enter) -> None:
    owner, guest = enter("owner").go_to_chat(), enter("member", **PHONE).go_to_chat()
    expect(news(guest.page)).to_have_count(0)
    owner.ask("echo come in")
    invite(owner, "Max")
    expect(news(guest.page)).to_be_visible()
    news(guest.page).tap()
    guest.page.locator(".invitation").get_by_role("button", name="Decline").tap()
    expect(guest.page.locator(".invitation")).to_have_count(0)
    guest.page.keyboard.press("Escape")
    expect(news(guest.page)).to_have_count(0)
    expect(guest.page.get_by_role("button", name="Conversations", exact=True)).to_be_visible()


def test_the_focus_is_back_at_the_menu_when_a_title_is_saved_or_left(member: Person) -> None:
    member.ask("echo a title")
    for key in ("Enter", "Escape"):
        choose(member, "Rename")
        title = member.page.get_by_label("New title")
        title.fill("Another title")
        title.press(key)
        expect(title).to_have_count(0)
        expect(row(member)).to_contain_text("Another title")
        expect(row(member).locator("summary")).to_be_focused()


def test_the_focus_is_back_at_the_menu_when_nothing_is_deleted(member: Person) -> None:
    member.ask("echo stay")
    choose(member, "Delete")
    member.page.get_by_role("button", name="Cancel").press("Enter")
    expect(row(member).locator("summary")).to_be_focused()


def test_escape_leaves_the_title_and_not_the_drawer(enter: Enter) -> None:
    person = enter("member", **PHONE).go_to_chat().ask("echo small")
    person.page.locator(".drawer-toggle").tap()
    choose(person, "Rename")
    person.page.get_by_label("New title").press("Escape")
    expect(person.page.get_by_label("New title")).to_have_count(0)
    expect(row(person)).to_be_in_viewport()


def test_the_focus_stays_where_it_was_when_somebody_else_joins(enter: Enter) -> None:
    owner, guest, other = (
        enter("owner").go_to_chat(),
        enter("member").go_to_chat(),
        enter("reviewer").go_to_chat(),
    )
    owner.ask("echo together")
    invite(owner, "Max")
    guest.page.locator(".invitation").get_by_role("button", name="Accept").click()
    hand_over = owner.page.locator(".people-list li", has_text="Max").get_by_role("button", name="Make owner")
    hand_over.wait_for()
    invite(owner, "Rhea")
    hand_over.focus()
    other.page.locator(".invitation").get_by_role("button", name="Accept").click()
    expect(owner.page.locator(".people-list .is-invited")).to_have_count(0)
    expect(hand_over).to_be_focused()
    owner.page.goto("about:blank")


def test_a_dialogue_says_itself_that_the_connection_is_lost(enter: Enter) -> None:
    """What is said under it nobody could read."""
    owner = enter("owner").go_to_chat().ask("echo alone")
    owner.page.locator("#people").click()
    owner.watch.expect("ERR_FAILED")
    owner.page.route("**/invitations", lambda route: route.abort())
    owner.page.locator(".picker-list").get_by_role("button").first.click()
    expect(owner.page.locator(".people-dialog .toast")).to_have_text(
        "There is no connection to the server at the moment."
    )


def test_a_title_that_could_not_be_saved_says_why(member: Person) -> None:
    member.ask("echo kept")
    member.watch.expect("ERR_FAILED")
    member.page.route(
        RENAMING, lambda route: route.abort() if route.request.method == "PATCH" else route.continue_()
    )
    choose(member, "Rename")
    member.page.get_by_label("New title").fill("Lost")
    member.page.get_by_label("New title").press("Enter")
    expect(member.page.locator(".toast")).to_have_text("There is no connection to the server at the moment.")


def test_what_is_typed_before_the_scripts_are_there_stays(enter: Enter) -> None:
    person = enter("member")
    held: list[Route] = []
    person.page.route("**/chat/main.js", lambda route: held.append(route))
    person.page.goto("/t/mall/", wait_until="commit")
    person.composer.fill("written early")
    assert held, "the scripts were there before it was typed"
    held[0].continue_()
    expect(person.page.locator("#composer .go:not(.is-stop)")).to_be_enabled()
    expect(person.composer).to_have_value("written early")


def test_the_fields_have_all_the_height_there_is_with_large_type(enter: Enter) -> None:
    """At 200 % the buttons would cover what is to be corrected, if they stayed in sight."""
    person = enter("member", viewport=ZOOMED).go_to_chat()
    bad = 'call add_to_cart {"quantity": "x"}'
    person.say(f"{bad}\nthen\n{bad}\nthen\n{bad}")
    buttons = person.page.locator(".is-correction .gate-buttons:visible").last
    expect(buttons).to_be_attached()
    person.page.locator(".is-correction .input").first.scroll_into_view_if_needed()
    expect(buttons).not_to_be_in_viewport()
