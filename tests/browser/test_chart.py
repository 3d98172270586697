"""A price chart in the chat: drawn, told in words and as a table, kept as files, in light and dark, wide and narrow."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person

PLOT = """(stage) => {
  const size = ({ width, height }) => width * height;
  const canvas = [...stage.querySelectorAll('canvas')].sort((one, other) => size(other) - size(one))[0];
  const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const found = {};
  for (let at = 0; at < data.length; at += 4) {
    const key = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    found[key] ??= { count: 0, top: y, topAt: x / width, bottom: y, bottomAt: x / width };
    found[key].count += 1;
    if (y > found[key].bottom) Object.assign(found[key], { bottom: y, bottomAt: x / width });
  }
  return found;
}"""
"""Of each colour of the chart's plane: how often; its highest and lowest place, and where across (of the width)."""
KEY = """(key) => Object.fromEntries([...key.children].map((one) =>
  [one.dataset.kind, getComputedStyle(one, '::before').backgroundColor]))"""


@pytest.fixture
def trader(enter: Enter) -> Person:
    return enter("member@desk.test").go_to_chat("/t/desk/")


def chart_of(person: Person, text: str) -> Locator:
    person.ask(text)
    chart = person.page.locator("figure.chart").last
    expect(chart.locator("canvas").first).to_be_visible()
    return chart


def told_bars(person: Person, period: str) -> list[list[float]]:
    """The bars as the API tells them, which the page never touched."""
    conversation = re.search(r"/c/([\w-]+)/", person.page.url)
    assert conversation
    token = person.up.token("member", "desk")
    with person.up.api(token) as api:
        events = api.get(f"/api/v1/t/desk/conversations/{conversation[1]}/events").json()
    directives = [one for one in found_in(events) if one.get("kind") == "chart" and one["period"] == period]
    bars: list[list[float]] = directives[-1]["bars"]
    return bars


def found_in(value: Any) -> list[dict[str, Any]]:
    """Every object in a JSON value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return ([value] if isinstance(value, dict) else []) + [one for part in inner for one in found_in(part)]


def drawn(chart: Locator) -> tuple[dict[str, str], dict[str, Any]]:
    """The colours the key names, and what the plane shows of each."""
    key: dict[str, str] = chart.locator(".chart-key").evaluate(KEY)
    plane = chart.locator(".chart-stage").evaluate(PLOT)
    return key, {kind: plane.get(colour) for kind, colour in key.items()}


def test_the_drawing_is_of_the_data(trader: Person) -> None:
    """Candles, volume and averages in the key's colours; the highest and the lowest candle are where they belong."""
    chart = chart_of(trader, "draw a weekly chart of copper")
    _, plane = drawn(chart)
    assert all(plane[kind] and plane[kind]["count"] > 40 for kind in plane), plane
    bars = told_bars(trader, "1w")
    highest = max(range(len(bars)), key=lambda at: bars[at][2])
    lowest = min(range(len(bars)), key=lambda at: bars[at][3])
    top = min((plane["up"], plane["down"]), key=lambda one: one["top"])
    bottom = max((plane["up"], plane["down"]), key=lambda one: one["bottom"])
    assert top["topAt"] == pytest.approx((highest + 0.5) / len(bars), abs=0.02)
    assert bottom["bottomAt"] == pytest.approx((lowest + 0.5) / len(bars), abs=0.02)


def test_the_table_is_the_data(trader: Person) -> None:
    chart = chart_of(trader, "draw a daily chart of gold")
    chart.locator("summary").click()
    rows = chart.locator("tbody tr")
    bars = told_bars(trader, "1d")
    expect(rows).to_have_count(len(bars))
    shown = rows.evaluate_all("(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))")
    for cells, bar in zip(shown, reversed(bars), strict=True):
        assert [float(cell.replace(",", "")) for cell in cells[1:]] == bar[1:]


