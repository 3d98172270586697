"""What people, models and tools write is text, whatever it looks like: nothing of it runs or reaches out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.person import Person

PAYLOADS = (
    "<img src=x onerror=\"window.__xss='img'\">",
    "<script>window.__xss='script'</script>",
    "<svg/onload=window.__xss='svg'>",
    '"><iframe srcdoc="<script>parent.__xss=\'frame\'</script>">',
    "[link](javascript:window.__xss='link') <a href=\"javascript:window.__xss='a'\">a</a>",
    "![x](x \"onerror=window.__xss='title'\") ${window.__xss='template'}",
    "{{constructor.constructor('window.__xss=1')()}}",
    "<style>body{display:none}</style>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=window.__xss='mxss'>",
    "<details open ontoggle=\"window.__xss='toggle'\">",
)
HOSTILE = " ".join(PAYLOADS)
HIDDEN = "16 Elm\u202egnol\u200b Street\U000e0041"


@pytest.fixture(params=["with the policy", "without the policy"])
def member(request: pytest.FixtureRequest, enter: Enter) -> Person:
    """With the Content-Security-Policy in force, and with it off: the page alone must do."""
    return enter("member", bypass_csp=request.param == "without the policy").go_to_chat()


def test_as_markup_they_would_run(enter: Enter) -> None:
    """The control: nothing else keeps these payloads from running."""
    page = enter("member", bypass_csp=True).go_to_chat().page
    page.evaluate(
        "(markup) => document.body.insertAdjacentHTML('beforeend', markup)",
        PAYLOADS[0].replace("src=x", "src='data:,'"),
    )
    page.wait_for_function("() => window.__xss === 'img'")


def test_what_a_person_says_is_text(member: Person) -> None:
    """T69, T72: in the bubble, the title and the list; also after a reload."""
    member.ask(HOSTILE)
    for _ in range(2):
        expect(member.page.locator(".bubble").first).to_have_text(HOSTILE)
        expect(member.page.locator("h1")).to_contain_text(PAYLOADS[0][:20])
        expect(member.page.locator(".list-item.is-current")).to_contain_text(PAYLOADS[0][:20])
        member.ran_nothing()
        member.page.reload()


def test_what_a_model_says_is_text(member: Person) -> None:
    """T69, T70: while it streams and after a reload. HTML shows as it was written; a script address makes no link."""
    member.ask(f"echo {HOSTILE}\n\n```html\n{HOSTILE}\n```")
    for _ in range(2):
        expect(member.answer.locator("pre")).to_contain_text(PAYLOADS[1])
        expect(member.answer).to_contain_text(PAYLOADS[0])
        strange = member.answer.locator(
            "img, script, iframe, style, form, details, [onerror], [onload], [ontoggle]"
        )
        expect(strange).to_have_count(0)
        expect(member.answer.locator("a[href^='javascript']")).to_have_count(0)
        member.ran_nothing()
        member.page.reload()


def test_arguments_of_a_tool_are_text_in_card_and_details(member: Person) -> None:
    """T69: arguments, their errors and results; the second ones fail the tool's schema."""
    calls = ({"keyword": HOSTILE[:100]}, {"keyword": HOSTILE, PAYLOADS[0]: PAYLOADS[1]})
    for at, arguments in enumerate(calls):
        member.ask(f"call search_products {json.dumps(arguments)}")
        card = member.page.locator(".call").nth(at)
        card.locator("summary").click()
        expect(card.locator("pre").first).to_contain_text("<img src=x onerror=")
        member.ran_nothing()
    member.page.reload()
    expect(member.page.locator(".call")).to_have_count(2)
    member.ran_nothing()


def test_a_question_shows_markup_and_hidden_characters(member: Person) -> None:
    """T04, T69: what would be agreed to stands there to the letter; hidden characters are named."""
    arguments = {"address": HIDDEN + PAYLOADS[0] + "\n" * 20 + PAYLOADS[1], "recipient": PAYLOADS[2]}
    member.ask(f"call modify_address {json.dumps(arguments)}")
    shown = member.gate.locator("table.arguments")
    expect(shown).to_contain_text(PAYLOADS[0])
    expect(shown).to_contain_text(PAYLOADS[2])
    for mark in ("RLO", "ZWSP", "U+E0041", "↵ × 20"):
        expect(shown.get_by_text(mark, exact=True)).to_be_visible()
    expect(member.gate.get_by_role("button", name="Approve and run")).to_be_in_viewport()
    member.ran_nothing()


def test_names_of_tools_and_errors_are_text(member: Person) -> None:
    """T22, T69: a tool that is not there, and arguments that are no JSON."""
    member.ask('call no_such_tool {"a": "<img src=x onerror=window.__xss=1>"}')
    member.ask("call search_products {<img src=x onerror=window.__xss=1>")
    expect(member.page.locator(".call")).to_have_count(2)
    for card in member.page.locator(".call").all():
        card.locator("summary").click()
        expect(card).to_contain_text("<img src=x onerror=window.__xss=1>")
    member.ran_nothing()


def test_a_title_is_text(member: Person) -> None:
    """T69, T72."""
    member.ask("echo Name me")
    row = member.page.locator(".list-item.is-current")
    row.locator("summary").click()
    row.get_by_role("button", name="Rename").click()
    title = PAYLOADS[0] + PAYLOADS[1]
    member.page.get_by_label("New title").fill(title)
    member.page.get_by_label("New title").press("Enter")
    for _ in range(2):
        expect(member.page.locator("h1")).to_have_text(title)
        expect(row.locator("a").first).to_have_text(title)
        member.ran_nothing()
        member.page.reload()


class Canary(BaseHTTPRequestHandler):
    """A host that hears of it if the page reaches out."""

    heard: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        self.heard.append((self.path, self.headers.get("Referer")))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(
            b'<!doctype html><link rel="icon" href="data:,">'
        )  # no request for an icon behind our back

    def log_message(self, format: str, *words: object) -> None:
        """Say nothing."""


@pytest.fixture
def canary() -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    heard: list[tuple[str, str | None]] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Heard", (Canary,), {"heard": heard}))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", heard
    server.shutdown()
    server.server_close()


def test_pictures_and_links_of_a_model_ask_nobody(
    member: Person, canary: tuple[str, list[tuple[str, str | None]]]
) -> None:
    """T28: no request is made by showing an answer; a link says where it leads and is opened without a referrer."""
    host, heard = canary
    member.ask(
        f"echo ![shoe]({host}/inline.png) ![shoe][far] <img src='{host}/html.png'> [more]({host}/link) [far][far] "
        f"{host}/bare <{host}/angle> ![x]({host}/a.png?secret=1 'title') [![both]({host}/in.png)]({host}/out)"
        f"\n\n[far]: {host}/far.png"
    )
    member.page.reload()
    expect(member.answer.get_by_text("more", exact=True)).to_be_visible()
    expect(member.answer.locator("img, picture, source, link")).to_have_count(0)
    assert heard == []

    link = member.answer.get_by_role("link", name="more", exact=True)
    expect(member.answer).to_contain_text(f"more ({host.removeprefix('http://')})")
    with member.context.expect_page() as opened:
        link.click()
    opened.value.wait_for_load_state()
    assert opened.value.evaluate("window.opener") is None
    assert heard == [("/link", None)]
