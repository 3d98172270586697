"""Hears everything a browser context complains about."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response

# A page that is left or reloaded drops what it was still fetching.
LEFT = "net::ERR_ABORTED"
REPORT_VIOLATIONS = """
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
    console.error(`CSP: ${effectiveDirective} does not allow ${blockedURI} (${sourceFile}:${lineNumber})`));
"""


class Watch:
    """Console errors and warnings, exceptions nobody caught, refused policies, failed requests."""

    def __init__(self, context: BrowserContext) -> None:
        self.heard: list[str] = []
        self.expected: list[str] = []
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("page", self._listen)

    @property
    def faults(self) -> list[str]:
        return [words for words in self.heard if not any(re.search(one, words) for one in self.expected)]

    def expect(self, *patterns: str) -> None:
        """What matches one of these regular expressions is no fault."""
        self.expected += patterns

    def _listen(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.heard.append(f"uncaught: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.heard.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        if request.failure != LEFT:
            self.heard.append(f"request failed: {request.url} {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.heard.append(f"status {response.status}: {response.request.method} {response.url}")
