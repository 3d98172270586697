"""Branches: what was said earlier is said differently, a reply is written anew; what stood there stays."""

from __future__ import annotations

from typing import Any

import pytest

from conversations import actions, branches, tree
from conversations.branches import Rewording
from conversations.models import Message, Run
from platform_site.errors import Problem
from tests.conversations.conftest import HAPPENED, PASSWORD, Talk
from tests.conversations.folding import check_folds
from tools.models import ToolCall


def shown(talk: Talk) -> list[str]:
    """The texts of the branch that is shown; a reply without text by the names of its calls."""
    rows = Message.objects.in_bulk(tree.shown_path(talk.conversation.pk))
    return [_text(rows[pk]) for pk in tree.shown_path(talk.conversation.pk)]


def _text(message: Message) -> str:
    texts = [part["text"] for part in message.parts if part["kind"] == "text"]
    return "".join(texts).strip() or ",".join(
        part["name"] for part in message.parts if part["kind"] == "tool_call"
    )


def said(text: str) -> Message:
    """The newest message with this text."""
    found = [row for row in Message.objects.order_by("position") if _text(row) == text]
    return found[-1]


def edit(talk: Talk, old: str, new: str, **more: Any) -> Run:
    posted = branches.edit_message(talk.actor, talk.conversation.pk, said(old).pk, Rewording(new, **more))
    return Run.objects.get(pk=posted.run)


def anew(talk: Talk, reply: str, key: str = "") -> Run:
    return branches.regenerate(talk.actor, talk.conversation.pk, said(reply).pk, key)


def go_to(talk: Talk, text: str) -> str:
    return branches.switch(talk.actor, talk.conversation.pk, said(text).pk)


