"""Static files: kept for good under the address of their version, compressed, and nothing else is served."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connections

from platform_site import asgi
from platform_site.static_files import SMALL, static_files
from platform_site.static_version import version_of

STATIC = settings.STATIC_DIR
SCRIPT, FONT = "chat/main.js", "unfold/fonts/inter/Inter-Regular.woff2"
Answer = tuple[int, dict[str, str], bytes]


def get(path: str, method: str = "GET", **headers: str) -> Answer | None:
    """What the edge answers; None: the request was handed to Django."""
    sent = list[dict[str, Any]]()
    handed = list[str]()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def to_django(scope: Any, receive: Any, send: Any) -> None:
        handed.append(scope["path"])

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asgi, "django", to_django)
        patch.setattr(connections, "close_all", lambda: None)
        async_to_sync(asgi.http)({"path": path, "method": method, "headers": raw}, None, send)
    if handed:
        return None
    start, body = sent
    return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, body["body"]


def answered(path: str, method: str = "GET", **headers: str) -> Answer:
    answer = get(path, method, **headers)
    assert answer is not None
    return answer


def url(name: str) -> str:
    return str(staticfiles_storage.url(name))


def test_a_page_names_a_version_that_browsers_keep_for_good() -> None:
    status, headers, body = answered(url(SCRIPT))
    assert status == 200 and body == (STATIC / SCRIPT).read_bytes()
    assert "immutable" in headers["cache-control"]
    assert headers["content-type"].startswith("text/javascript")
    assert headers["x-content-type-options"] == "nosniff"
    assert int(headers["content-length"]) == len(body)


@pytest.mark.parametrize("path", [f"/static/{SCRIPT}", f"/static/000000000000/{SCRIPT}"])
def test_another_version_gets_what_there_is_and_asks_again_soon(path: str) -> None:
    """A page from before an update finds its files; a page from after it, at a host not yet updated, keeps none."""
    status, headers, body = answered(path)
    assert status == 200 and body == (STATIC / SCRIPT).read_bytes()
    assert headers["cache-control"] == "max-age=60, public"


def test_text_is_compressed_for_who_takes_it() -> None:
    _, headers, body = answered(url(SCRIPT), accept_encoding="gzip, br")
    assert headers["content-encoding"] == "gzip" and headers["vary"] == "Accept-Encoding"
    assert int(headers["content-length"]) == len(body)
    assert gzip.decompress(body) == (STATIC / SCRIPT).read_bytes()
    assert "content-encoding" not in answered(url(SCRIPT), accept_encoding="br")[1]


@pytest.mark.parametrize("refused", ["gzip;q=0", "br, gzip; q=0.000, *", "identity", ""])
def test_who_refuses_compression_gets_none(refused: str) -> None:
    assert "content-encoding" not in answered(url(SCRIPT), accept_encoding=refused)[1]


def test_a_file_that_lies_there_compressed_is_not_compressed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    static_files.cache_clear()
    both = tmp_path / "both.js"
    content = "\n".join(map(str, range(SMALL))).encode()
    both.write_bytes(content)
    (tmp_path / "both.js.gz").write_bytes(gzip.compress(content))
    monkeypatch.setattr(
        static_files(), "files", {url("both.js"): static_files().get_static_file(str(both), "")}
    )
    _, headers, body = answered(url("both.js"), accept_encoding="gzip")
    assert headers["content-encoding"] == "gzip" and gzip.decompress(body) == content
    static_files.cache_clear()


def test_what_is_small_or_compressed_by_itself_goes_as_it_is() -> None:
    assert (STATIC / "chat/package.json").stat().st_size < SMALL
    for name in ("chat/package.json", FONT):
        assert "content-encoding" not in answered(url(name), accept_encoding="gzip")[1]


def test_who_has_it_is_told_so_and_who_wants_a_part_gets_it() -> None:
    tag = answered(url(SCRIPT))[1]["etag"]
    assert answered(url(SCRIPT), if_none_match=tag)[::2] == (304, b"")
    assert answered(url(SCRIPT), if_none_match='"other"')[0] == 200
    status, headers, body = answered(url(SCRIPT), range="bytes=2-5", accept_encoding="gzip")
    assert status == 206 and body == (STATIC / SCRIPT).read_bytes()[2:6]
    assert headers["content-length"] == "4"


def test_files_are_read_only() -> None:
    status, headers, body = answered(url(SCRIPT), "HEAD")
    assert (
        status == 200 and body == b"" and int(headers["content-length"]) == (STATIC / SCRIPT).stat().st_size
    )
    status, headers, _ = answered(url(SCRIPT), "POST")
    assert status == 405 and headers["allow"] == "GET, HEAD"


NOT_FILES = [
    "/",
    "/static/",
    "/static/no.js",
    "/static/chat",
    "/static/../manage.py",
    "/static/chat/../chat/main.js",
    f"/static/chat/{'0' * 12}/main.js",
]


@pytest.mark.parametrize(
    "path", [*NOT_FILES, "/staticchat/main.js", f"/static/{'0' * 12}/{'0' * 12}/{SCRIPT}"]
)
def test_all_else_is_djangos(path: str) -> None:
    assert get(path) is None


def test_a_file_written_under_a_running_server_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    static_files.cache_clear()
    grows = tmp_path / "grows.js"
    grows.write_text("x")
    monkeypatch.setattr(
        static_files(), "files", {url("grows.js"): static_files().get_static_file(str(grows), "")}
    )
    grows.write_text("much more")
    _, headers, body = answered(url("grows.js"))
    assert body == b"much more" and headers["content-length"] == "9"
    static_files.cache_clear()


def test_the_version_is_that_of_every_file_and_of_the_libraries(tmp_path: Path) -> None:
    folder, lock = tmp_path / "static", tmp_path / "lock"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "b.js").write_text("1")
    lock.write_text("library==1")
    versions = [version_of(folder, lock), version_of(folder, lock)]
    (folder / "a" / "b.js").write_text("2")
    versions.append(version_of(folder, lock))
    (folder / "a" / "b.js").rename(folder / "a" / "c.js")
    versions.append(version_of(folder, lock))
    lock.write_text("library==2")
    versions.append(version_of(folder, lock))
    assert versions[0] == versions[1] and len(set(versions)) == 4
    assert all(f"{one}/" == f"{one:0>12}/" for one in versions)
