"""`manage.py demo`: the demo tenants, also where `up` would not make them by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from platform_site.env import env
from platform_site.setup import banner, mall, market
from platform_site.setup.database import prepare
from platform_site.setup.mall import MALL
from platform_site.setup.market import MARKET
from platform_site.setup.only import CannotStart
from platform_site.setup.seed import seed


class Command(BaseCommand):
    help = "Makes the demo tenants mall, studio and desk. Their password is public: not for a server that others reach."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            prepare()
            origins = choose_origins(settings.DATA_DIR)
        except CannotStart as error:
            raise CommandError(str(error)) from None
        made = seed(settings.DATA_DIR, origins)
        self.stdout.write(
            f"Made: {', '.join(made)}.\n{banner.sign_ins()}" if made else "The demo tenants are there."
        )


def choose_origins(data_dir: Path) -> dict[str, str]:
    """Where the sample backends are, or will be."""
    shop = MALL.noted_origin(data_dir) or mall.choose_origin(env, data_dir)
    source = MARKET.noted_origin(data_dir) or market.choose_origin(env, data_dir, shop)
    return {MALL.slug: shop, MARKET.slug: source}