def test_it_is_told_in_a_sentence_with_its_age_and_where_it_comes_from(trader: Person) -> None:
    chart = chart_of(trader, "draw a daily chart of gold")
    last = f"{told_bars(trader, '1d')[-1][4]:,.1f}"
    name = chart.locator(".chart-stage").get_attribute("aria-label") or ""
    assert re.fullmatch(rf"Gold, daily, \d+ bars, from .+ to .+, last {last}, [+-]?[\d.]+ %", name), name
    expect(chart.locator(".chart-head")).to_contain_text("Sample data")
    expect(chart.locator("figcaption")).to_contain_text("As of ")
    expect(chart.locator("#tv-attr-logo")).to_have_attribute("href", "https://www.tradingview.com/")
    notice = chart.get_by_role("link", name="Drawn with TradingView Lightweight Charts™")
    answer = trader.context.request.get(str(notice.get_attribute("href")))
    assert "Copyright" in answer.text()


def test_it_can_be_kept_as_png_and_svg(trader: Person) -> None:
    chart = chart_of(trader, "画一下大豆的周线")
    with trader.page.expect_download() as waiting:
        chart.get_by_role("button", name="Download as SVG").click()
    svg = Path(waiting.value.path()).read_text()
    assert waiting.value.suggested_filename == "ZS-1w.svg"
    bars = told_bars(trader, "1w")
    columns = re.search(r'class="volume"[^>]* d="([^"]*)"', svg)
    assert columns and columns[1].count("Z") == len(bars)
    with trader.page.expect_download() as waiting:
        chart.get_by_role("button", name="Download as PNG").click()
    png = Path(waiting.value.path()).read_bytes()
    assert waiting.value.suggested_filename == "ZS-1w.png" and png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    assert width > 600 and height > 300 and len(png) > 5000


def test_it_follows_the_theme(trader: Person) -> None:
    chart = chart_of(trader, "draw a weekly chart of copper")
    trader.watch.expect("willReadFrequently")
    light, _ = drawn(chart)
    trader.page.locator("[data-theme-toggle]").first.click()
    trader.page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    trader.page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    dark, plane = drawn(chart)
    assert dark["up"] != light["up"]
    assert all(plane[kind] and plane[kind]["count"] > 40 for kind in plane), plane


def test_on_a_phone_it_fits(enter: Enter) -> None:
    trader = enter("member@desk.test", viewport={"width": 375, "height": 740}).go_to_chat("/t/desk/")
    chart = chart_of(trader, "draw a daily chart of copper")
    assert trader.page.evaluate("document.documentElement.scrollWidth") == 375
    box, stage = chart.bounding_box(), chart.locator(".chart-stage").bounding_box()
    assert box and stage and box["width"] <= 375 and stage["width"] > 300
    _, plane = drawn(chart)
    assert plane["up"]["count"] > 40


def test_without_a_chart_the_library_is_not_fetched(enter: Enter) -> None:
    fetched: list[str] = []
    trader = enter("member@desk.test")
    trader.page.on("request", lambda request: fetched.append(request.url))
    trader.go_to_chat("/t/desk/").ask("what is gold at")
    assert not [url for url in fetched if "lightweight-charts" in url or "chart-canvas" in url]
    chart_of(trader, "draw a daily chart of gold")
    assert len([url for url in fetched if "lightweight-charts" in url]) == 1


def test_where_the_library_does_not_come_our_own_picture_stands_in(enter: Enter) -> None:
    trader = enter("member@desk.test")
    trader.watch.expect("lightweight-charts", "net::ERR_FAILED")
    trader.page.route("**/lightweight-charts.js", lambda route: route.abort())
    trader.go_to_chat("/t/desk/").ask("draw a daily chart of gold")
    picture = trader.page.locator(".chart-stage img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(one) => one.naturalWidth") > 0
    expect(trader.page.get_by_role("button", name="Download as PNG")).to_be_disabled()
