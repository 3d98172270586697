"""URL templates of HTTP tools: `https://host/products/{product_id}?lang={lang}`. Pure.

Arguments can fill parts of the path and the query, never the scheme, the host or the port; what is filled in is
encoded, and can neither climb out of its place (`..`) nor leave it empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tools.canonical import canonical
from tools.schema_words import Text

_PART = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_DOTS = re.compile(r"(?:\.|%2e){1,2}", re.IGNORECASE)
_PLAIN = re.compile(r"[!-~]+")


class BadPart(ValueError):
    """An argument that cannot stand in the URL. `name` is the argument's."""

    def __init__(self, name: str, message: Text) -> None:
        super().__init__(message)
        self.name = name
        self.message = message


def named_in(template: str) -> set[str]:
    """The arguments that go into the URL."""
    return set(_PART.findall(template))


def origin_of(url: str) -> str:
    """`https://host:port`, the port left out where it is the usual one."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port not in (None, usual) else "")


def filled(template: str, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The URL, and the arguments that are not in it. Raises `BadPart`."""
    url = _PART.sub(lambda match: _encoded(match[1], arguments.get(match[1])), template)
    path = urlsplit(url).path
    if any(_DOTS.fullmatch(segment) for segment in path.split("/")):
        raise BadPart(
            next(iter(named_in(template)), ""), gettext_lazy("this would lead out of its place in the URL")
        )
    used = named_in(template)
    return url, {name: value for name, value in arguments.items() if name not in used}


def with_query(url: str, arguments: Mapping[str, Any]) -> str:
    """The URL with arguments as query parameters: a list repeats its name, null is left out, objects are JSON."""
    pairs = [
        (name, plain(item))
        for name, value in arguments.items()
        for item in (value if isinstance(value, list) else [value])
        if item is not None
    ]
    return url + ("&" if "?" in url else "?") + urlencode(pairs) if pairs else url


def plain(value: Any) -> str:
    """A scalar as it stands in a URL."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else canonical(value)


def url_problems(template: str, schema: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a template somebody wants to save."""
    parts = _split(template)
    if parts is None or parts[0] not in ("http", "https"):
        yield _("this must be an http or https URL with a host")
        return
    _scheme, authority, rest = parts
    if "{" in authority or "}" in authority:
        yield _("arguments can stand in the path and the query, never in the host")
    if "@" in authority:
        yield _("no name or password in the URL: store a credential")
    if "#" in template or any(_DOTS.fullmatch(segment) for segment in rest.split("?")[0].split("/")):
        yield _("no fragment, and no . or .. in the path")
    if "{" in _PART.sub("", rest) or "}" in _PART.sub("", rest):
        yield _("write arguments in braces, with their name")
    yield from _argument_problems(template, schema)


def _argument_problems(template: str, schema: Mapping[str, Any]) -> Iterator[str]:
    properties = schema.get("properties")
    required = schema.get("required")
    for name in sorted(named_in(template)):
        if not isinstance(properties, Mapping) or name not in properties:
            yield _("the schema has no parameter %(name)s") % {"name": name}
        elif not isinstance(required, list) or name not in required:
            yield _("%(name)s stands in the URL, so the schema must require it") % {"name": name}


def _split(template: str) -> tuple[str, str, str] | None:
    """Scheme, authority and the rest, read the same way the HTTP client reads them."""
    if not _PLAIN.fullmatch(template) or "\\" in template:
        return None
    try:
        parts = urlsplit(template)
        if not parts.hostname or parts.port == 0:
            return None
    except ValueError:
        return None
    return parts.scheme, parts.netloc, template.split(parts.netloc, 1)[1]


def _encoded(name: str, value: Any) -> str:
    if value is None or isinstance(value, dict | list) or value == "":
        raise BadPart(
            name, gettext_lazy("this stands in the URL, so it must be a text, a number or a truth value")
        )
    return quote(plain(value), safe="")
