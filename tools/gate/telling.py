"""How the gate tells: events for people, texts for models, and the digest of what is told.

People read in their own language, models in English; nothing here decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import translation

from platform_site import bell, ledger, wire
from platform_site.models import User
from tools import policy
from tools.canonical import digest
from tools.gate import granting
from tools.models import Confirmation, ConfirmationStatus, ToolCall
from tools.schema_words import Text
from tools.spec import ToolSpec
from tools.urls import plain
from tools.words import said

NOT_RUN = "This call was not carried out. Nothing was changed."
LANGUAGES = ("en", "zh-hans")
LONGEST_SHOWN = 200
_PART = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


@contextmanager
def words_for(user: User | None) -> Iterator[None]:
    """Lazy texts made plain inside are in this person's language."""
    with translation.override(_locale(user)):
        yield


def _locale(user: User | None) -> str:
    return (user.locale if user else "") or settings.LANGUAGE_CODE


def in_english(text: Text) -> str:
    """A text for a model."""
    with translation.override("en"):
        return said(text)


def for_person(user: User | None, text: Text) -> str:
    """A text for a person."""
    with words_for(user):
        return said(text)


def digest_of(call: ToolCall, preview: Any = None) -> str:
    """What a person approves, and what is carried out: nothing else has this digest (rule 8)."""
    told = {
        "arguments": call.arguments, "version": call.version_id, "tenant": call.tenant_id, "call": call.pk,
        "preview": preview,
    }  # fmt: skip
    return digest(told)


def tell_proposal(
    log: ledger.Log,
    call: ToolCall,
    spec: ToolSpec | None,
    question: Confirmation | None,
    errors: list[dict[str, Any]],
    form: dict[str, Any] | None = None,
) -> None:
    """START, ARGS, END and `tool_call.checked`; `errors` in the person's language."""
    log.tell(
        wire.call_start(call.pk, call.name, parent=call.message),
        wire.call_args(call.pk, call.raw),
        wire.call_end(call.pk),
    )
    tell_checked(log, call, spec, question, errors, form)


def tell_checked(
    log: ledger.Log,
    call: ToolCall,
    spec: ToolSpec | None,
    question: Confirmation | None,
    errors: list[dict[str, Any]],
    form: dict[str, Any] | None = None,
) -> None:
    """`tool_call.checked`: what was made of the arguments. A second one, after a correction, replaces the first."""
    checked = {
        "toolCallId": call.pk,
        "name": call.name,
        "requester": {"id": call.requester.pk, "name": str(call.requester)} if call.requester else None,
        "title": labels(spec, "title", call.arguments),
        "summary": labels(spec, "summary", call.arguments),
        "domain": spec.domain if spec else "",
        "risk": call.risk,
        "verdict": call.status,
        "reasons": [],
        "flags": call.flags,
        "arguments": call.arguments,
        "errors": errors,
        "confirmation": confirmation_json(question, call) if question else None,
        "correction": form,
    }
    if call.reasons:
        checked |= {"reasons": call.why_in(_locale(call.requester)), "reasonsIn": call.reasons}
    log.tell(wire.custom("tool_call.checked", checked))
    if question and policy.needs_reviewer(question.by):
        wake_reviewers(call)


def tell_result(log: ledger.Log, call: ToolCall) -> None:
    """TOOL_CALL_RESULT, from what is stored."""
    stored: Mapping[str, Any] = call.result or {}
    metadata: dict[str, Any] = {
        "status": call.status,
        "ui": stored.get("ui", []),
        "durationMs": _duration(call),
    }
    metadata |= {"result": stored["display"]} if stored.get("display") is not None else {}
    metadata |= {name: stored[name] for name in ("error", "flags", "warnings") if stored.get(name)}
    log.tell(wire.call_result(call.pk, stored.get("content", ""), metadata=metadata))


def tell_status(log: ledger.Log, call: ToolCall, status: str, by: User | None = None, **more: Any) -> None:
    """A held call's move, for the pages that show it."""
    who = {"by": {"id": by.pk, "name": str(by)}} if by else {}
    told = {
        name: iso(value) if isinstance(value, datetime) else value for name, value in more.items() if value
    }
    log.tell(wire.custom("tool_call.status", {"toolCallId": call.pk, "status": status, **who, **told}))
    wake_reviewers(call)


