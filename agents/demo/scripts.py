"""Which script plays: the one that fits the tools that are offered. Pure: a request in, a reply out.

Order: results of spelled-out calls are reported; a spelled-out instruction is followed; else the mall guide, if its
tools are there; the storyteller, if some of the storyboard's are; else the generic script.
"""

from __future__ import annotations

from agents.demo import explicit, generic, mall, storyboard
from agents.demo.script import Scripted
from agents.demo.story import Story
from agents.messages import Request

MALL_TOOLS = frozenset({"search_products", "search_stores", "navigate_to_store"})


def decide(request: Request) -> Scripted:
    """The reply to a request."""
    story = Story(request)
    offered = {spec.name for spec in request.tools}
    instructed = explicit.read(story.text, offered)
    if instructed is not None:
        if story.speaks_last == "user":
            return instructed
        if story.newest:
            return explicit.go_on(story, offered)
    if offered & MALL_TOOLS:
        return mall.play(story)
    return storyboard.play(story) if offered & storyboard.TOOLS else generic.play(story)
