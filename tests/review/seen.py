"""The reviewers' pages as a browser gets them, and what can be read off them."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from django.test import Client

from platform_site.models import User

HOME = "/t/acme/review/"


@dataclass
class Reader:
    """A signed-in person who looks at the pages under `HOME`."""

    client: Client

    @classmethod
    def of(cls, user: User) -> Reader:
        client = Client()
        client.force_login(user)
        return cls(client)

    def open(self, path: str) -> str:
        answer = self.client.get(HOME + path)
        assert answer.status_code == 200, answer.status_code
        return answer.content.decode()

    def context(self, path: str) -> Any:
        return self.client.get(HOME + path).context

    def ids(self, query: str = "") -> list[str]:
        """The attempts on the list, in its order, over all of its pages."""
        page = self.open("failures/?" + query)
        found = re.findall(r'class="attempt [^"]*" href="/t/acme/review/failures/(\w+)/"', page)
        older = re.search(r'rel="next" href="\?([^"]+)"', page)
        return found + (self.ids(html.unescape(older[1])) if older else [])

    def count(self, query: str) -> int:
        """The number the list says it has."""
        return int(self.context("failures/?" + query)["count"])


def linked(page: str) -> list[tuple[int, str]]:
    """Each number on the page that leads to the list, and the query string it leads there with."""
    links = re.findall(
        r'<a (?:class="figure" )?href="/t/acme/review/failures/\?([^"]*)">([\d,]+)[^<]*</a>', page
    )
    return [(int(number.replace(",", "")), html.unescape(query)) for query, number in links]
