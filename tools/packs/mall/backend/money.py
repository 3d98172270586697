"""Amounts are whole fen (hundredths of a yuan) inside and plain yuan numbers outside."""

CURRENCY = "CNY"
"""What every price is in (ISO 4217)."""


def fen(yuan: float) -> int:
    return round(yuan * 100)


def yuan(amount: int) -> int | float:
    """399 stays 399; 39950 fen becomes 399.5."""
    return amount // 100 if amount % 100 == 0 else amount / 100