def wake_reviewers(call: ToolCall) -> None:
    """After the commit the pages of reviewers look again: something waits for them, or does so no longer."""
    notice = bell.Notice(
        call.tenant_id or "", "", "review", {"call": call.pk, "tool": call.name, "risk": call.risk}
    )
    transaction.on_commit(lambda: bell.notify(notice))


def confirmation_json(confirmation: Confirmation, call: ToolCall) -> dict[str, Any]:
    """The question as pages and AG-UI clients get it. `needsReviewer`: a reviewer has to agree (as well)."""
    has_password = call.requester.has_usable_password() if call.requester else False
    return {
        "id": confirmation.pk,
        "digest": confirmation.digest,
        "risk": call.risk,
        "ceremony": policy.ceremony(confirmation.proof, has_password=has_password),
        "by": confirmation.by,
        "decideBy": iso(confirmation.decide_by),
        "arguments": call.arguments,
        "flags": call.flags,
        "preview": confirmation.preview,
        "previewBefore": confirmation.preview_before,
        "proposedArguments": call.proposed_arguments,
        "needsReviewer": policy.needs_reviewer(confirmation.by),
        "canGrant": granting.can_grant(confirmation),
    }


def pending_answer(call: ToolCall) -> str:
    """What the model is told of a call that waits for people while the conversation goes on."""
    confirmation: Confirmation = call.confirmation
    waits_for_user = "user" in confirmation.by and not confirmation.user_approved
    pending = confirmation.status == ConfirmationStatus.PENDING
    message = "Waiting for the person to confirm." if waits_for_user else "Waiting for a reviewer to approve."
    return as_answer(
        "PENDING_CONFIRMATION" if pending else call.status.upper(),
        confirm_type=policy.ceremony(confirmation.proof) if waits_for_user else "review",
        message=f"{message} Nothing has been done yet. Do not call it again; the outcome will follow.",
    )


def working_answer(call: ToolCall) -> str:
    """What the model is told of a call that a queue worker carries out while the conversation goes on."""
    message = "It is being carried out in the background, and the conversation goes on meanwhile. Say so, and do not"
    message += " call it again: the outcome will be told here by itself."
    return as_answer("WORKING", ticket=call.pk, message=message)


def as_answer(status: str, **more: Any) -> str:
    """A short JSON answer for a model."""
    return wire.as_text({"status": status, **more})


def labels(spec: ToolSpec | None, what: str, arguments: Mapping[str, Any] | None) -> dict[str, str]:
    """A tool's title or summary in each language; arguments fill the summary as plain text.

    What needs arguments is left out where there are none.
    """
    given = spec.labels if spec else {}
    texts = {language: given.get(language, {}).get(what, "") for language in LANGUAGES}
    told = {language: _filled(text, arguments) for language, text in texts.items()}
    return {language: text for language, text in told.items() if text}


def _filled(text: str, arguments: Mapping[str, Any] | None) -> str:
    if arguments is None:
        return "" if _PART.search(text) else text
    return _PART.sub(lambda match: _shown(arguments.get(match[1])), text)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_shown(item) for item in value[:10])
    text = "" if value is None else plain(value)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def in_each_language(texts: Iterable[Text]) -> list[dict[str, str]]:
    """Texts as they are kept for whoever reads them later: `ToolCall.why` picks the reader's."""
    told = list(texts)
    by_language = {}
    for language in LANGUAGES:
        with translation.override(language):
            by_language[language] = [said(text) for text in told]
    return [dict(zip(by_language, texts, strict=True)) for texts in zip(*by_language.values(), strict=True)]


def _duration(call: ToolCall) -> int:
    if not (call.claimed_at and call.settled_at):
        return 0
    return round((call.settled_at - call.claimed_at).total_seconds() * 1000)


def iso(moment: datetime) -> str:
    """A moment as it goes over the wire: UTC, milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
