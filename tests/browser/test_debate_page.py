"""Any moment of a debate as the page shows it, played by `debate_stage`: speakers, rounds, notepad, answer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Enter
from tests.browser.debate_stage import CARD, DEBATE, RUN, Stage, custom
from tests.browser.test_hostile_text import HOSTILE, PAYLOADS
from tests.browser.test_reach import PHONE

QUESTION = "Should our town ban cars from its centre, and how would we know whether it worked?"
SUMMARY = """### What both agree on

It gets quieter [N1], and that was measured [T1].

### Open

Whether shops sell more [N2, T2]. Nobody asked [N99] or [T9], and `[N1]` is code.

### Confidence

**Medium.** A year of counting would tell."""


PARTS = ("transcript", "notepad", "debate-head", "debate-settings")


@pytest.fixture
def stage(enter: Enter) -> Stage:
    return Stage(enter("member"))


def held_debate(stage: Stage) -> Page:
    """Two turns and what they noted."""
    page = stage.open()
    stage.asked(QUESTION)
    stage.speaks(1, "It gets **quieter**, as towns that did it have measured.")
    stage.notes_down(1, "Noise falls by **4 dB**").notes_down(1, "Shops sell more")
    stage.speaks(2, "Who chose those towns? See [T1] and [N1].")
    stage.notes_down(2, "Shops may sell more", "assumption", "change", 2)
    stage.notes_down(2, "Noise falls by **4 dB**", "fact", "strike", 1)
    return page


def turn(page: Page, number: int) -> Locator:
    return page.locator(f".entry[data-turn='{number}']").first


def note(page: Page, number: int) -> Locator:
    return page.locator(f".notepad-entry[data-note='{number}']")


def control(page: Page, name: str) -> Locator:
    return page.locator(".debate-controls").get_by_role("button", name=name)


def test_two_speakers_are_told_apart_by_name_face_side_and_colour(stage: Stage) -> None:
    page = held_debate(stage)
    expect(page.get_by_role("heading", name="Cognito", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Muse", exact=True)).to_be_visible()
    expect(turn(page, 1).locator(".speaker-words")).to_contain_text("Makes the case · Turn 1")
    expect(turn(page, 2).locator(".speaker-words")).to_contain_text("Looks for holes · Turn 2")
    left, right = (turn(page, number).locator(".avatar").bounding_box() for number in (1, 2))
    assert left and right and left["x"] < right["x"]
    assert turn(page, 1).locator(".avatar").text_content() != turn(page, 2).locator(".avatar").text_content()
    tints = [
        turn(page, number)
        .locator("article")
        .evaluate("(one) => getComputedStyle(one).backgroundColor + getComputedStyle(one).borderColor")
        for number in (1, 2)
    ]
    assert tints[0] != tints[1]


def test_the_question_stays_in_sight_and_rounds_are_counted(stage: Stage) -> None:
    page = held_debate(stage)
    strip = page.locator("#debate-head")
    expect(strip.locator(".debate-words")).to_have_text(QUESTION)
    expect(strip).to_contain_text("Round 1 of 3")
    expect(page.get_by_role("heading", name="Round 1")).to_have_count(1)
    stage.begins(3)
    expect(strip).to_contain_text("Round 2 of 3")
    expect(strip).to_contain_text("Cognito is thinking")
    expect(turn(page, 3).get_by_role("heading", name="Cognito")).to_be_visible()
    page.locator("#scroll").evaluate("(one) => one.scrollTo(0, 1e6)")
    expect(strip).to_be_in_viewport()
    strip.locator(".debate-question").click()
    expect(strip.locator(".debate-question")).to_have_attribute("aria-expanded", "true")


def test_where_the_personas_decide_the_bound_is_told(stage: Stage) -> None:
    page = stage.open()
    stage.asked(QUESTION, mode="ai")
    stage.begins(1)
    expect(page.locator("#debate-head")).to_contain_text("Round 1, at most 8")


def test_the_notepad_tells_who_noted_what_and_when(stage: Stage) -> None:
    page = held_debate(stage)
    pad = page.locator("#notepad")
    expect(pad.get_by_role("heading", level=3)).to_have_text(["Facts", "Assumptions"])
    expect(note(page, 1).locator("strong")).to_have_text("4 dB")
    expect(note(page, 1).locator("s")).to_contain_text("Noise falls")
    expect(note(page, 1)).to_contain_text("struck by Muse")
    expect(note(page, 2)).to_contain_text("Shops may sell more")
    expect(note(page, 2)).to_contain_text("changed by Muse")
    note(page, 2).get_by_role("link", name="Turn 1").click()
    expect(turn(page, 1)).to_be_focused()
    expect(turn(page, 1)).to_have_class(re.compile("is-flashed"))


def test_what_comes_lights_up_and_what_was_there_does_not(stage: Stage) -> None:
    page = held_debate(stage)
    page.reload()
    expect(note(page, 2)).to_be_visible()
    expect(page.locator(".notepad-entry.is-new")).to_have_count(0)
    stage.notes_down(2, "Count sales", "todo")
    expect(note(page, 3)).to_have_class(re.compile("is-new"))


def test_the_slider_shows_every_version_and_what_changed(stage: Stage) -> None:
    page = held_debate(stage)
    slider = page.get_by_role("slider", name="Version of the notepad")
    expect(slider).to_have_value("4")
    expect(page.locator(".notepad-said")).to_have_text("Version 4 of 4 · Muse struck N1 in turn 2")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".notepad-said")).to_have_text("Version 3 of 4 · Muse changed N2 in turn 2")
    expect(note(page, 2)).to_have_class(re.compile("is-touched"))
    expect(note(page, 2).locator("del")).to_have_text("Shops sell more")
    expect(note(page, 1).locator("s")).to_have_count(0)
    page.get_by_role("button", name="Previous version").click()
    page.keyboard.press("Enter")
    expect(page.locator(".notepad-entry")).to_have_count(1)
    stage.notes_down(2, "Count sales", "todo")
    expect(page.locator(".notepad-said")).to_contain_text("Version 1 of 5")
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".notepad-entry")).to_have_count(3)
    expect(slider).to_have_value("5")


def test_the_answer_is_marked_says_how_sure_it_is_and_its_links_lead_there(stage: Stage) -> None:
    page = held_debate(stage)
    stage.speaks(0, SUMMARY).done()
    answer = page.locator(".is-reply.is-summary")
    expect(page.get_by_role("heading", name="Final answer")).to_be_visible()
    expect(answer.get_by_role("heading", name="What came of it")).to_be_visible()
    expect(answer.locator(".confidence")).to_have_text("Confidence: medium")
    expect(answer.locator(".cite")).to_have_text(["N1", "T1", "N2", "T2"])
    expect(answer).to_contain_text("Nobody asked [N99] or [T9]")
    expect(answer.locator("code")).to_have_text("[N1]")
    expect(page.locator("#debate-head")).to_contain_text("Finished")

    answer.get_by_role("link", name="Turn 1").click()
    expect(turn(page, 1)).to_be_focused()
    page.get_by_role("button", name="Previous version").click()
    answer.get_by_role("link", name="Note 1").click()
    expect(note(page, 1)).to_be_focused()
    expect(note(page, 1)).to_have_class(re.compile("is-flashed"))
    assert page.url.endswith("/t/mall/")


def test_while_it_moves_one_can_pause_summarise_stop_and_step_in(stage: Stage) -> None:
    page = held_debate(stage)
    for name, said in (("Pause", "pause"), ("Summarise now", "summarise")):
        control(page, name).click()
        assert stage.hears("debate.steer")["do"] == said
    stage.changed(steer="pause")
    expect(page.locator("#debate-head")).to_contain_text("Pauses after this turn")
    expect(control(page, "Do not pause")).to_be_visible()
    expect(stage.person.composer).to_have_attribute("placeholder", "Step in: both hear it")
    stage.steps_in("Think of the cost")
    expect(page.locator(".is-step")).to_contain_text("You stepped in")
    expect(page.locator(".is-step .turn-bar button")).to_have_count(1)  # to copy it; it is not said anew

    stage.changed("paused").run_ends()
    expect(page.locator("#debate-head")).to_contain_text("Paused")
    expect(control(page, "Stop")).to_have_count(0)
    control(page, "Resume").click()
    assert stage.hears("debate.steer")["do"] == "resume"


def test_what_can_be_done_is_there_only_while_it_moves(stage: Stage) -> None:
    page = held_debate(stage)
    control(page, "Stop").click()
    assert stage.hears("run.stop")["run"] == RUN
    stage.tell(custom("debate.ended", debate=DEBATE, status="stopped")).run_ends("cancelled")
    expect(page.locator("#debate-head")).to_contain_text("Stopped")
    expect(control(page, "Pause")).to_have_count(0)
    expect(stage.person.stop).to_be_hidden()
    expect(control(page, "Resume")).to_be_visible()


def test_a_turn_that_failed_is_retried_where_it_failed(stage: Stage) -> None:
    page = held_debate(stage)
    stage.ends(stage.begins(3), "", finish="error")
    meta = {"run": RUN, "retryable": True}
    stage.tell({"type": "RUN_ERROR", "code": "overloaded", "message": "", "metadata": meta})
    failed = page.locator(".entry.is-error[data-turn='3']")
    expect(failed.get_by_role("heading", name="Cognito")).to_be_visible()
    expect(failed).to_contain_text("exactly what it was given")
    expect(page.locator("#debate-head")).to_contain_text("Cognito could not speak")
    failed.get_by_role("button", name="Retry").click()
    assert stage.hears("run.retry")["run"] == RUN


def test_a_card_says_which_of_the_two_asks(stage: Stage) -> None:
    page = held_debate(stage)
    message = stage.begins(3)
    stage.ends(message, "I would look the price up.")
    confirmation = {
        "id": "k1", "digest": "0" * 64, "risk": "CONFIRM", "ceremony": "simple", "decideBy": "2099-01-01T00:00:00Z",
        "arguments": {"name": "gold"}, "by": "user", "flags": [],
    }  # fmt: skip
    stage.tell(
        {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "buy", "parentMessageId": message},
        {"type": "TOOL_CALL_END", "toolCallId": "c1"},
        custom("tool_call.checked", toolCallId="c1", name="buy", title={"en": "Buy"}, summary={"en": "Buy gold"},
               risk="CONFIRM", verdict="held", arguments={"name": "gold"}, confirmation=confirmation),
    ).run_ends("interrupt")  # fmt: skip
    expect(page.locator(".gate .asked-by")).to_have_text(re.compile("Cognito asks, in turn 3"))
    expect(page.locator("#debate-head")).to_contain_text("Cognito asks for your decision")


def test_what_is_noted_is_a_quiet_line_in_the_turn(stage: Stage) -> None:
    page = held_debate(stage)
    message = stage.begins(3)
    stage.ends(message, "Noted.")
    stage.notes_down(3, "Count sales", "todo")
    told: dict[str, Any] = {"status": "succeeded", "result": {"entry": "N3", "done": "added"}}
    arguments = {"action": "add", "kind": "todo", "text": "Count sales"}
    stage.tell(
        {"type": "TOOL_CALL_START", "toolCallId": "n1", "toolCallName": "notepad_update", "parentMessageId": message},
        {"type": "TOOL_CALL_END", "toolCallId": "n1"},
        custom("tool_call.checked", toolCallId="n1", name="notepad_update", verdict="cleared", arguments=arguments),
        {"type": "TOOL_CALL_RESULT", "toolCallId": "n1", "messageId": "t1", "content": "{}", "metadata": told},
    )  # fmt: skip
    line = page.locator(".note-line")
    expect(line).to_have_text("Noted downN3To doCount sales")
    expect(page.locator(".call:visible")).to_have_count(0)
    line.get_by_role("link", name="N3").click()
    expect(note(page, 3)).to_be_focused()


def test_the_next_debate_is_set_up_beforehand_and_the_choice_is_kept(stage: Stage) -> None:
    page = stage.open()
    expect(page.locator(".faceoff")).to_contain_text("Cognito")
    opener = page.locator(".debate-settings-open")
    expect(opener).to_have_text("This debate: 3 rounds")
    opener.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("A change takes effect at the next debate")
    dialog.get_by_label("Until both have nothing to add").check()
    dialog.get_by_label("At most").fill("5")
    dialog.get_by_label("Budget").select_option("premium")
    dialog.get_by_label("Model of Muse").select_option("demo-fast")
    dialog.get_by_role("button", name="Done").click()
    page.reload()
    expect(opener).to_contain_text("at most 5 rounds · Premium · Muse: demo-fast")
    stage.person.composer.fill(QUESTION)
    stage.person.composer.press("Enter")
    expect(stage.person.composer).to_have_value("")
    chosen = {"mode": "ai", "rounds": 5, "budget": "premium", "models": {"muse": "demo-fast"}}
    assert stage.hears("message.send")["options"] == chosen
    stage.asked(QUESTION)
    expect(opener).to_contain_text("The next debate:")


@pytest.mark.parametrize("policy", ["with the policy", "without the policy"])
def test_hostile_words_run_nothing(enter: Enter, policy: str) -> None:
    """T28, T69, T70: question, names, avatars, colours, models, notes, turns and answer are text."""
    personas = [
        {
            "slug": slug,
            "name": HOSTILE,
            "avatar": PAYLOADS[0],
            "colour": f"teal {PAYLOADS[3]}",
            "model": HOSTILE,
        }
        for slug in ("cognito", "muse")
    ]
    card = {
        **CARD,
        "debate": {**CARD["debate"], "personas": [{**one, "models": [HOSTILE, "b"]} for one in personas]},
    }
    person = enter("member", bypass_csp=policy == "without the policy")
    stage = Stage(person, card)
    page = stage.open()
    page.locator(".debate-settings-open").click()
    page.keyboard.press("Escape")
    stage.asked(HOSTILE)
    stage.speaks(1, f"{HOSTILE} ![canary](https://canary.invalid/a.png) [T1]")
    stage.notes_down(1, f"{HOSTILE} ![canary](https://canary.invalid/b.png)").notes_down(
        1, HOSTILE, HOSTILE, "change", 1
    )
    stage.speaks(2, HOSTILE).steps_in(HOSTILE).speaks(0, f"Confidence: high {HOSTILE} [N1]").done()
    for _ in range(2):
        expect(page.locator(".debate-words")).to_have_text(HOSTILE.strip())
        expect(page.locator(".notepad-entry")).to_contain_text("<img src=x onerror=")
        expect(page.get_by_role("heading", name=PAYLOADS[1]).first).to_be_visible()
        strange = ", ".join(f"#{part} :is(img, iframe, script, [onerror])" for part in PARTS)
        expect(page.locator(strange)).to_have_count(0)
        page.get_by_role("button", name="Previous version").click()
        person.ran_nothing()
        page.reload()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_stands_out(enter: Enter, scheme: str) -> None:
    """WCAG AA, in every state of a debate."""
    stage = Stage(enter("member", color_scheme=scheme))
    page = stage.open()
    assert stage.person.measure("pale") == []
    page.locator(".debate-settings-open").click()
    assert stage.person.measure("pale") == []
    page.keyboard.press("Escape")
    held_debate(stage)
    stage.changed(steer="pause").steps_in("And the cost?")
    page.get_by_role("button", name="Previous version").click()
    assert stage.person.measure("pale") == []
    stage.speaks(0, SUMMARY).done()
    expect(page.locator(".is-reply.is-summary")).to_be_visible()
    assert stage.person.measure("pale") == []


def test_on_a_phone_the_notepad_lies_below_and_opens(enter: Enter) -> None:
    stage = Stage(enter("member", **PHONE))
    page = stage.open()
    assert stage.person.measure("tooWide") == []
    held_debate(stage)
    stage.notes_down(2, "wide" * 120, "todo")
    stage.speaks(0, SUMMARY).done()
    body = page.locator("#notepad-body")
    expect(body).to_be_hidden()
    assert stage.person.measure("tooWide") == []
    page.get_by_role("button", name="Notepad").click()
    expect(body).to_be_visible()
    talk, pad = page.locator("#scroll").bounding_box(), page.locator("#notepad").bounding_box()
    assert talk and pad and talk["y"] + talk["height"] <= pad["y"] + 1
    assert stage.person.measure("tooWide") == []
    page.get_by_role("button", name="Notepad").click()
    page.locator(".is-summary .cite", has_text="N2").click()
    expect(note(page, 2)).to_be_in_viewport()


def test_nothing_moves_for_who_asked_for_less_motion(enter: Enter) -> None:
    stage = Stage(enter("member", reduced_motion="reduce"))
    held_debate(stage)
    stage.begins(3)
    expect(turn(stage.person.page, 3)).to_be_visible()
    assert stage.person.measure("moving") == []
