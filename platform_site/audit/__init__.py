"""The audit log: who did what, when, to which thing and from where, in a chain that shows where it was tampered with.

note            one entry, in the transaction of the change it tells (which `ledger.writing` and `recording` are)
note_of_person  the same in every tenant a person takes part in: sign-ins, passwords, second factors
recording       a transaction whose notes are stored at its end
coming_from     at an edge: the way in, the address and the request of what is noted inside
digest          the fingerprint of a JSON value, for `before` and `after`
"""

from platform_site.audit.chain import digest
from platform_site.audit.origin import address_of, address_of_scope, coming_from, way_of
from platform_site.audit.recording import NoTransaction, note, note_of_person, recording

__all__ = [
    "NoTransaction", "address_of", "address_of_scope", "coming_from", "digest", "note", "note_of_person", "recording",
    "way_of",
]  # fmt: skip
