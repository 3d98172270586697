"""The goods and stores as the data files describe them. Read once at start, never changed.

Prices and stock here are the opening values only: the current ones are rows (see `shelf`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"


@dataclass(frozen=True)
class Named:
    """A brand or a category: what it is called, in both languages."""

    id: str
    name: str
    name_zh: str
    aliases: tuple[str, ...]


@dataclass(frozen=True)
class Sku:
    """One thing that can be bought: a size or a variant of a product."""

    sku_id: str
    size: str | None
    label: str
    label_zh: str
    stock: int


@dataclass(frozen=True)
class Product:
    id: str
    name: str
    name_zh: str
    brand: str
    category: str
    price: int
    rating: float
    reviews: int
    store_id: str
    glyph: str
    tone: str
    description: str
    description_zh: str
    keywords: tuple[str, ...]
    skus: tuple[Sku, ...]


@dataclass(frozen=True)
class Store:
    id: str
    name: str
    name_zh: str
    aliases: tuple[str, ...]
    area: str
    category: str
    category_zh: str
    floor: int
    unit: str
    hours: str
    phone: str
    rating: float
    promotions: tuple[Mapping[str, str], ...]
    reviews: tuple[Mapping[str, Any], ...]

    def brief(self) -> dict[str, Any]:
        """How other answers mention a store."""
        return {"id": self.id, "name": self.name, "name_zh": self.name_zh, "floor": self.floor}


@dataclass(frozen=True)
class Catalogue:
    """Everything by id, in the order of the files."""

    products: Mapping[str, Product]
    stores: Mapping[str, Store]
    brands: Mapping[str, Named]
    categories: Mapping[str, Named]
    category_groups: tuple[tuple[tuple[str, ...], frozenset[str]], ...]

    def similar(self, product: Product) -> list[Product]:
        """The other products of the same kind, nearest in price first."""
        others = [p for p in self.products.values() if p.category == product.category and p.id != product.id]
        return sorted(others, key=lambda other: (abs(other.price - product.price), other.id))


def load(folder: Path = DATA) -> Catalogue:
    """Read the data files."""
    categories = _read(folder / "categories.json")
    products = [_product(row) for path in sorted((folder / "products").glob("*.json")) for row in _read(path)]
    return Catalogue(
        products={product.id: product for product in products},
        stores={row["id"]: Store(**_frozen(row)) for row in _read(folder / "stores.json")},
        brands={row["id"]: Named(**_frozen(row)) for row in _read(folder / "brands.json")},
        categories={row["id"]: Named(**_frozen(row)) for row in categories["categories"]},
        category_groups=tuple((tuple(g["names"]), frozenset(g["categories"])) for g in categories["groups"]),
    )


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _frozen(row: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def _product(row: dict[str, Any]) -> Product:
    fields = _frozen(row) | {
        "price": round(row["price"] * 100),
        "skus": tuple(Sku(**sku) for sku in row["skus"]),
    }
    return Product(**fields)
