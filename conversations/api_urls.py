"""The routes under `/api/v1/` that concern conversations, agents and tools. Without trailing slashes."""

from __future__ import annotations

from django.urls import include, path, register_converter

from conversations.agui import AgUi
from conversations.api_agents import Agents
from conversations.api_audit import Audit
from conversations.api_branches import EditMessage, Regenerate, SwitchBranch
from conversations.api_confirmation_form import ConfirmationForm
from conversations.api_confirmations import Confirmations, Decide, OneConfirmation
from conversations.api_conversations import Conversations, OneConversation
from conversations.api_corrections import Corrections, OneCorrection, SubmitCorrection
from conversations.api_debates import OneDebate
from conversations.api_export import ConversationExport
from conversations.api_failures import ValidationFailures
from conversations.api_grants import Grants, RevokeGrant
from conversations.api_groups import (
    Accept,
    Candidates,
    Decline,
    HandOver,
    Invitations,
    Invite,
    Leave,
    MarkRead,
    OneInvitation,
    People,
    RemovePerson,
)
from conversations.api_jobs import CancelCall
from conversations.api_messages import Events, Messages
from conversations.api_reminders import OneReminder, PauseReminder, Reminders, ResumeReminder
from conversations.api_runs import OneRun, RetryRun, StopRun
from conversations.api_schema import Schema
from conversations.api_tools import OneTool, Tools, Versions
from conversations.api_uploads import OneUpload, UploadContent, Uploads
from conversations.api_usage import Usage


class OpaqueId:
    """What could be one of our ids. Anything else is no such path, before it reaches a database."""

    regex = "[0-9A-Za-z_-]{1,64}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(OpaqueId, "id")

in_tenant = [
    path("audit", Audit.as_view()),
    path("agents", Agents.as_view()),
    path("agents/<id:agent>/ag-ui", AgUi.as_view()),
    path("tools", Tools.as_view()),
    path("tools/<id:tool>", OneTool.as_view()),
    path("tools/<id:tool>/versions", Versions.as_view()),
    path("conversations", Conversations.as_view()),
    path("conversations/<id:conversation>", OneConversation.as_view()),
    path("conversations/<id:conversation>/messages", Messages.as_view()),
    path("conversations/<id:conversation>/events", Events.as_view()),
    path("conversations/<id:conversation>/export", ConversationExport.as_view()),
    path("conversations/<id:conversation>/branch", SwitchBranch.as_view()),
    path("conversations/<id:conversation>/debate", OneDebate.as_view()),
    path("conversations/<id:conversation>/people", People.as_view()),
    path("conversations/<id:conversation>/people/candidates", Candidates.as_view()),
    path("conversations/<id:conversation>/people/remove", RemovePerson.as_view()),
    path("conversations/<id:conversation>/people/owner", HandOver.as_view()),
    path("conversations/<id:conversation>/leave", Leave.as_view()),
    path("conversations/<id:conversation>/read", MarkRead.as_view()),
    path("conversations/<id:conversation>/invitations", Invite.as_view()),
    path("invitations", Invitations.as_view()),
    path("invitations/<id:invitation>", OneInvitation.as_view()),
    path("invitations/<id:invitation>/accept", Accept.as_view()),
    path("invitations/<id:invitation>/decline", Decline.as_view()),
    path("messages/<id:message>/edit", EditMessage.as_view()),
    path("messages/<id:message>/regenerate", Regenerate.as_view()),
    path("runs/<id:run>", OneRun.as_view()),
    path("runs/<id:run>/stop", StopRun.as_view()),
    path("runs/<id:run>/retry", RetryRun.as_view()),
    path("confirmations", Confirmations.as_view()),
    path("confirmations/<id:confirmation>", OneConfirmation.as_view()),
    path("confirmations/<id:confirmation>/form", ConfirmationForm.as_view()),
    path("confirmations/<id:confirmation>/decide", Decide.as_view()),
    path("corrections", Corrections.as_view()),
    path("corrections/<id:correction>", OneCorrection.as_view()),
    path("corrections/<id:correction>/submit", SubmitCorrection.as_view()),
    path("calls/<id:call>/cancel", CancelCall.as_view()),
    path("grants", Grants.as_view()),
    path("grants/<id:grant>/revoke", RevokeGrant.as_view()),
    path("reminders", Reminders.as_view()),
    path("reminders/<id:reminder>", OneReminder.as_view()),
    path("reminders/<id:reminder>/pause", PauseReminder.as_view()),
    path("reminders/<id:reminder>/resume", ResumeReminder.as_view()),
    path("uploads", Uploads.as_view()),
    path("uploads/<id:upload>", OneUpload.as_view()),
    path("uploads/<id:upload>/content", UploadContent.as_view()),
    path("validation-failures", ValidationFailures.as_view()),
    path("usage", Usage.as_view()),
]
urlpatterns = [path("schema", Schema.as_view()), path("t/<slug:slug>/", include(in_tenant))]
