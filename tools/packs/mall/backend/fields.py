"""Reading named fields out of a query or a JSON body, with refusals that name the field.

Query values are text and are read as what they stand for; values in JSON must already have their type.
"""

from collections.abc import Mapping
from typing import Any

from .errors import bad_request

HIGHEST = 2**53
FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Fields:
    """The fields of one request."""

    def __init__(self, values: Mapping[str, Any], *, from_query: bool) -> None:
        self.values = {name: value for name, value in values.items() if value is not None}
        self.from_query = from_query

    def only(self, *allowed: str) -> "Fields":
        """Refuse every field that is not in `allowed`."""
        unknown = sorted(set(self.values) - set(allowed))
        if unknown:
            known = ", ".join(allowed) or "none"
            raise bad_request(
                unknown[0],
                f"Unknown field: {', '.join(unknown)}. Fields of this call: {known}. Leave the others out.",
            )
        return self

    def text(self, name: str, *, longest: int = 100) -> str:
        """A required text that is not blank."""
        value = self.optional_text(name, longest=longest)
        if value is None:
            raise bad_request(name, f"The field {name} is missing. Give it as text.")
        return value

    def optional_text(self, name: str, *, longest: int = 100) -> str | None:
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise bad_request(name, f"The field {name} must be text, not {_kind(value)}.")
        if not value.strip():
            raise bad_request(name, f"The field {name} is empty. Give it a value or leave it out.")
        if len(value) > longest:
            raise bad_request(
                name, f"The field {name} is {len(value)} characters long; at most {longest} are taken."
            )
        if "\x00" in value:
            raise bad_request(name, f"The field {name} holds a null character. Take it out.")
        return value.strip()

    def optional_number(self, name: str, *, lowest: float, highest: float) -> float | None:
        value = self.values.get(name)
        if value is None:
            return None
        number = self._as_number(name, value)
        if not lowest <= number <= highest:
            raise bad_request(
                name, f"The field {name} is {number:g}; it must be from {lowest:g} to {highest:g}."
            )
        return number

    def optional_integer(self, name: str, *, lowest: int, highest: int) -> int | None:
        number = self.optional_number(name, lowest=lowest, highest=highest)
        if number is None:
            return None
        if number != int(number):
            raise bad_request(name, f"The field {name} must be a whole number, not {number:g}.")
        return int(number)

    def integer(self, name: str, *, lowest: int, highest: int) -> int:
        value = self.optional_integer(name, lowest=lowest, highest=highest)
        if value is None:
            raise bad_request(
                name, f"The field {name} is missing. Give a whole number from {lowest} to {highest}."
            )
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.values.get(name, default)
        if self.from_query and isinstance(value, str):
            value = FLAGS.get(value.lower(), value)
        if not isinstance(value, bool):
            raise bad_request(name, f"The field {name} must be true or false.")
        return value

    def choice(self, name: str, options: tuple[str, ...], *, default: str) -> str:
        value = self.values.get(name, default)
        if value not in options:
            raise bad_request(name, f"The field {name} must be one of {', '.join(options)}.")
        return str(value)

    def _as_number(self, name: str, value: Any) -> float:
        if self.from_query:
            try:
                value = float(value)
            except ValueError:
                raise bad_request(name, f"The field {name} must be a number, not {value[:40]!r}.") from None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise bad_request(name, f"The field {name} must be a number, not {_kind(value)}.")
        if not -HIGHEST <= value <= HIGHEST:
            raise bad_request(name, f"The field {name} is no usable number.")
        return value


def _kind(value: Any) -> str:
    names = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), "that")
