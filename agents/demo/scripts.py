"""Which script plays: the one that fits the tools that are offered. Pure: a request in, a reply out.

Order: a debate is played by its own; results of spelled-out calls are reported; a spelled-out instruction is followed;
else the mall guide, if its tools are there; the desk script and the market script, if their tools are there and it is
asked for what they do; the storyteller, if some of the storyboard's are; else the generic script.
"""

from __future__ import annotations

from dataclasses import replace

from agents.demo import beside, debate, desk, explicit, generic, looking, mall, market, storyboard
from agents.demo.script import Scripted
from agents.demo.story import Story
from agents.messages import Request

MALL_TOOLS = frozenset({"search_products", "search_stores", "navigate_to_store"})


def decide(request: Request) -> Scripted:
    """The reply to a request. What pictures came with the person's message is told first."""
    if aside := beside.answer(request) or debate.play(request):
        return aside
    story = Story(request)
    seen = looking.told(story)
    if not seen:
        return _played(request, story)
    if not story.text:
        return Scripted(seen)
    reply = _played(request, story)
    return replace(reply, text=f"{seen}\n\n{reply.text}".rstrip())


def _played(request: Request, story: Story) -> Scripted:
    offered = {spec.name for spec in request.tools}
    instructed = explicit.read(story.text, offered)
    if instructed is not None:
        if story.speaks_last == "user":
            return instructed
        if story.newest:
            return explicit.go_on(story, offered)
        if story.ended:
            return explicit.report(story, story.ended)
    if offered & MALL_TOOLS:
        return mall.play(story)
    if offered & desk.TOOLS and (told := desk.play(story)):
        return told
    if offered & market.TOOLS and (told := market.play(story)):
        return told
    if story.ended:
        return explicit.report(story, story.ended)
    return storyboard.play(story) if offered & storyboard.TOOLS else generic.play(story)
