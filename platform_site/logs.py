"""Logs: one line an event, JSON or coloured, each with the request, tenant and run it belongs to, never a secret.

`configure` is Django's LOGGING_CONFIG. Everything goes through the standard library, so a line of Django, Daphne or
django-q looks like one of ours. `bound` adds to all lines written inside it.
"""

from __future__ import annotations

import logging
import logging.config
import re
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import AbstractContextManager
from typing import Any

import structlog

from platform_site.scope import acting_tenant

Line = MutableMapping[str, Any]
HIDDEN = "[hidden]"
SECRET_NAMES = re.compile(
    r"authorization|cookie|password|passwd|secret|api_?key|token$|proof|sealed|session_?key", re.I
)
SECRET_TEXT = re.compile(
    r"""(?ix)
    (?P<kept> \b(?:bearer|basic)\s+(?=\S{8})
      | (?<![\w-]) ["']? [\w-]* (?:authorization|password|passwd|secret|api_?key) ["']? \s*[=:]\s* ["']? )
    (?!(?:bearer|basic)\s) [^\s"',;&}\]]+
    | \b (?:slc_|sk-) [\w-]{8,}
    """
)
QUIET = {
    "daphne": "WARNING",
    "django.channels.server": "WARNING",
    "django.request": "ERROR",
    "django.server": "WARNING",
    "django-q": "WARNING",
    "uvicorn": "WARNING",
    "httpx2": "WARNING",
    "httpcore2": "WARNING",
    "asyncio": "WARNING",
}
"""Others' chatter. `django.request` warns of each 404, which the access line already says."""


def bound(**words: str) -> AbstractContextManager[None]:
    """`with bound(run=run.pk):` every line written inside carries these."""
    return structlog.contextvars.bound_contextvars(**words)


WITHOUT_LOCALS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)
"""Tracebacks as data. Local variables stay out of them: they hold passwords, keys and what people wrote."""


def configure(config: Mapping[str, Any]) -> None:
    """Set up logging. `config`: `format` (json, console, auto) and `level`."""
    wanted = config["format"]
    as_json = wanted == "json" or (wanted == "auto" and not sys.stderr.isatty())
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        WITHOUT_LOCALS if as_json else structlog.processors.format_exc_info,
                        hide_secrets,
                        _as_json if as_json else _for_people(),
                    ],
                    "foreign_pre_chain": [structlog.stdlib.ExtraAdder(), *_shared()],
                }
            },
            "handlers": {"err": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["err"], "level": config["level"].upper()},
            "loggers": {name: {"level": level} for name, level in QUIET.items()},
        }
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _for_people() -> structlog.dev.ConsoleRenderer:
    plain = structlog.dev.plain_traceback
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)


def _shared() -> list[Any]:
    return [
        structlog.contextvars.merge_contextvars,
        add_tenant,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


_as_json = structlog.processors.JSONRenderer(ensure_ascii=False, default=str)


def add_tenant(logger: object, method: str, line: Line) -> Line:
    """The tenant acted for, unless the line names one."""
    if tenant := acting_tenant.get():
        line.setdefault("tenant", tenant)
    return line


def hide_secrets(logger: object, method: str, line: Line) -> Line:
    """Mask values under telling names and secrets inside texts, however deep."""
    return {name: _masked(name, value) for name, value in line.items()}


def _masked(name: str, value: Any) -> Any:
    if SECRET_NAMES.search(name) and value not in (None, "", False, True):
        return HIDDEN
    match value:
        case str():
            return SECRET_TEXT.sub(lambda found: (found["kept"] or "") + HIDDEN, value)
        case Mapping():
            return {key: _masked(str(key), inner) for key, inner in value.items()}
        case list() | tuple():
            return [_masked("", inner) for inner in value]
    return value
