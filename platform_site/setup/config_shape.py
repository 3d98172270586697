"""Has a configuration document the shape that protocol.md gives it? Pure.

`config.schema.json` beside this is the shape: which keys there are and of what type. Whether the values make sense
(risks, rules, schemas, handlers) is judged by who owns a section, when it is applied.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import jsonschema_rs
from django.utils.translation import gettext as _
from jsonschema_rs import ValidationErrorKind as Kind

from tools.schema_words import put_into_words
from tools.words import said

SCHEMA: dict[str, Any] = json.loads(Path(__file__).with_name("config.schema.json").read_text())
VALIDATOR = jsonschema_rs.validator_for(SCHEMA)
NAMES = {"people": ("email",), "credentials": ("slug",), "models": ("slug",), "tools": ("name",), "groups": ("slug",),
         "agents": ("slug",), "limits": ("kind", "agent", "model", "user"), "webhooks": ("name",)}  # fmt: skip
"""The keys by which entries of a section are told apart."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a document: where, and what."""

    path: str
    message: str

    def __str__(self) -> str:
        where = self.path or _("the document")
        return f"{where}: {self.message}"


def faults_of(document: object) -> list[Fault]:
    """Everything wrong with the shape; empty when it is right."""
    found = [fault for error in VALIDATOR.iter_errors(document) for fault in _faults(document, error)]
    return found or _doubles(document)


def spelled(document: object, path: Sequence[str | int]) -> str:
    """A path as people read it: `tools[2] (add_to_cart).executor.url`."""
    text, here = "", document
    for step in path:
        here = _inside(here, step)
        if isinstance(step, int):
            name = next(
                (here[key] for key in ("slug", "name", "email") if isinstance(here, dict) and key in here),
                None,
            )
            text += f"[{step}]" + (f" ({name})" if isinstance(name, str) else "")
        else:
            text += f".{step}" if text else step
    return text


def _inside(value: object, step: str | int) -> object:
    try:
        return value[step]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return None


def _faults(document: object, error: jsonschema_rs.ValidationError) -> list[Fault]:
    path = list(error.instance_path)
    match error.kind:
        case Kind.AdditionalProperties(unexpected=keys):
            known = _known_keys(error.schema_path)
            return [Fault(spelled(document, [*path, key]), _unknown(key, known)) for key in keys]
        case Kind.Required(property=key):
            message = _("this is missing")
            path.append(key)
        case Kind.Type(types=types):
            message = _("this must be of type %(types)s") % {"types": ", ".join(types)}
        case Kind.Enum(options=options):
            message = _("this must be one of %(options)s") % {"options": ", ".join(map(str, options))}
        case _:
            message = "; ".join(said(one.message) for one in put_into_words([error]))
    return [Fault(spelled(document, path), message)]


def _unknown(key: str, known: Sequence[str]) -> str:
    near = get_close_matches(key, known, n=1)
    if near:
        return _("unknown key; did you mean “%(near)s”?") % {"near": near[0]}
    return _("unknown key; known are %(known)s") % {"known": ", ".join(known)}


def _known_keys(schema_path: Sequence[str | int]) -> list[str]:
    schema: Any = SCHEMA
    for step in list(schema_path)[:-1]:
        schema = schema[step]
    return list(schema["properties"])


def _doubles(document: Any) -> list[Fault]:
    """Two entries of one name: which of them would count?"""
    found = []
    for section in NAMES:
        seen: set[str] = set()
        for number, entry in enumerate(document.get(section, [])):
            name = name_of(section, entry)
            if name in seen:
                found.append(Fault(spelled(document, [section, number]), _("this stands twice")))
            seen.add(name)
    return found


def name_of(section: str, entry: Mapping[str, Any]) -> str:
    """What an entry is called within its section, as the section itself says when it is applied.

    An agent and a model may have one name, so it is said which is meant. Capitals make no difference in an e-mail
    address; everywhere else they do.
    """
    first, *narrower = NAMES[section]
    name = " ".join([entry[first], *(f"{key} {entry[key].strip()}" for key in narrower if entry.get(key))])
    return name.lower() if section == "people" or entry.get("user") else name
