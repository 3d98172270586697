from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StoryboardConfig(AppConfig):
    name = "tools.packs.storyboard"
    label = "storyboard"
    verbose_name = _("Storyboard")
