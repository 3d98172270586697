"""How long the evidence is gathered: shortly in the plain suite, and at length for a release.

SLUICE_ROUNDS=200 SLUICE_STEPS=10000 SLUICE_KILLS=all python -m pytest tests/gate_evidence tests/tools tests/served
"""

import os

ROUNDS = int(os.environ.get("SLUICE_ROUNDS", "2"))
"""Repeats of each race."""
LONG = ROUNDS >= 100
STEPS = int(os.environ.get("SLUICE_STEPS", "400"))
"""Steps of random histories."""
KILLS = os.environ.get("SLUICE_KILLS", "")
"""`flow`: kill at every point of the shopping flow; `all`: at every commit of a critical call, too; else at a few."""
