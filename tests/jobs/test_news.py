"""What is stored of a job's progress: what is new, and the whole picture now and then."""

from __future__ import annotations

import json
from typing import Any

from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from platform_site.tenancy import acting_for
from tests.conversations.conftest import Talk
from tests.jobs.conftest import Stage, activities, ask, job_of, patched, text_of, work
from tools.jobs import sweeping
from tools.jobs.beginning import LEASE, begin
from tools.jobs.progress import LONGEST_OUTPUT, Kept, Progress, added, news
from tools.jobs.pulse import Pulse
from tools.models import ToolCall

LINE = "copper: 250 daily bars read, compared with the year before, nothing out of the ordinary"


def reporting(call: ToolCall, reports: int) -> Kept:
    """A worker begins the call, says lines and tells of its progress; no time passes."""
    begun = begin(call.pk, "worker")
    assert begun
    kept = Kept()
    pulse = Pulse(begun, kept, lambda: None)
    with acting_for(call.tenant_id or ""):
        for nth in range(reports):
            kept.report(nth * 100 / reports, f"step {nth}")
            for line in range(3):
                kept.say(f"{nth}.{line} {LINE}")
            pulse._write(kept.now)
    return kept


def test_folded_it_is_what_was_reported_at_every_step(jobs: Talk, stage: Stage) -> None:
    call = ask(jobs, "build")
    kept = reporting(call, 100)
    shown = activities(jobs, call)[2:]
    assert [one["words"] for one in shown] == [f"step {nth}" for nth in range(100)]
    assert text_of(shown[-1]).endswith(kept.now.output)
    assert all(text_of(one).splitlines()[-1].startswith(f"{nth}.2 ") for nth, one in enumerate(shown))
    assert job_of(call).output == kept.now.output, "the row has the end of it"


def test_little_more_is_stored_than_was_said(jobs: Talk, stage: Stage) -> None:
    call = ask(jobs, "build")
    reporting(call, 200)
    told = [event for event in jobs.log() if event["type"].startswith("ACTIVITY_")]
    size, said = len(json.dumps(told)), 200 * 3 * len(LINE)
    assert size < 4 * said, "each report stored whole is sixteen times that"
    assert size < 200 * LONGEST_OUTPUT / 4


def test_a_second_attempt_begins_with_a_whole_picture(jobs: Talk, stage: Stage) -> None:
    """The first one's output stands in the row."""
    call = ask(jobs, "file_away")
    reporting(call, 2)
    sweeping.look_after(timezone.now() + 2 * LEASE)
    kept = reporting(call, 2)
    assert text_of(activities(jobs, call)[-1]) == kept.now.output


def test_the_end_is_a_whole_picture(jobs: Talk, stage: Stage) -> None:
    stage.on_the_way = lambda context: context.say("one")
    call = work(ask(jobs, "build"))
    assert activities(jobs, call)[-1] == {
        "status": "succeeded", "percent": None, "words": "", "output": "one", "said": [],
    }  # fmt: skip


LINES = st.lists(
    st.sampled_from(["a", "b", "a longer line", "one\rline", "", "x" * 900, "y" * 5_000]), max_size=40
)


@given(LINES, LINES)
def test_what_is_added_completes_what_was_there(first: list[str], then: list[str]) -> None:
    kept = Kept()
    for line in first:
        kept.say(line)
    before = kept.now
    for line in then:
        kept.say(line)
    new = news(before, kept.now)
    if new is None:
        return
    picture: dict[str, Any] = {"percent": None, "words": "", "output": before.output, "said": []}
    assert text_of(patched(picture, new)).endswith(kept.now.output)


def test_where_nothing_is_left_of_it_there_is_no_saying_what_is_new() -> None:
    assert added("one\ntwo", "five\nsix") is None
    assert added("one\ntwo", "two\nthree") == ["three"]
    assert added("", "one") == ["one"]
    assert added("one", "one\n") == [""]
    assert news(Progress(words="a"), Progress(words="a")) == []
