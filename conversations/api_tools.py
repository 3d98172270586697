"""Tools over HTTP: what a tenant's agents may use; owners and admins see how a tool works, save and switch it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from conversations.api_base import ApiView, answer
from conversations.api_bodies import MOST_ERRORS, ToolChange
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_tool_shapes import ToolPage, ToolShape, VersionPage, VersionShape
from platform_site.errors import Problem
from tools import catalogue
from tools.definition import ToolForm
from tools.models import Tool, ToolVersion


def tool_of_tenant(tool_id: str) -> Tool:
    found = Tool.objects.select_related("current").filter(pk=tool_id, current__isnull=False).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such tool."))
    return found


class Tools(ApiView):
    scopes = {"POST": "configure"}

    @operation("tools_list", "The tools of the tenant", {200: ToolPage}, query=PageQuery)
    def get(self, request: Request, **kwargs: str) -> Response:
        rows = Tool.objects.filter(current__isnull=False).select_related("current")
        found, after = cut(rows, ("name",), self.query(PageQuery))
        full = self.actor.can_configure
        return answer(ToolPage(results=[ToolShape.of(row, full=full) for row in found], next=after))

    @operation(
        "tools_save", "Save a tool: a new one, or a new version of the one with this name",
        {200: ToolShape, 201: ToolShape}, body=ToolForm, posts=True,
    )  # fmt: skip
    def post(self, request: Request, **kwargs: str) -> Response:
        try:
            saved, changed = catalogue.save_tool(self.json_object(), self.actor.user)
        except catalogue.BadDefinition as bad:
            raise Problem(
                400, "bad_request", _("This tool cannot be saved."), errors=bad.errors[:MOST_ERRORS]
            ) from None
        tool = ToolShape.of(saved, full=True)
        return answer(tool, 201 if changed and tool.version == 1 else 200)


class OneTool(ApiView):
    scopes = {"PATCH": "configure"}

    @operation("tools_read", "One tool", {200: ToolShape})
    def get(self, request: Request, tool: str, **kwargs: str) -> Response:
        return answer(ToolShape.of(tool_of_tenant(tool), full=self.actor.can_configure))

    @operation("tools_change", "Switch a tool on or off", {200: ToolShape}, body=ToolChange)
    def patch(self, request: Request, tool: str, **kwargs: str) -> Response:
        body = self.body(ToolChange)
        row = tool_of_tenant(tool)
        catalogue.switch_tool(row, body.is_enabled, self.actor.user)
        return answer(ToolShape.of(row, full=True))


class Versions(ApiView):
    @operation("tools_versions", "The versions of a tool", {200: VersionPage}, query=PageQuery)
    def get(self, request: Request, tool: str, **kwargs: str) -> Response:
        rows = ToolVersion.objects.filter(tool=tool_of_tenant(tool)).select_related("author")
        found, after = cut(rows, ("-number",), self.query(PageQuery))
        full = self.actor.can_configure
        return answer(VersionPage(results=[VersionShape.of(row, full=full) for row in found], next=after))
