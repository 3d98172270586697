"""Everything an operation works with, put together once at start."""

from dataclasses import dataclass
from functools import cache

from . import catalogue as goods
from . import floors
from .catalogue import Catalogue
from .database import Database
from .floors import Building
from .identity import KeySet
from .search import Search
from .settings import Settings
from .stores import Directory


@dataclass(frozen=True)
class Shop:
    settings: Settings
    catalogue: Catalogue
    building: Building
    search: Search
    directory: Directory
    database: Database
    keys: KeySet


def open_shop(settings: Settings) -> Shop:
    catalogue, building, search, directory = _library()
    return Shop(
        settings=settings,
        catalogue=catalogue,
        building=building,
        search=search,
        directory=directory,
        database=Database(settings.database, catalogue),
        keys=KeySet(settings.keys),
    )


@cache
def _library() -> tuple[Catalogue, Building, Search, Directory]:
    """What the data files say, ready to be searched. It never changes, so a process reads it once."""
    catalogue, building = goods.load(), floors.load()
    return catalogue, building, Search(catalogue), Directory(catalogue, building)
