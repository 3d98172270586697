"""`manage.py demo`: the demo tenants, also where `up` would not make them by itself."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from platform_site.env import env
from platform_site.setup import banner, mall
from platform_site.setup.database import prepare
from platform_site.setup.only import CannotStart
from platform_site.setup.seed import seed


class Command(BaseCommand):
    help = "Makes the demo tenants mall, studio and desk. Their password is public: not for a server that others reach."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            prepare()
            origin = mall.noted_origin(settings.DATA_DIR) or mall.choose_origin(env, settings.DATA_DIR)
        except CannotStart as error:
            raise CommandError(str(error)) from None
        made = seed(settings.DATA_DIR, origin)
        self.stdout.write(
            f"Made: {', '.join(made)}.\n{banner.sign_ins()}" if made else "The demo tenants are there."
        )
