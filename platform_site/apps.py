from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlatformConfig(AppConfig):
    name = "platform_site"
    verbose_name = _("Platform")

    def ready(self) -> None:
        from platform_site import checks, openapi  # noqa: F401  # they register themselves when imported
        from platform_site.audit import sign_ins  # noqa: F401
