"""What the two say in a turn: the first argues and gives ground, the second doubts and asks. Pure.

A turn takes two replies: first the notepad and whatever is looked up, silently, then the words, which cite the notes
by the numbers they were given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agents.debate_words import NOTES, NOTHING
from agents.demo import debate_notes
from agents.demo.debate_lookup import finding, looked_up
from agents.demo.debate_plan import WEAKEST
from agents.demo.debate_scene import Scene
from agents.demo.debate_stepping import point_of
from agents.demo.debate_words import inner
from agents.demo.script import Scripted, ScriptedCall, call


def play(scene: Scene) -> Scripted:
    """The next reply of whoever has the turn."""
    if not scene.is_begun and (calls := (*debate_notes.noted(scene), *looked_up(scene))):
        return Scripted("", calls)
    text = "\n\n".join(filter(None, (" ".join(filter(None, part)) for part in _parts(scene))))
    return Scripted(_tidy(text, scene), tuple(_at_the_end(scene)))


def _at_the_end(scene: Scene) -> Iterator[ScriptedCall]:
    found = next((told for one in scene.results if (told := finding(one))), "")
    if found and NOTES in scene.offered:
        name = next(one.name for one in scene.results if finding(one))
        yield debate_notes.found_out(scene, scene.words.say("looked.note", tool=name, finding=found))
    if has_settled(scene) and NOTHING in scene.offered:
        reason = scene.words.dealt(f"reasons_to_end.{scene.role}", 0)
        yield call(NOTHING, {"reason": reason})


def has_settled(scene: Scene) -> bool:
    """Where the two decide themselves: enough was said, and nobody has just stepped in."""
    waits = scene.stepped_in is not None
    return scene.told["mode"] == "ai" and not waits and scene.round >= scene.plan.settles(scene.role)


def _parts(scene: Scene) -> Iterator[Iterable[str]]:
    """Paragraphs, each of sentences."""
    if has_settled(scene) and scene.has_settled_before:
        yield [scene.words.say("settled_again", opponent=scene.told["opponent"])]
        return
    yield _stepping(scene)
    yield (_told_of(scene, one.name, one.status, finding(one)) for one in scene.results)
    opening = scene.round == 1
    if scene.is_going_over and not has_settled(scene):
        yield [_going_over(scene)]
    elif scene.role == "cognito":
        yield from _opening(scene) if opening else _answering(scene)
    else:
        yield from _doubting(scene)
    yield _ending(scene)


def _stepping(scene: Scene) -> Iterator[str]:
    """What a person brought in goes before everything else."""
    stepped = scene.stepped_in
    point = point_of(stepped.text, scene.language) if stepped else None
    if not stepped or not point:
        return
    names = {"point": point.named, "person": stepped.name or scene.words.say("forms.person")}
    if stepped.answered:
        yield scene.words.dealt("stepping.second", scene.round, opponent=scene.told["opponent"], **names)
    else:
        yield scene.words.dealt("stepping.first", scene.turn, **names)
    yield scene.words.say(f"stepping.{scene.role}.{point.kind}")
    raised = next((one for one in scene.notes if one.turn == scene.turn and point.named in one.text), None)
    if raised:
        yield scene.words.say("stepping.noted", note=f"N{raised.n}")


def _told_of(scene: Scene, tool: str, status: str, found: str) -> str:
    key = "waits" if status == "pending_confirmation" else "good" if found else "bad"
    return scene.words.say(f"looked.{key}", tool=tool, finding=found)


def _opening(scene: Scene) -> Iterator[Iterable[str]]:
    plan, words = scene.plan, scene.words
    yield _seen(scene)
    yield [words.say("passage")] if plan.topic.claim else []
    yield [words.dealt(f"families.{plan.stance}.thesis", 0)]
    yield [plan.reason(plan.reasons[0])]
    yield [plan.reason(plan.reasons[WEAKEST])]
    yield [*_citing(scene, "admit.cognito", "assumption"), words.dealt("turning", 0)]


def _seen(scene: Scene) -> Iterator[str]:
    if scene.picture:
        yield scene.words.say("picture.cognito", picture=scene.picture)
    elif scene.plan.topic.wants_picture:
        yield scene.words.say("picture.none")


def _answering(scene: Scene) -> Iterator[Iterable[str]]:
    """Grant what is right, answer, go on with a reason of another kind."""
    plan, words, nth = scene.plan, scene.words, scene.round - 2
    attacked = plan.attacked(scene.round - 1)
    yield [
        words.dealt("granted.cognito", nth, turn=f"T{scene.turn - 1}"),
        words.say(f"answers.{attacked}") if attacked else "",
        words.dealt("held", nth),
    ]
    if scene.round < len(plan.reasons) and not has_settled(scene):
        yield [words.dealt("further", nth), plan.reason(plan.reasons[scene.round])]
    yield _of_the_notepad(scene)
    yield [words.dealt("turning", scene.round - 1)] if scene.is_thorough else []


def _of_the_notepad(scene: Scene) -> Iterator[str]:
    """What the first speaker has just done to it."""
    changed = next(
        (one for one in scene.notes if one.changed and one.kind == "assumption" and not one.struck), None
    )
    if scene.round == 2 and changed:
        yield scene.words.dealt("narrowed", 0, note=f"N{changed.n}", text=changed.text)
    yield from _citing(scene, "planned", "todo")
    if scene.round in (3, 5):
        yield from _citing(scene, "agreed", "fact")


def _doubting(scene: Scene) -> Iterator[Iterable[str]]:
    """Grant what is good, attack the weakest, set something against it, ask what nobody asked."""
    plan, words, nth = scene.plan, scene.words, scene.round - 1
    attacked = plan.attacked(scene.round)
    yield [
        words.dealt("granted.muse" if nth else "granted.muse_first", nth, turn=f"T{scene.turn - 1}"),
        words.say(f"families.{plan.stance}.attacks.{attacked}") if attacked else words.dealt("press", nth),
    ]
    if nth == 0:
        yield _what_else_came(scene)
    if nth < len(plan.counters) and not has_settled(scene):
        yield [words.dealt("counter", nth), plan.reason(plan.counters[nth])]
    yield [*_struck(scene), *_sharper(scene), *_citing(scene, "ask", "question")]
    if scene.is_thorough:
        yield [words.dealt("scene", nth)]


def _going_over(scene: Scene) -> str:
    """What stands open on the notepad, another question and another plan in each turn."""
    questions, plans = scene.open_notes("question"), scene.open_notes("todo")
    forth, back = scene.round, -1 - scene.round
    at_question, at_plan = (forth, back) if scene.role == "cognito" else (back, forth)
    question, plan = questions[at_question % len(questions)], plans[at_plan % len(plans)]
    asked = {"question": f"N{question.n}", "asked": inner(question.text)}
    planned = {"plan": f"N{plan.n}", "planned": inner(plan.text)}
    return scene.words.dealt(f"over.{scene.role}", scene.round, **asked, **planned)


def _what_else_came(scene: Scene) -> Iterator[str]:
    topic, words = scene.plan.topic, scene.words
    if scene.picture:
        yield words.say("picture.muse", picture=scene.picture)
    if topic.number:
        yield words.say("number")
    if words.slots["third"]:
        yield words.say("third")


def _struck(scene: Scene) -> Iterator[str]:
    gone = [one for one in scene.notes if one.struck and one.kind == "assumption"]
    if scene.round == 2 and gone:
        why = debate_notes.why_refuted(scene)
        yield scene.words.dealt("struck", 0, note=f"N{gone[-1].n}", text=inner(gone[-1].text), why=why)


def _sharper(scene: Scene) -> Iterator[str]:
    changed = next(
        (one for one in scene.notes if one.changed and one.kind == "question" and not one.struck), None
    )
    if scene.round == 3 and changed:
        yield scene.words.dealt("sharper", 0, note=f"N{changed.n}")
    fact = scene.note("fact", nth=-1)
    if scene.round in (3, 5) and fact and fact.turn == scene.turn - 1:
        yield scene.words.dealt("signed", scene.round, note=f"N{fact.n}")


def _ending(scene: Scene) -> Iterator[str]:
    if has_settled(scene):
        yield scene.words.dealt(f"settled.{scene.role}", 0)
    elif scene.is_last:
        yield scene.words.dealt(f"closing.{scene.role}", 0)


def _citing(scene: Scene, pool: str, kind: str) -> Iterator[str]:
    """A sentence about a note of this very turn, if there is one."""
    if note := scene.mine_now(kind):
        yield scene.words.dealt(pool, scene.round - 1, note=f"N{note.n}", text=note.text)


def _tidy(text: str, scene: Scene) -> str:
    """What is talked about is named in full once a turn. Chinese takes no space between sentences."""
    change = scene.words.slots["change"]
    begin, named, rest = text.partition(change) if change else ("", "", text)
    text = begin + named + (rest.replace(change, scene.words.say("forms.short")) if named else rest)
    if scene.language == "en":
        return text
    return re.sub(r"(?<=[。！？：”）]) +(?=\S)", "", text)
