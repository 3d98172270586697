"""Whether two names look the same to a reader: in case, accents, spaces, and letters of other scripts. Pure.

It says too often that they do rather than too seldom: who looks like somebody else is told apart, no more.
"""

from __future__ import annotations

import unicodedata

_TWINS = str.maketrans(
    "авеѕіјкмнорсԁтуүхһӏԛԝ" + "αβεηικμνορτυχ" + "01l|",
    "abesijkmhopcdtyyxhiqw" + "abehikmvoptux" + "oiii",
)
"""Small letters, as `casefold` leaves them, and the Latin ones that they, or their capitals, look like."""


def face(name: str) -> str:
    """What is left of a name at a glance: names with the same face can be mistaken for each other."""
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_TWINS)
    return "".join(one for one in unicodedata.normalize("NFKD", folded) if one.isalnum())
