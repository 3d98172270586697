"""What `up` says once it serves: where, who can sign in, where things are kept, how to stop."""

from __future__ import annotations

from pathlib import Path

from platform_site.env import env
from platform_site.setup.only import is_loopback
from platform_site.setup.seed import FILES, PASSWORD

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "[::]": "[::1]"}


def text(data_dir: Path, *, demo: bool) -> str:
    lines = ["", f"  Sluice is up:   {url()}"]
    if not is_loopback(env.host) and not env.allowed_hosts:
        lines.append("  Only this machine may ask for it yet: ALLOWED_HOSTS=name-or-address lets others in.")
    lines.append(
        sign_ins()
        if demo
        else "  No demo data (others can reach this server). `manage.py apply` makes a tenant."
    )
    lines += [
        f"  Data:           {data_dir}",
        f"  Logs:           here; the queue's and the sample shop's in {data_dir / 'logs'}",
        "  Stop:           Ctrl-C",
        "",
    ]
    return "\n".join(lines)


def sign_ins() -> str:
    slugs = list(FILES)
    return "\n".join(
        [
            f"  Sign in as      member@{slugs[0]}.test   (or owner@, admin@, reviewer@; also {', '.join(slugs[1:])})",
            f"  Password        {PASSWORD}",
            f"  Admin console   {url()}t/{slugs[0]}/admin/   as admin@{slugs[0]}.test",
        ]
    )


def url() -> str:
    host = EVERYWHERE.get(env.host, env.host)
    return f"http://{f'[{host}]' if ':' in host and host[0] != '[' else host}:{env.port}/"