def what_the_model_read(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text of the next requests, in order."""
    from agents.providers.demo import DemoProvider

    read: list[str] = []
    stream = DemoProvider.stream

    def noting(self: DemoProvider, request: Any, model: Any) -> Any:
        read.append(" | ".join(str(part) for message in request.messages for part in message.parts))
        return stream(self, request, model)

    monkeypatch.setattr(DemoProvider, "stream", noting)
    return read


def test_an_edited_message_begins_a_branch_and_the_old_one_stays(talk: Talk) -> None:
    talk.turn("echo one")
    talk.turn("echo two")
    run = talk.move(edit(talk, "echo two", "echo three"))
    assert run.outcome == "success"
    assert shown(talk) == ["echo one", "one", "echo three", "three"]
    assert said("two").parent_id == said("echo two").pk
    check_folds(talk.conversation.pk)


def test_the_model_reads_only_the_branch_that_is_shown(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    talk.turn("echo apples")
    run = edit(talk, "echo apples", "echo pears")
    read = what_the_model_read(talk, monkeypatch)
    talk.move(run)
    assert "pears" in read[0]
    assert "apples" not in read[0]


def test_the_first_message_can_be_edited_too(talk: Talk) -> None:
    talk.turn("echo one")
    talk.turn("echo two")
    talk.move(edit(talk, "echo one", "echo zero"))
    assert shown(talk) == ["echo zero", "zero"]
    assert said("echo zero").parent_id is None
    check_folds(talk.conversation.pk)


def test_a_reply_is_written_anew_beside_the_old_one(talk: Talk) -> None:
    talk.turn("echo one")
    old = said("one")
    run = talk.move(anew(talk, "one"))
    assert (run.cause, run.outcome) == ("regenerate", "success")
    assert shown(talk) == ["echo one", "one"]
    assert said("one").pk != old.pk
    assert said("one").parent_id == old.parent_id
    check_folds(talk.conversation.pk)


def test_calls_before_a_reply_written_anew_are_not_made_again(talk: Talk) -> None:
    talk.turn('call look {"item": "hat"}')
    final = Message.objects.get(pk=tree.shown_path(talk.conversation.pk)[-1])
    talk.move(branches.regenerate(talk.actor, talk.conversation.pk, final.pk))
    assert HAPPENED == [("look", "hat")]
    assert len(shown(talk)) == 3


def test_one_can_go_back_and_forth_between_branches(talk: Talk) -> None:
    """The branch goes on where it went on last, and what is said next is said there."""
    talk.turn("echo one")
    talk.turn("echo two")
    talk.move(edit(talk, "echo one", "echo zero"))
    assert go_to(talk, "echo one") == said("two").pk
    assert shown(talk) == ["echo one", "one", "echo two", "two"]
    talk.turn("echo three")
    assert shown(talk)[-3:] == ["two", "echo three", "three"]
    go_to(talk, "zero")
    assert shown(talk) == ["echo zero", "zero"]
    check_folds(talk.conversation.pk)


def test_going_to_what_is_shown_already_changes_nothing(talk: Talk) -> None:
    talk.turn("echo one")
    before = len(talk.log())
    assert go_to(talk, "echo one") == said("one").pk
    assert len(talk.log()) == before


@pytest.mark.parametrize("verb", [
    lambda talk: edit(talk, "echo one", "echo two"), lambda talk: anew(talk, "one"),
    lambda talk: go_to(talk, "echo one"),
])  # fmt: skip
def test_nothing_branches_while_the_agent_works(talk: Talk, verb: Any) -> None:
    talk.turn("echo one")
    talk.say("echo next")
    with pytest.raises(Problem, match="still working") as refused:
        verb(talk)
    assert refused.value.status == 409
    talk.move()
    verb(talk)


def test_the_same_edit_sent_twice_is_one(talk: Talk) -> None:
    talk.turn("echo one")
    first, again = (edit(talk, "echo one", "echo two", key="k") for _ in range(2))
    assert first.pk == again.pk
    talk.move()
    assert anew(talk, "two", key="r").pk == anew(talk, "two", key="r").pk
    assert Run.objects.filter(status="queued").count() == 1


def test_only_own_messages_are_edited_and_only_replies_written_anew(talk: Talk) -> None:
    talk.turn("echo one")
    for verb in (lambda: edit(talk, "one", "x"), lambda: anew(talk, "echo one")):
        with pytest.raises(Problem) as refused:
            verb()
        assert refused.value.status == 409


def test_a_message_of_another_conversation_is_not_there(talk: Talk) -> None:
    """T32."""
    talk.turn("echo one")
    other = actions.create_conversation(talk.actor, "helper")
    with pytest.raises(Problem) as refused:
        branches.switch(talk.actor, other.pk, said("one").pk)
    assert refused.value.status == 404


def test_a_question_of_the_branch_one_leaves_is_taken_back(talk: Talk) -> None:
    talk.turn("echo one")
    talk.move(edit(talk, "echo one", 'call buy {"item": "hat"}'))
    assert talk.statuses() == ["held"]
    go_to(talk, "echo one")
    assert talk.statuses() == ["withdrawn"]
    assert HAPPENED == []


def test_an_edit_takes_back_what_a_reviewer_was_asked_below_it(talk: Talk) -> None:
    """Whoever says differently what led to a call does not want that call any more; a look elsewhere leaves it."""
    talk.turn("echo before")
    talk.turn('call wipe {"item": "disk"}')
    talk.decide(proof={"password": PASSWORD})
    assert talk.statuses() == ["held"]
    talk.move(anew(talk, "before"))
    assert talk.statuses() == ["withdrawn"]
    assert HAPPENED == []


def test_a_look_at_another_branch_leaves_a_reviewers_question_alone(talk: Talk) -> None:
    talk.turn("echo one")
    talk.move(edit(talk, "echo one", 'call wipe {"item": "disk"}'))
    talk.decide(proof={"password": PASSWORD})
    go_to(talk, "echo one")
    assert talk.statuses() == ["held"]


def test_what_was_done_in_another_branch_is_told_to_the_model(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The world has changed, whichever branch is shown; reading changed nothing and is not told."""
    talk.turn('call look {"item": "cap"}')
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    talk.move()
    run = edit(talk, 'call look {"item": "cap"}', "echo hello")
    read = what_the_model_read(talk, monkeypatch)
    talk.move(run)
    assert (
        'In another branch of this conversation these actions were carried out: buy {"item": "hat"}'
        in read[0]
    )
    assert "look" not in read[0]
    assert shown(talk) == ["echo hello", "hello"]


def test_the_branch_in_which_it_was_done_reads_its_result_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    talk.move()
    read = what_the_model_read(talk, monkeypatch)
    talk.turn("echo on")
    assert "In another branch" not in read[0]


def test_a_no_holds_in_every_branch(talk: Talk) -> None:
    talk.turn('call wipe {"item": "disk"}')
    talk.decide("reject")
    talk.move()
    first = Message.objects.filter(role="assistant").order_by("position")[0]
    talk.move(branches.regenerate(talk.actor, talk.conversation.pk, first.pk))
    assert talk.statuses() == ["denied", "refused"]


def test_a_branch_makes_outside_text_no_less_outside(talk: Talk) -> None:
    """T29, rule 7: what was read in one branch counts in all; a SAFE write asks, as it would have there."""
    from tools.catalogue import save_tool
    from tools.registry import find

    handler = find("tests.look")
    assert handler
    save_tool(handler.definition() | {"untrusted": True}, None)
    crash = find("tests.crash")
    assert crash
    talk.turn('call look {"item": "page"}')
    run = talk.move(edit(talk, 'call look {"item": "page"}', 'call crash {"item": "x"}'))
    assert run.outcome == "interrupt"
    assert ToolCall.objects.get(name="crash").status == "held"


def test_without_outside_text_the_same_call_runs(talk: Talk) -> None:
    talk.turn('call look {"item": "page"}')
    talk.move(edit(talk, 'call look {"item": "page"}', 'call crash {"item": "x"}'))
    assert ToolCall.objects.get(name="crash").status == "unknown"


def test_what_was_said_while_the_agent_worked_follows_its_answer(talk: Talk) -> None:
    first, second = talk.say("echo one"), talk.say("echo two")
    check_folds(talk.conversation.pk)
    talk.move(first)
    talk.move(second)
    assert shown(talk) == ["echo one", "one", "echo two", "two"]
    check_folds(talk.conversation.pk)


def test_what_was_taken_back_before_its_turn_has_its_place_all_the_same(talk: Talk) -> None:
    first, second = talk.say("echo one"), talk.say("echo two")
    actions.stop_run(talk.actor, second.pk)
    talk.move(first)
    check_folds(talk.conversation.pk)
    talk.turn("echo three")
    assert shown(talk) == ["echo one", "one", "echo two", "echo three", "three"]
    check_folds(talk.conversation.pk)
