"""The sample shop behind the demo tenant `mall`: its backend as a watched child."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from platform_site.env import Env, read_or_make
from platform_site.setup.children import Child
from platform_site.setup.sample import HOST, Sample, listens, port_of
from platform_site.signing import jwks

MALL = Sample("mall", "sample mall", "http://mall.backend", "MALL_PORT", "mall-origin")


def choose_origin(env: Env, data_dir: Path) -> str:
    """`MALL_PORT`, or beside the web port."""
    return MALL.choose_origin(data_dir, env.mall_port, env.port + 1)


def backend(data_dir: Path, origin: str) -> Child:
    """The backend as a watched child, knowing the public keys that tokens of ours are signed with."""
    keys = data_dir / "keys"
    keys.mkdir(mode=0o700, exist_ok=True)
    public = keys / "mall-jwks.json"
    public.write_text(json.dumps(jwks()))
    port = port_of(origin)
    arguments = ["-m", "tools.packs.mall.backend", "--host", HOST, "--port", str(port)]
    arguments += ["--database", str(data_dir / "mall.sqlite3"), "--keys", str(public)]
    arguments += ["--tenant", MALL.slug, "--audience", origin]
    secret = {"MALL_ADMIN_KEY": read_or_make(keys / "mall-admin-key")}
    return Child("mall", arguments, data_dir / "logs", secret, partial(listens, port))
