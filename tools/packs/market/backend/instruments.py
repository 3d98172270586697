"""The ten futures: what they are called in both languages, and which one a person means."""

import difflib
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

Group = Literal["energy", "metal", "crop"]

# What people say around a name; "gold futures price" is gold.
AROUND = re.compile(r"\b(?:futures?|prices?|contracts?|the)\b|期货|价格|行情|主力|合约")


@dataclass(frozen=True)
class Instrument:
    """`level` is about what it costs, in `unit`; `tick` the smallest step; `swing` a year's volatility as a share."""

    symbol: str
    name: str
    name_zh: str
    aliases: tuple[str, ...]
    group: Group
    unit: str
    unit_zh: str
    level: float
    tick: str
    swing: float
    daily_volume: int

    @property
    def decimals(self) -> int:
        return len(self.tick.partition(".")[2])

    @property
    def names(self) -> tuple[str, ...]:
        return (self.symbol, self.name, self.name_zh, *self.aliases)

    def told(self) -> dict[str, str]:
        """How an answer names it."""
        return {"symbol": self.symbol, "name": self.name, "name_zh": self.name_zh}


BUSHEL, POUND = ("US cents a bushel", "美分/蒲式耳"), ("US cents a pound", "美分/磅")
OUNCE, A_POUND = ("US dollars an ounce", "美元/盎司"), ("US dollars a pound", "美元/磅")
BARREL, BTU = ("US dollars a barrel", "美元/桶"), ("US dollars a million BTU", "美元/百万英热")

INSTRUMENTS = (
    Instrument(
        "CL", "Crude oil", "原油", ("oil", "crude", "petroleum", "wti", "石油"),
        "energy", *BARREL, 74, "0.01", 0.32, 310_000,
    ),
    Instrument(
        "NG", "Natural gas", "天然气", ("gas", "natgas", "燃气"), "energy", *BTU, 2.9, "0.001", 0.48, 140_000
    ),
    Instrument("GC", "Gold", "黄金", ("xau", "金", "金子"), "metal", *OUNCE, 2340, "0.1", 0.15, 190_000),
    Instrument("SI", "Silver", "白银", ("xag", "银", "银子"), "metal", *OUNCE, 28.4, "0.005", 0.27, 66_000),
    Instrument(
        "HG", "Copper", "铜", ("red metal", "沪铜", "铜价"), "metal", *A_POUND, 4.35, "0.0005", 0.21, 74_000
    ),
    Instrument("ZS", "Soybean", "大豆", ("soybeans", "soya", "soy", "beans", "黄豆", "豆子"),
        "crop", *BUSHEL, 1160, "0.25", 0.18, 160_000,
    ),
    Instrument("ZC", "Corn", "玉米", ("maize", "苞米"), "crop", *BUSHEL, 438, "0.25", 0.22, 230_000),
    Instrument("ZW", "Wheat", "小麦", ("麦子",), "crop", *BUSHEL, 585, "0.25", 0.28, 98_000),
    Instrument("CT", "Cotton", "棉花", ("棉",), "crop", *POUND, 78, "0.01", 0.2, 24_000),
    Instrument("SB", "Sugar", "白糖", ("raw sugar", "糖", "食糖"), "crop", *POUND, 19.6, "0.01", 0.24, 105_000),
)  # fmt: skip
MOST_NEAR = 4


def normal(text: str) -> str:
    """The comparable form of a name."""
    plain = AROUND.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(re.sub(r"[^\w]+", " ", plain).split())


LABELS = {normal(name): one for one in reversed(INSTRUMENTS) for name in one.names}


def find(name: str) -> Instrument | None:
    """The one that is called so, by symbol, name or another name, in either language."""
    return LABELS.get(normal(name))


def near(name: str) -> list[Instrument]:
    """Those whose names resemble this one or stand in it, best first; all of them when none does."""
    wanted = normal(name)
    within = [label for label in LABELS if len(label) > 1 and (label in wanted or wanted in label)]
    close = difflib.get_close_matches(wanted, LABELS, n=MOST_NEAR, cutoff=0.55)
    found = dict.fromkeys(LABELS[label] for label in (*close, *(within if wanted else ())))
    return list(found)[:MOST_NEAR] or list(INSTRUMENTS)
