"""Tables that only grow: the ORM inserts their rows and refuses to change or delete one.

Whoever can write SQL can still do both; that is what the audit chain is for (`audit.chain`).
"""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar

from django.db import models

from platform_site.tenancy import TenantManager, TenantModel, TenantQuerySet

M = TypeVar("M", bound=models.Model)


class AppendOnly(RuntimeError):
    """A row that is kept as it was written was about to be changed or deleted."""


class AppendOnlyQuerySet(TenantQuerySet[M]):
    """Reads and inserts."""

    def update(self, **values: Any) -> int:
        raise AppendOnly(f"{self.model.__name__} rows are never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AppendOnly(f"{self.model.__name__} rows are never deleted")

    def _insert(self, objs: Any, *args: Any, on_conflict: Any = None, **kwargs: Any) -> Any:
        if on_conflict is not None:
            raise AppendOnly(f"{self.model.__name__} rows are never replaced or skipped")
        return super()._insert(objs, *args, on_conflict=on_conflict, **kwargs)


class AppendOnlyManager(TenantManager[M]):
    def across_tenants(self) -> AppendOnlyQuerySet[M]:
        return AppendOnlyQuerySet[M](self.model, using=self._db)


class AppendOnlyModel(TenantModel):
    """A tenant-owned table whose rows stay as they were written."""

    objects: ClassVar[AppendOnlyManager[Self]] = AppendOnlyManager()

    def _save_table(self, *args: Any, **kwargs: Any) -> bool:
        if not self._state.adding:
            raise AppendOnly(f"{type(self).__name__} rows are never changed")
        return super()._save_table(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnly(f"{type(self).__name__} rows are never deleted")

    class Meta(TenantModel.Meta):
        abstract = True
