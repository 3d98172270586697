"""Every place in the database that holds a sealed text. `manage.py secrets` reads it to find them all.

A new one is a line here; a column named `sealed` that has no line is an error of `manage.py check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import Model, QuerySet
from django.utils.module_loading import import_string

from platform_site.tenancy import TenantModel


@dataclass(frozen=True, slots=True)
class SealedField:
    """`context` names the function from a row to the place its secret belongs to.

    `inside`: the column is JSON, and these keys of it hold sealed texts; what was stored there before it was sealed
    is plain, and sealed by the next rotation.
    """

    model: str
    column: str
    context: str
    inside: tuple[str, ...] = ()

    @property
    def table(self) -> type[Model]:
        return apps.get_model(self.model)

    @property
    def is_tenants(self) -> bool:
        return issubclass(self.table, TenantModel)

    def rows(self) -> QuerySet[Model]:
        """Rows with something in the column, of the acting tenant or, where rows have none, all of them."""
        return self.table._default_manager.exclude(**{self.column: ""}).order_by("pk")

    def texts(self, row: Model) -> dict[str, str]:
        """The row's sealed (or still plain) texts by their key inside; the key is empty where there is one alone."""
        value = getattr(row, self.column)
        if not self.inside:
            return {"": value}
        return {key: value[key] for key in self.inside if isinstance(value.get(key), str)}

    def with_texts(self, row: Model, texts: Mapping[str, str]) -> Any:
        """The column's value with these texts in it."""
        return {**getattr(row, self.column), **texts} if self.inside else texts[""]

    def place_of(self, row: Model) -> str:
        """The context that the row's texts are sealed with."""
        place: str = import_string(self.context)(row)
        return place


FIELDS = (
    SealedField("platform_site.Credential", "sealed", "platform_site.secrets.context_of"),
    SealedField("platform_site.Webhook", "sealed", "platform_site.notices.outbox.context_of"),
    SealedField("mfa.Authenticator", "data", "platform_site.second_factor.place_of", ("secret", "seed")),
)


def unlisted() -> Iterator[str]:
    """Columns that are named like a sealed text and stand in no line."""
    known = {(field.model.lower(), field.column) for field in FIELDS}
    for model in apps.get_models():
        for column in model._meta.concrete_fields:
            named = column.name == "sealed" or column.name.endswith("_sealed")
            if named and (model._meta.label_lower, column.name) not in known:
                yield f"{model._meta.label}.{column.name}"
