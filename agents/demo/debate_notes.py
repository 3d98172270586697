"""What a speaker does to the shared notepad in a turn, before they speak: each round another thing. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.debate_words import NOTES
from agents.demo.debate_scene import Note, Scene
from agents.demo.debate_stepping import point_of
from agents.demo.debate_words import at
from agents.demo.script import ScriptedCall, call

LONGEST = 480
"""Characters of a note."""
STOPS = (".", "。", "?", "？", "!", "！", "…")
NARROWED, DROPPED = 0, 1
"""Which of the two opening assumptions is made narrower, and which is refuted."""


def noted(scene: Scene) -> tuple[ScriptedCall, ...]:
    """The calls of this turn; none where no notepad is offered."""
    if NOTES not in scene.offered:
        return ()
    changes = [*_raised(scene), *(_of_cognito(scene) if scene.role == "cognito" else _of_muse(scene))]
    return tuple(call(NOTES, change) for change in changes)


def found_out(scene: Scene, text: str) -> ScriptedCall:
    """A fact that a tool gave."""
    return call(NOTES, _add("fact", text))


def _of_cognito(scene: Scene) -> Iterator[dict[str, Any]]:
    words, examines = scene.words, scene.plan.family == "examine"
    match scene.round:
        case 1:
            yield from (_add("fact", text) for text in _given(scene))
            yield _add("assumption", _assumption(scene, NARROWED, "text"))
            yield _add("assumption", _assumption(scene, DROPPED, "text"))
        case 2:
            if first := scene.note("assumption", scene.me):
                yield {"action": "change", "entry": first.n, "text": _assumption(scene, NARROWED, "narrowed")}
            yield _add("todo", words.dealt(f"todos.{scene.plan.family}", 0))
        case 3:
            yield _add("fact", words.say("facts.measured" if examines else "facts.settled"))
        case 5:
            yield _add("fact", words.say("facts.testable" if examines else "facts.measured"))
        case later if not scene.is_going_over:
            yield _add("todo", words.dealt(f"todos.{scene.plan.family}", later - 3))


def _of_muse(scene: Scene) -> Iterator[dict[str, Any]]:
    pool = f"questions.{scene.plan.family}"
    match scene.round:
        case 1:
            yield _add("question", scene.words.dealt(pool, 0))
        case 2:
            if refuted := scene.note("assumption", _first(scene), -1):
                yield {"action": "strike", "entry": refuted.n}
            yield _add("question", scene.words.dealt(pool, 1))
        case 3:
            if old := _asked_first(scene, pool):
                sharper = scene.words.say("sharpened", old=old.text)
                yield {"action": "change", "entry": old.n, "text": sharper[:LONGEST]}
        case later if not scene.is_going_over:
            yield _add("question", scene.words.dealt(pool, later - 2))


def _asked_first(scene: Scene, pool: str) -> Note | None:
    """The question of the first round, as long as it stands as it was."""
    text = scene.words.dealt(pool, 0)
    return next((one for one in scene.notes if one.text == text and not one.struck), None)


def why_refuted(scene: Scene) -> str:
    """What speaks against the assumption that is struck."""
    return _assumption(scene, DROPPED, "refuted")


def _assumption(scene: Scene, nth: int, form: str) -> str:
    path = f"assumptions.{scene.plan.family}"
    pool = at(scene.language, path)
    return scene.words.filled(pool[scene.words.order(path, len(pool))[nth]][form])


def _given(scene: Scene) -> Iterator[str]:
    """What is certain at the beginning: what was asked, and what came with it."""
    words, topic = scene.words, scene.plan.topic
    if topic.claim:
        yield words.say("facts.passage", count=topic.sentences)
    else:
        yield words.say("facts.number", subject=_subject(scene)) if topic.number else bare(scene)
    if scene.picture:
        yield words.say("facts.picture", picture=scene.picture)
    elif topic.wants_picture:
        yield words.say("facts.no_picture")


def bare(scene: Scene) -> str:
    """The fact that there is nothing but the question."""
    return scene.words.say("facts.bare", subject=_subject(scene))


def _subject(scene: Scene) -> str:
    """A sentence that says what is debated."""
    third = scene.plan.family == "choose" and scene.words.slots["third"]
    told = scene.words.say(f"subjects.{'third' if third else scene.plan.family}")
    return told if told.endswith(STOPS) else told + scene.words.say("forms.stop")


def _raised(scene: Scene) -> Iterator[dict[str, Any]]:
    """What a person brought in, noted by who speaks first after it."""
    stepped = scene.stepped_in
    point = point_of(stepped.text, scene.language) if stepped and not stepped.answered else None
    if point:
        yield _add("question", scene.words.say("stepping.note", point=point.named))


def _first(scene: Scene) -> str:
    return str(scene.personas[0]["slug"])


def _add(kind: str, text: str) -> dict[str, Any]:
    return {"action": "add", "kind": kind, "text": text[:LONGEST]}
