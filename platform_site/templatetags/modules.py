"""A page's JavaScript modules, named in its head: the browser fetches all of them at once, not import by import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()
IMPORT = re.compile(r"""^(?:import|export)\b(?:[^;'"()]*\bfrom\b)?\s*['"](\.[^'"]+)['"]""", re.MULTILINE)


@register.simple_tag
def preload_modules(*names: str) -> SafeString:
    """`<link rel="modulepreload">` for these modules and for what they import, in turn, by relative paths.

    What is imported later, when it is needed, is not among them.
    """
    return format_html_join(
        "\n", '  <link rel="modulepreload" href="{}">', ((static(one),) for one in _all(names))
    )


def _all(names: tuple[str, ...]) -> list[str]:
    return list(_walk(names)) if settings.DEBUG else _kept(names)


@lru_cache(maxsize=32)
def _kept(names: tuple[str, ...]) -> list[str]:
    return list(_walk(names))


def _walk(names: tuple[str, ...]) -> Iterator[str]:
    """Level by level, as they are needed."""
    seen, level = set[str](), dict.fromkeys(names)
    while level:
        yield from level
        seen |= level.keys()
        level = dict.fromkeys(found for name in level for found in imports_of(name) if found not in seen)


def imports_of(name: str) -> list[str]:
    """The modules that this one of ours imports before it runs."""
    text = (Path(settings.STATIC_DIR) / name).read_text()
    return [normpath(join(dirname(name), found)) for found in IMPORT.findall(text)]
