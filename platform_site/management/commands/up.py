"""`manage.py up`: everything from an empty folder to a served page, in one command.

Steps: this data directory and port are ours alone; the database is as the code expects; the demo tenants exist (on a
machine that serves only itself); the children start; one process serves until it is told to stop.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from platform_site.env import env
from platform_site.jobs import schedule_defaults
from platform_site.model_servers import open_own_machine
from platform_site.setup import banner, mall, market
from platform_site.setup.children import Child
from platform_site.setup.database import prepare
from platform_site.setup.leases import end_leases_of_the_last, new_runner
from platform_site.setup.mall import MALL
from platform_site.setup.market import MARKET
from platform_site.setup.only import CannotStart, check_port, is_loopback, only_one
from platform_site.setup.seed import SAMPLES, seed


class Command(BaseCommand):
    help = "Starts Sluice: web server, agents and queue. PORT, HOST and SLUICE_DATA_DIR say where."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with only_one(settings.DATA_DIR, f"up on port {env.port}"):
                check_port(env.host, env.port)
                code = self.up(settings.DATA_DIR)
        except CannotStart as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            raise CommandError("Stopped before it was ready.", returncode=130) from None
        raise SystemExit(code)

    def up(self, data_dir: Path) -> int:
        if serves_only_itself():
            open_own_machine()
        prepare()
        schedule_defaults()
        queue = Child("queue", ["manage.py", "qcluster"], data_dir / "logs")
        samples = self.samples(data_dir)
        # Daphne installs its event loop when it is imported: not before it is wanted.
        from platform_site.setup.serving import Serving

        end_leases_of_the_last(data_dir)
        serving = Serving(env.host, env.port, queue, samples, partial(new_runner, data_dir))
        serving.on_ready = partial(self.tell, banner.text(data_dir, demo=bool(samples)))
        code = serving.run()
        self.tell("Stopped.")
        return code

    def tell(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def samples(self, data_dir: Path) -> list[Child]:
        """The demo tenants' sample backends, placed where they will listen; none where there is no demo."""
        wanted = serves_only_itself()
        origins: dict[str, str] = {}
        if wanted or MALL.noted_origin(data_dir):
            origins[MALL.slug] = mall.choose_origin(env, data_dir)
        if wanted or MARKET.noted_origin(data_dir):
            origins[MARKET.slug] = market.choose_origin(env, data_dir, origins.get(MALL.slug, ""))
        if wanted:
            seed(data_dir, origins)
        for slug, origin in origins.items():
            SAMPLES[slug].follow(data_dir, origin)
        backends = {MALL.slug: mall.backend, MARKET.slug: market.backend}
        return [backends[slug](data_dir, origin) for slug, origin in origins.items()]


def serves_only_itself() -> bool:
    """No one else can reach this: a loopback address, and no proxy in front (which names its hosts)."""
    return (
        is_loopback(env.host)
        and not env.https
        and set(settings.ALLOWED_HOSTS) <= set(settings.LOOPBACK_HOSTS)
    )
