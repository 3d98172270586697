"""Evidence for the gate as a whole: every way in, every race, random histories, crashes at every commit."""

from tests.conversations.conftest import bobs, talk
from tests.tools.conftest import desk

__all__ = ["bobs", "desk", "talk"]
