"""The end of a debate: agreement, open disagreement, what is still to be found out, confidence. Pure.

Only what was said and noted is told, and only turns and notes that exist are cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.demo.debate_notes import bare
from agents.demo.debate_scene import Note, Scene
from agents.demo.debate_stepping import Point, point_of
from agents.demo.debate_words import inner
from agents.demo.script import Scripted

FEW_TURNS = 4
MANY_QUESTIONS = 3
MOST_LINES = 4
OPENINGS = 2
LONGEST_QUOTE = 160
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s)|[。！？]|$)", re.DOTALL)


def play(scene: Scene) -> Scripted:
    """The whole summary."""
    words = scene.words
    sections = {"agree": _agreement, "differ": _differences, "unknown": _unknown}
    frame = "frame_of_passage" if scene.plan.topic.claim else "frame"
    parts = [_verdict(scene), words.say(f"summary.{frame}", turns=len(scene.said), notes=len(scene.notes))]
    for name, told in sections.items():
        if lines := list(told(scene)):
            parts.append("\n".join([words.say(f"summary.{name}"), "", *(f"- {line}" for line in lines)]))
    return Scripted("\n\n".join(filter(None, [*parts, words.say("summary.confidence"), _confidence(scene)])))


def _verdict(scene: Scene) -> str:
    """The answer in a sentence; none when nobody had spoken, or somebody else than this script."""
    verdict = scene.words.say(f"families.{scene.plan.stance}.verdict")
    is_ours = 1 in scene.said and _as_planned(scene, 1) in scene.said[1]
    return scene.words.say("summary.head", verdict=verdict[:1].upper() + verdict[1:]) if is_ours else ""


def _agreement(scene: Scene) -> Iterator[str]:
    facts = [one for one in scene.notes if one.kind == "fact" and not one.struck and one.text != bare(scene)]
    for note in facts[:MOST_LINES]:
        yield scene.words.say(f"summary.{_standing(scene, note)}", **_cited(note))
    assumed = [one for one in scene.notes if one.kind == "assumption"]
    if scene.said and not facts and not any(one.changed for one in assumed):
        yield scene.words.say("summary.little")
    for note in assumed:
        if note.struck:
            yield scene.words.say(
                "summary.dropped", text=inner(note.text), note=f"N{note.n}", turn=f"T{note.changed}"
            )
        elif note.changed:
            yield scene.words.say("summary.narrowed", text=inner(note.text), note=f"N{note.n}")


def _standing(scene: Scene, note: Note) -> str:
    """What came with the question both start from; what one noted later stands when the other took it up."""
    if note.turn <= 1:
        return "given"
    signed = any(f"[N{note.n}]" in text for turn, text in scene.said.items() if turn % 2 != note.turn % 2)
    return "ground" if signed else "unsettled"


def _differences(scene: Scene) -> Iterator[str]:
    if not scene.said:
        yield scene.words.say("summary.nobody")
    yield from list(_disputes(scene))[:MOST_LINES]
    question = next((one for one in scene.notes if one.kind == "question" and not one.struck), None)
    if question and question.turn in scene.said and question.turn % 2 == 0:
        yield scene.words.say("summary.stays", note=f"N{question.n}", **_names(scene))
    for point in _brought_in(scene):
        yield _taken_up(scene, point)


def _disputes(scene: Scene) -> Iterator[str]:
    """Turn by turn, what one leans on and the other holds against it; what a stranger said is quoted."""
    for turn, text in sorted(scene.said.items()):
        kind = scene.plan.attacked(turn // 2) if turn % 2 == 0 else ""
        if _as_planned(scene, turn) not in text:
            yield from [_quoted(scene, turn, text)] if turn <= OPENINGS else []
        elif kind:
            facts = {"kind": _kind(scene, kind), "dispute": scene.words.say(f"disputes.{kind}")}
            yield scene.words.say(
                "summary.dispute", turn=f"T{turn - 1}", other=f"T{turn}", **facts, **_names(scene)
            )
        elif turn == 1 and len(scene.said) == 1:
            kind = _kind(scene, scene.plan.reasons[0].kind)
            yield scene.words.say("summary.alone", kind=kind, turn="T1", **_names(scene))


def _as_planned(scene: Scene, turn: int) -> str:
    """A passage of a turn of this script; another text means that somebody else spoke."""
    path = f"families.{scene.plan.stance}"
    if turn % 2:
        return scene.words.dealt(f"{path}.thesis", 0) if turn == 1 else ""
    kind = scene.plan.attacked(turn // 2)
    return scene.words.say(f"{path}.attacks.{kind}") if kind else ""


def _quoted(scene: Scene, turn: int, text: str) -> str:
    found = _SENTENCE.match(text.strip())
    said = found[0].strip() if found else ""
    name = scene.personas[(turn - 1) % 2]["name"]
    return scene.words.say("summary.held", name=name, text=inner(said[:LONGEST_QUOTE]), turn=f"T{turn}")


def _brought_in(scene: Scene) -> Iterator[Point]:
    points = (point_of(text, scene.language) for text in scene.brought_in)
    return (point for point in points if point)


def _taken_up(scene: Scene, point: Point) -> str:
    """Where what a person brought in stands on the notepad."""
    expected = scene.words.say("stepping.note", point=point.named)
    note = next((one for one in scene.notes if one.text.startswith(expected)), None)
    if note:
        return scene.words.say("summary.person", point=point.named, note=f"N{note.n}")
    return scene.words.say("summary.unanswered", point=point.named)


def _unknown(scene: Scene) -> Iterator[str]:
    """Open questions, then what was merely assumed, then what could be done about it."""
    if not scene.notes:
        yield scene.words.say("summary.no_notes")
    for kind, key in (("question", "question"), ("assumption", "assumed"), ("todo", "todo")):
        notes = [one for one in scene.notes if one.kind == kind and not one.struck]
        notes = [one for one in notes if kind != "assumption" or not one.changed]
        yield from (scene.words.say(f"summary.{key}", **_cited(note)) for note in notes[:MOST_LINES])


def _confidence(scene: Scene) -> str:
    questions = sum(one.kind == "question" and not one.struck for one in scene.notes)
    if len(scene.said) < FEW_TURNS:
        return scene.words.say("summary.low", why=scene.words.say("summary.why_short", turns=len(scene.said)))
    if questions >= MANY_QUESTIONS:
        return scene.words.say("summary.low", why=scene.words.say("summary.why_open", open=questions))
    return scene.words.say("summary.medium", why=scene.words.say("summary.why_close"))


def _kind(scene: Scene, kind: str) -> str:
    return scene.words.say(f"kinds.{kind}")


def _names(scene: Scene) -> dict[str, str]:
    first, second = scene.personas
    return {"cognito": first["name"], "muse": second["name"]}


def _cited(note: Note) -> dict[str, str]:
    return {"text": note.text.rstrip(".。"), "note": f"N{note.n}"}
