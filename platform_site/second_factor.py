"""Second factors at rest: allauth keeps their secrets as we seal them, so that a stolen database makes no codes."""

from __future__ import annotations

from allauth.mfa.adapter import DefaultMFAAdapter

from platform_site import secrets

PLACE = "mfa:authenticator"
"""allauth says not whose secret it is: these are sealed as a kind, not a row."""


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    def encrypt(self, text: str) -> str:
        return secrets.seal(text, PLACE)

    def decrypt(self, encrypted_text: str) -> str:
        """What was stored before secrets were sealed is plain; no plain one has the form of a sealed one."""
        if not secrets.is_sealed(encrypted_text):
            return encrypted_text
        return secrets.open_sealed(encrypted_text, PLACE)


def place_of(_row: object) -> str:
    """For `sealed_fields`."""
    return PLACE
