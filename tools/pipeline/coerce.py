"""Values are read as the types their schema wants, where the meaning is beyond doubt, each with a flag (A3). Pure.

Only what the schema refuses is touched, and only where exactly one reading passes:
1. each error names a place; what the value there may be read as follows from what is wanted;
2. all such places are changed at once and looked at again: an item of a list that was text may be text itself;
3. what still does not fit goes back to what was given. What looking costs is bounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from tools import strictjson
from tools.canonical import canonical
from tools.pipeline import flags, readings
from tools.pipeline.places import within
from tools.pipeline.values import Flag
from tools.schema import Judge

MOST_ROUNDS = 4
MOST_ERRORS = 500
MAX_LOOKS = 6_000
"""Values times subschemas meeting at one, over all rounds."""
_ANSWERABLE = (Kind.Type, Kind.Enum, Kind.Constant, Kind.AnyOf, Kind.OneOfNotValid)
"""Errors that say that a value is of the wrong kind, not that something in it is."""
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One value read as another, to answer the errors (`causes`) of a place at or above it."""

    path: Path
    before: Any
    after: Any
    detail: str
    place: Path = ()
    causes: tuple[ValidationError, ...] = ()

    @property
    def stays(self) -> bool:
        """A text that was read as the object it is stays read, whatever is wrong inside."""
        return self.detail == "parsed_json_text" and self.place == self.path


Changes = tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Coerced:
    """The value as far as it could be read, and what is still wrong with it."""

    value: Any
    flags: tuple[Flag, ...]
    errors: tuple[ValidationError, ...]


def coerce(judge: Judge, value: Any) -> Coerced:
    """A value that its schema refuses, read as the schema wants it where that is beyond doubt."""
    work = _Work(judge, value, judge.errors(value), judge.looks(value))
    for _round in range(MOST_ROUNDS):
        if work.looks > MAX_LOOKS or len(work.errors) > MOST_ERRORS:
            break
        changes = [change for group in _by_place(work.errors) for change in _chosen(work, group)]
        if not changes or not work.make(_outermost(changes)):
            break
    return work.settled()


@dataclass(slots=True)
class _Work:
    judge: Judge
    value: Any
    errors: list[ValidationError]
    looks: int
    done: list[Change] = field(default_factory=list)

    def make(self, changes: Sequence[Change]) -> bool:
        """Change these, if it may still be looked at what comes of it."""
        value = _changed(self.value, changes)
        errors = self._errors_of(value)
        if errors is None or strictjson.is_too_deep(value):
            return False
        self.value, self.errors = value, errors
        self.done += changes
        return True

    def passes(self, changes: Changes, place: Path) -> bool:
        """Whether nothing at or below the place is wrong after these changes."""
        if self.looks > MAX_LOOKS:
            return False
        errors = self._errors_of(_changed(self.value, changes))
        return errors is not None and place not in _faulty(errors)

    def _errors_of(self, value: Any) -> list[ValidationError] | None:
        self.looks += self.judge.looks(value)
        return self.judge.errors(value) if self.looks <= MAX_LOOKS else None

    def settled(self) -> Coerced:
        """Without the changes that did not help; what they were to answer is wrong again."""
        faulty = _faulty(self.errors)
        refused = {_path(error) for error in self.errors if isinstance(error.kind, _ANSWERABLE)}
        undone = _outermost([one for one in self.done if one.place in (refused if one.stays else faulty)])
        paths, places = {one.path for one in undone}, {one.place for one in undone}
        kept = [one for one in self.done if not _is_under(one.path, paths)]
        left = [
            error
            for error in self.errors
            if not _is_under(_path(error), paths) and _path(error) not in places
        ]
        causes = {id(error): error for one in undone for error in one.causes}
        back = [replace(one, after=one.before) for one in undone]
        told = (flags.coerced(one.path, one.before, one.after, one.detail) for one in kept)
        return Coerced(_changed(self.value, back), tuple(told), (*causes.values(), *left))


def _by_place(errors: Iterable[ValidationError]) -> list[list[ValidationError]]:
    places: dict[Path, list[ValidationError]] = {}
    for error in errors:
        places.setdefault(_path(error), []).append(error)
    return list(places.values())


