"""Which tenant is acted for, as a context variable; apart from `tenancy`, so that logging can read it before Django's
models are there. Set it by `tenancy.acting_for` alone.
"""

from __future__ import annotations

from contextvars import ContextVar

acting_tenant: ContextVar[str | None] = ContextVar("acting_tenant", default=None)
"""The tenant's id; None outside every scope."""
