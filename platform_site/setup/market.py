"""The sample source of prices behind the demo tenant `desk`: a watched child that keeps nothing."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from platform_site.env import Env
from platform_site.setup.children import Child
from platform_site.setup.sample import HOST, Sample, listens, port_of

MARKET = Sample("desk", "sample market source", "http://market.backend", "MARKET_PORT", "market-origin")


def choose_origin(env: Env, data_dir: Path, mall_origin: str) -> str:
    """`MARKET_PORT`, or beside the sample mall; without one, where that would be."""
    mall = port_of(mall_origin)
    return MARKET.choose_origin(data_dir, env.market_port, (mall or env.port + 1) + 1, given_away=mall)


def backend(data_dir: Path, origin: str) -> Child:
    port = port_of(origin)
    arguments = ["-m", "tools.packs.market.backend", "--host", HOST, "--port", str(port)]
    return Child("market", arguments, data_dir / "logs", answers=partial(listens, port))
