"""Chromium against a real `manage.py up`: `make test-browser`. Without Playwright nothing here is collected.

`shop` is the server all tests share; each test signs in with its own browser context. Whatever a page writes to the
console as an error, and every request that fails, fails the test; a test says beforehand what it expects
(`person.watch.expect`). When a test fails, its pages are photographed and the paths stand in the report.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tests.served.up import Up

if TYPE_CHECKING:
    from playwright.sync_api import Browser, StorageState

    from tests.browser.person import Person

HERE = Path(__file__).parent
PACE_MS = "10"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell, which Playwright itself uses, draws no window around the page: a sixth less to do."""
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run",
)  # fmt: skip

if importlib.util.find_spec("playwright") is None:
    collect_ignore_glob = ["test_*.py"]

Enter = Callable[..., "Person"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    people: list[Person] = getattr(item, "people", [])
    if report.when == "call" and report.failed and people:
        folder: Path = item.shots_in.mktemp("shots")  # type: ignore[attr-defined]
        shots = [person.photograph(folder / f"{at}.png") for at, person in enumerate(people)]
        report.sections.append(("Screenshots", "\n".join(shots)))
    return report


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """The running server with the demo tenants."""
    up = Up(tmp_path_factory.mktemp("shop") / "var", DEMO_PACE_MS=PACE_MS)
    try:
        yield up.start()
    finally:
        up.discard()


@pytest.fixture
def shop_is_down(shop: Up) -> Iterator[None]:
    """The sample mall's backend answers nothing but that it is down."""
    with httpx2.Client(
        base_url=shop.mall_url, headers={"X-Admin-Key": shop.mall_admin_key}, trust_env=False
    ) as mall:
        mall.post("/admin/fault", json={"mode": "down"}).raise_for_status()
        yield
        mall.post("/admin/fault", json={"mode": "none"}).raise_for_status()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail(f"none of {', '.join(BROWSERS)} is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def cookies() -> dict[tuple[str, str], StorageState]:
    """Sign-ins that were done already: the form has a test of its own."""
    return {}


@pytest.fixture
def enter(
    chromium: Browser,
    shop: Up,
    cookies: dict[tuple[str, str], StorageState],
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Enter]:
    """`enter("member")`: that person of the mall (or a whole address) with a browser of their own."""
    from tests.browser.person import Person

    people: list[Person] = []
    request.node.people, request.node.shots_in = people, tmp_path_factory

    def come(who: str = "", up: Up = shop, **options: Any) -> Person:
        known = cookies.get((up.url, who))
        person = Person(chromium, up, storage_state=known, **options)
        people.append(person)
        if who and not known:
            cookies[up.url, who] = person.sign_in(who if "@" in who else f"{who}@mall.test")
        return person

    yield come
    for person in people:
        person.context.close()
    faults = [fault for person in people for fault in person.watch.faults]
    assert not faults, "the browser complained:\n" + "\n".join(faults)


@pytest.fixture
def member(enter: Enter) -> Person:
    """The demo member, before a new conversation."""
    return enter("member").go_to_chat()
