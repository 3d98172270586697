"""The sample search service: OpenAI's chat completion with `search_results` beside it, over the little library.

`POST /search/chat/completions` answers the last thing a user says; `GET /search/articles/<id>` is where its sources
lead, so that a link can be followed without a network. Everything says that it is sample data. Any key will do, but one
is needed.
"""

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from .errors import Refusal
from .library import Article, articles, find, language_of

LONGEST = 2_000
MOST_BODY = 64 * 1024
NOTHING = {
    "en": "I found nothing about “{query}”. This is a small sample collection: ten futures, Sluice itself and a few"
    " general subjects.",
    "zh": "没有找到关于“{query}”的内容。这里只是一个小型示例资料库：十种期货、Sluice 本身，以及少量常识主题。",
}
PAGE = """<!doctype html>
<html lang="{lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title></head>
<body><main><p><strong>{sample}</strong></p><h1>{title}</h1><p>{date}</p><p>{text}</p>
<p><a href="?lang={other}">{other_name}</a></p></main></body>
</html>
"""


async def completions(request: Request) -> Response:
    if not request.headers.get("authorization", "").startswith("Bearer "):
        raise Refusal(401, "no_key", "Send a key: Authorization: Bearer …")
    query = asked(await _body(request))
    return JSONResponse(completion(query, str(request.base_url)))


async def _body(request: Request) -> Any:
    body = await request.body()
    try:
        return json.loads(body[:MOST_BODY])
    except ValueError:
        raise Refusal(400, "bad_request", "The body must be JSON.") from None


def asked(body: Any) -> str:
    """What the last message of a user says."""
    messages = body.get("messages") if isinstance(body, dict) else None
    said = [one for one in messages or () if isinstance(one, dict) and one.get("role") == "user"]
    query = said[-1].get("content") if said else None
    if not isinstance(query, str) or not 0 < len(query.strip()) <= LONGEST:
        message = f"messages must end with a user's question of 1 to {LONGEST} characters."
        raise Refusal(400, "bad_request", message, field="messages")
    return query.strip()


def completion(query: str, base: str) -> dict[str, Any]:
    """The answer's JSON. `base`: the address this service is reached at, with a slash at its end."""
    language, found = language_of(query), find(query)
    sources = [_source(one, language, base) for one in found]
    text = told(found, language) or NOTHING[language].format(query=query[:80])
    return {
        "id": "sample", "object": "chat.completion", "model": "sample-search", "sample": True,
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}},
        ],
        "citations": [source["url"] for source in sources],
        "search_results": sources,
        "usage": {"prompt_tokens": len(query), "completion_tokens": len(text), "total_tokens": len(query) + len(text)},
    }  # fmt: skip


def told(found: list[Article], language: str) -> str:
    """The best article's beginning, and what the next ones add; each sentence with the number of its source."""
    gap = "" if language == "zh" else " "
    lines = [
        gap.join(one.sentences(language)[: 3 if n == 1 else 1]) + f"{gap}[{n}]"
        for n, one in enumerate(found, 1)
    ]
    return "\n\n".join(lines)


def _source(article: Article, language: str, base: str) -> dict[str, Any]:
    lang = "?lang=zh" if language == "zh" else ""
    return {
        "title": article.titled(language), "url": f"{base}search/articles/{article.id}{lang}", "date": article.date,
        "snippet": "".join(article.sentences(language)[-1:]),
    }  # fmt: skip


async def page(request: Request) -> Response:
    article = articles().get(request.path_params["id"])
    if article is None:
        raise Refusal(404, "not_found", "There is no such article.")
    return HTMLResponse(
        _page(article, request.query_params), headers={"Content-Security-Policy": "default-src 'none'"}
    )


def _page(article: Article, query: Mapping[str, str]) -> str:
    language = "zh" if query.get("lang") == "zh" else "en"
    other, name = ("en", "English") if language == "zh" else ("zh", "中文")
    sample = "示例资料" if language == "zh" else "Sample data"
    return PAGE.format(
        lang=language, title=escape(article.titled(language)), date=article.date, text=escape(article.told(language)),
        sample=sample, other=other, other_name=name,
    )  # fmt: skip


ROUTES = [
    Route("/search/chat/completions", completions, methods=["POST"]),
    Route("/search/articles/{id}", page),
]
