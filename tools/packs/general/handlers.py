"""Built-in tools that need no backend."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from tools.registry import Result, ToolContext, tool


class Replies(BaseModel):
    """Quick replies to show as buttons."""

    options: list[Annotated[str, Field(min_length=1, max_length=80)]] = Field(
        min_length=1,
        max_length=6,
        description='Short answers the person may want to give next, in their language. Good: ["Size 41", "Size 42"].',
        examples=[["Size 41", "Size 42"]],
    )


@tool(
    risk="SAFE",
    read_only=True,
    domain="general",
    labels={
        "en": {"title": "Suggest replies", "summary": "Suggests: {options}"},
        "zh-hans": {"title": "建议回复", "summary": "建议：{options}"},
    },
)
def suggest_replies(context: ToolContext, args: Replies) -> Result:
    """Show the person buttons with short answers to the question you just asked. Call it in the same reply."""
    return Result({"shown": args.options}, ui=[{"kind": "suggestions", "options": args.options}], final=True)