def _chosen(work: _Work, errors: Sequence[ValidationError]) -> Iterator[Change]:
    """The changes of the one reading that answers the errors of a place; none if there are several."""
    place = _path(errors[0])
    ways = _different_ways(work, errors)
    if len(ways) > 1:
        ways = [way for way in ways if work.passes(way, place)]
    if len(ways) == 1:
        yield from (replace(change, place=place, causes=tuple(errors)) for change in ways[0])


def _different_ways(work: _Work, errors: Sequence[ValidationError]) -> list[Changes]:
    """The ways to answer the errors of a place that come to different values."""
    place, given = _path(errors[0]), errors[0].instance
    found: dict[str, Changes] = {}
    if _at(work.value, place) != given:
        return []  # the validator's paths leave out the name "" and write "007" as 7
    for way in (way for error in errors for way in _ways(work, error)):
        found.setdefault(_result(given, place, way), way)
    return list(found.values())


def _ways(work: _Work, error: ValidationError) -> Iterator[Changes]:
    """Each way to read what is at the error's place so that this error goes."""
    match error.kind:
        case Kind.Type(types=types):
            node = within(work.judge.schema, error.schema_path[:-1])
            for wanted in types:
                yield from _each(error, readings.as_type(wanted, error.instance, node))
        case Kind.Enum(options=options):
            yield from _each(error, readings.as_option(options, error.instance))
        case Kind.Constant(expected_value=option):
            yield from _each(error, readings.as_option([option], error.instance))
        case Kind.AnyOf(context=branches) | Kind.OneOfNotValid(context=branches):
            for branch in branches:
                yield from _ways_of_branch(work, branch)


def _ways_of_branch(work: _Work, branch: Sequence[ValidationError]) -> Iterator[Changes]:
    """An alternative is meant if each of its errors can be answered in one way."""
    changes: list[Change] = []
    for errors in _by_place(branch):
        ways = _different_ways(work, errors)
        if len(ways) != 1:
            return
        changes += ways[0]
    yield tuple(_outermost(changes))


def _each(error: ValidationError, found: Iterable[readings.Reading]) -> Iterator[Changes]:
    for after, detail in found:
        yield (Change(_path(error), error.instance, after, detail),)


def _result(given: Any, place: Path, changes: Changes) -> str:
    """What stands at the place after these changes, so that two ways to the same value count as one."""
    below = [Change(change.path[len(place) :], None, change.after, "") for change in changes]
    return canonical(_changed(given, below))


def _changed(value: Any, changes: Iterable[Change]) -> Any:
    """A copy with these values in their places; what is not changed is shared."""
    copies: dict[Path, Any] = {}
    for change in changes:
        if not change.path:
            return change.after
        here = value = copies.setdefault((), _shallow(value))
        for depth, step in enumerate(change.path[:-1], start=1):
            at, name = change.path[:depth], _name(here, step)
            if at not in copies:
                here[name] = copies[at] = _shallow(here[name])
            here = here[name]
        here[_name(here, change.path[-1])] = change.after
    return value


def _at(value: Any, path: Path) -> Any:
    """What stands at a path; None if nothing does."""
    for step in path:
        try:
            value = value[_name(value, step)]
        except (LookupError, TypeError):
            return None
    return value


def _name(holder: Any, step: str | int) -> str | int:
    """The validator writes the name "0" as the number."""
    return str(step) if isinstance(holder, dict) else step


def _shallow(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else list(value)


def _outermost(changes: Sequence[Change]) -> list[Change]:
    """Without those inside another; the first of two at one place."""
    found: dict[Path, Change] = {}
    for change in sorted(changes, key=lambda one: len(one.path)):
        if not _is_under(change.path, found):
            found[change.path] = change
    return list(found.values())


def _path(error: ValidationError) -> Path:
    return tuple(error.instance_path)


def _faulty(errors: Iterable[ValidationError]) -> set[Path]:
    """The places at or below which something is wrong."""
    return {path[:depth] for path in map(_path, errors) for depth in range(len(path) + 1)}


def _is_under(path: Path, places: Collection[Path]) -> bool:
    return any(path[:depth] in places for depth in range(len(path) + 1))
