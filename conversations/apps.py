from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConversationsConfig(AppConfig):
    name = "conversations"
    verbose_name = _("Conversations")

    def ready(self) -> None:
        """The tools that are made of conversations are registered beside those of the packs."""
        from conversations import summary_tool  # noqa: F401
        from conversations.debate import handlers as of_debates  # noqa: F401
        from conversations.reminders import handlers  # noqa: F401
