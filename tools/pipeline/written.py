"""Calls that a model wrote into its text instead of making them (A14): JSON, tagged, or in Python's form. Pure.

Only names of offered tools count. What shows, quotes or describes a call is none: prose, inline code, a quotation, a
sample in some language, a tool's description, or anything introduced as an example. A name that is not offered is
told only when nothing but a call looks like it. Time is linear in the text, whatever it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tools.pipeline import written_python, written_shapes, written_tags
from tools.pipeline.written_places import Extents, Fence, fences_of, is_introduced, is_quoted
from tools.pipeline.written_scan import Reader
from tools.pipeline.written_shapes import Said
from tools.pipeline.written_shown import Places
from tools.pipeline.written_tags import Hit

MOST_CALLS = 4
MOST_HITS = 32
"""Candidates that are looked at closely."""
LONGEST = 64 * 1024
"""Characters of an answer; a longer one is no call."""
PARSING = 100
"""What reading Python costs of the budget: about as much as so many signs."""
_OWN = frozenset({"tool_code", "tool_call", "tool_calls", "tool", "function_call"})
_JSON = _OWN | {"", "json", "jsonc", "json5"}
_PYTHON = _OWN | {"", "python", "py"}
_TAGGED = _JSON | {"xml", "html", "text", "plaintext"}
_LINE = re.compile(r"^[ \t]*(?=[{\[]|[A-Za-z_][\w.-]{0,99}\()", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,99}")
_REST_OF_LINE = re.compile(r"[ \t]*;?[ \t]*$", re.MULTILINE)
_CODE = re.compile(
    r"\s*(?:import |from |def |class |return |for |if |while |print\(|[\w.]+ *=[^=]|[#}\])]|//)"
)
_PREFIX = re.compile(r"(?:functions|default_api|tools|api)\.")


@dataclass(frozen=True, slots=True)
class Written:
    """A call found in a text: `raw` are its arguments as they were written, `start` and `end` where it stands."""

    name: str
    raw: str
    style: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """The calls of offered tools, and the names of unmistakable calls of others."""

    calls: tuple[Written, ...] = ()
    unknown: tuple[str, ...] = ()


def find(text: str, known: Collection[str]) -> Found:
    """The calls written in `text`, in order."""
    calls: list[Written] = []
    unknown: list[str] = []
    for hit in _hits(Reader(text)) if len(text) <= LONGEST else ():
        for said in hit.said:
            name = _offered(said.name, known)
            if name:
                calls.append(Written(name, said.raw, hit.style, hit.start, hit.end))
            elif said.sure and said.name not in unknown:
                unknown.append(said.name)
    once: dict[tuple[str, str], Written] = {}
    for call in calls:
        once.setdefault((call.name, call.raw.strip()), call)
    return Found(tuple(once.values())[:MOST_CALLS], tuple(unknown[:MOST_CALLS]))


def _offered(name: str, known: Collection[str]) -> str:
    plain = _PREFIX.sub("", name, count=1)
    return name if name in known else plain if plain in known else ""


def _hits(reader: Reader) -> list[Hit]:
    """Tagged calls first; then what is fenced; then what stands on lines of its own. None inside another."""
    fences = fences_of(reader.text)
    tagged = [hit for hit in written_tags.find(reader) if not _is_shown_tag(reader, hit.start, fences)]
    marked = Extents((hit.start, hit.end) for hit in tagged)
    free = [fence for fence in fences if not marked.meet(fence.start, fence.end)]
    taken = Extents(
        [*((hit.start, hit.end) for hit in tagged), *((fence.start, fence.end) for fence in fences)]
    )
    fenced = [(fence.start, fence.end, hit) for fence in free for hit in _in_fence(reader, fence)]
    found = [*fenced, *((hit.start, hit.end, hit) for hit in [*tagged, *_bare(reader, taken)])]
    first = sorted(found, key=lambda one: (one[0], one[2].start))[:MOST_HITS]
    places = Places.of(reader.text)
    return [hit for start, end, hit in first if not places.is_shown(start, end)]


def _is_shown_tag(reader: Reader, start: int, fences: Sequence[Fence]) -> bool:
    """Whether a tag is inline code, a quotation, a sample in some language, or an example."""
    fence = fences[bisect_right(fences, start, key=lambda one: one.start) - 1] if fences else None
    if fence and fence.inside <= start < fence.inside_end:
        return fence.language not in _TAGGED or is_introduced(reader.text, fence.start)
    return is_quoted(reader.text, start) or is_introduced(reader.text, start)


def _in_fence(reader: Reader, fence: Fence) -> Iterator[Hit]:
    """The calls in a fenced block, if it holds nothing else."""
    found: list[Hit] = []
    at = reader.space(fence.inside)
    while at < fence.inside_end and reader.spend():
        hit = _read(reader, at, fence.language)
        if hit is None or not hit.said or hit.end > fence.inside_end:
            return
        found.append(hit)
        at = reader.space(hit.end)
    if found and not is_introduced(reader.text, fence.start):
        yield from found


def _bare(reader: Reader, taken: Extents) -> Iterator[Hit]:
    """The calls that stand on lines of their own, outside what is taken."""
    behind = 0
    for line in _LINE.finditer(reader.text):
        at = line.end()
        if not reader.spend():
            return
        if at < behind or taken.meet(at, at + 1) or not (hit := _read(reader, at, "")):
            continue
        behind = hit.end
        if (
            hit.said
            and _stands_alone(reader.text, line.start(), hit.end)
            and not is_introduced(reader.text, at)
        ):
            yield hit


def _read(reader: Reader, at: int, language: str) -> Hit | None:
    """The value or the call that begins at `at`, as far as the language allows; None if there is no end to it."""
    if reader.text.startswith(("{", "["), at):
        read = written_shapes.read(reader, at) if language in _JSON else None
        if read and (read[1] or reader.text[at] == "{"):
            return Hit(at, read[0], "json", tuple(read[1]))
    elif not (language in _PYTHON and _NAME.match(reader.text, at)):
        return None
    return _read_python(reader, at, language)


def _read_python(reader: Reader, at: int, language: str) -> Hit | None:
    named = _NAME.match(reader.text, at)
    opening = named.end() if named else at
    bracket = reader.bracket(opening, python=True) if reader.text.startswith(("(", "["), opening) else None
    if bracket is None or language not in _PYTHON or not reader.spend(PARSING + bracket.end - opening):
        return None
    if named and (given := written_python.arguments(reader.text[opening + 1 : bracket.end - 1])) is not None:
        found = [(named.group(), given)]
    else:
        found = written_python.calls(reader.text[at : bracket.end])
    alone = language in _OWN or reader.text.strip() == reader.text[at : bracket.end]
    said = tuple(Said(name, raw, False) for name, raw in found if alone or raw != "{}")
    return Hit(at, bracket.end, "python", said)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Nothing else on its lines, and no code in the lines before and behind."""
    rest = _REST_OF_LINE.match(text, end)
    if not rest:
        return False
    before = text[max(0, start - 200) : max(0, start - 1)].rsplit("\n", 1)[-1]
    behind = text[rest.end() + 1 : rest.end() + 200].split("\n", 1)[0]
    return not _CODE.match(before) and not _CODE.match(behind)
