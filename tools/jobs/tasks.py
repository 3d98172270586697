"""What the queue runs: a plain function of ids. A row that was forged or comes twice finds nothing to do."""

from __future__ import annotations

import asyncio

from platform_site.logs import bound
from platform_site.tenancy import acting_for
from tools import executors
from tools.jobs.work import carry_out


def work(tenant_id: str, call_id: str) -> None:
    """Carry out the call, if it is this tenant's and still waits for a worker."""
    with acting_for(tenant_id), bound(call=call_id):
        asyncio.run(_work(call_id))


async def _work(call_id: str) -> None:
    try:
        await carry_out(call_id)
    finally:
        await executors.close()
