"""The tenant is in the SQL (rule 5).

`with acting_for(tenant):` at an edge, then ordinary queries. The manager puts the tenant into each query as an
expression that reads a context variable when the SQL is compiled, and raises `NoTenant` when there is none; writing
another tenant's row raises `ForeignTenant`. Crossing tenants is spelled `across_tenants()`, and is for reading and for
conditional updates and deletes: rows are saved while acting for their tenant.

Never enter a scope inside an async generator: it would leak to whoever iterates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models.constants import OnConflict
from django.db.models.expressions import Expression

from platform_site.scope import acting_tenant

if TYPE_CHECKING:
    from platform_site.models import Tenant

M = TypeVar("M", bound=models.Model)
Fields = Sequence[Any]


class NoTenant(RuntimeError):
    """A tenant-owned table was asked for outside `acting_for`."""


class ForeignTenant(RuntimeError):
    """A row of one tenant was about to be written while acting for another."""


@contextmanager
def acting_for(tenant: Tenant | str) -> Iterator[None]:
    """All queries inside see this tenant's rows and no others."""
    tenant_id = tenant if isinstance(tenant, str) else tenant.pk
    if not tenant_id:
        raise NoTenant("acting_for needs a tenant")
    token = acting_tenant.set(tenant_id)
    try:
        yield
    finally:
        acting_tenant.reset(token)


def current_tenant_id() -> str:
    """The id of the tenant acted for; raises `NoTenant` when there is none."""
    tenant_id = acting_tenant.get()
    if tenant_id is None:
        raise NoTenant("no tenant: wrap this in acting_for(tenant), or say across_tenants()")
    return tenant_id


class CurrentTenant(Expression):
    """The acting tenant's id, read when the SQL is compiled."""

    output_field = models.CharField()

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str]]:
        return "%s", (current_tenant_id(),)


class TenantQuerySet(models.QuerySet[M]):
    """Refuses to write what belongs to another tenant, and what could not be checked."""

    def update(self, **values: Any) -> int:
        if "tenant" in values or "tenant_id" in values:
            raise ForeignTenant("a row's tenant never changes")
        return super().update(**values)

    def raw(self, *args: Any, **kwargs: Any) -> Any:
        raise NoTenant("raw SQL knows no tenant: use a cursor and name the tenant in it")

    def _insert(self, objs: Iterable[models.Model], *args: Any, **kwargs: Any) -> Any:
        """Every way to insert ends here: save, create, get_or_create, bulk_create."""
        rows = list(objs)
        for row in rows:
            check_owner(row)
        _check_conflict(**kwargs)
        return super()._insert(rows, *args, **kwargs)  # type: ignore[misc]  # not public, so not in the stubs


def _check_conflict(
    on_conflict: OnConflict | None = None,
    unique_fields: Fields = (),
    update_fields: Fields = (),
    **_others: Any,
) -> None:
    """An upsert may change only a row of the same tenant: the tenant must be part of what collides."""
    if on_conflict is OnConflict.UPDATE and not _names_tenant(unique_fields or ()):
        raise ForeignTenant("an upsert needs the tenant among its unique_fields")
    if _names_tenant(update_fields or ()):
        raise ForeignTenant("a row's tenant never changes")


def _names_tenant(fields: Iterable[Any]) -> bool:
    return any(getattr(field, "name", field) in ("tenant", "tenant_id") for field in fields)


def check_owner(row: models.Model) -> None:
    """A row, and every tenant-owned row it points to that is at hand, belongs to the acting tenant.

    An id put into a column by hand (`tool_id=…`) is not looked up: that would cost a query for each event. Ids that
    come from outside are exchanged for rows first, by the doors (`access`), through managers that see one tenant.
    """
    mine = current_tenant_id()
    if getattr(row, "tenant_id", mine) != mine:
        raise ForeignTenant(f"{type(row).__name__} of another tenant")
    for name, value in row._state.fields_cache.items():
        if isinstance(value, TenantModel) and value.tenant_id != mine:
            raise ForeignTenant(f"{type(row).__name__}.{name} points to another tenant")


_prepared: dict[tuple[type, type, str | None], TenantQuerySet[Any]] = {}


class TenantManager(models.Manager[M]):
    """The default manager of every tenant-owned table."""

    use_in_migrations = False

    def get_queryset(self) -> TenantQuerySet[M]:
        """Prepared once and copied: the tenant is read when the SQL is compiled, so the query is the same for all."""
        place = (type(self), self.model, self._db)
        prepared = _prepared.get(place)
        if prepared is None:
            prepared = _prepared[place] = self.across_tenants().filter(tenant_id=CurrentTenant())
        return prepared.all()

    def across_tenants(self) -> TenantQuerySet[M]:
        """Rows of all tenants: for the runner, sweeps and sign-in only. Greppable on purpose."""
        return TenantQuerySet[M](self.model, using=self._db)


class TenantModel(models.Model):
    """A table whose rows each belong to one tenant."""

    tenant = models.ForeignKey(
        "platform_site.Tenant",
        on_delete=models.CASCADE,
        related_name="+",
        default=current_tenant_id,
        editable=False,
    )

    objects: ClassVar[TenantManager[Self]] = TenantManager()

    def _save_table(self, *args: Any, **kwargs: Any) -> bool:
        """Every save ends here, also a fixture's. An update finds only rows of the acting tenant by itself, but could
        give them to another."""
        check_owner(self)
        saved: bool = super()._save_table(*args, **kwargs)  # type: ignore[misc]  # not public, so not in the stubs
        return saved

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Django deletes a single row by its id alone."""
        check_owner(self)
        return super().delete(*args, **kwargs)

    class Meta:
        abstract = True
        base_manager_name = "objects"
        default_manager_name = "objects"
