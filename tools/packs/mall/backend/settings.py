"""How one backend process is set up. Made from the command line in `__main__`, and by tests."""

from dataclasses import dataclass
from pathlib import Path

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
EVERY_ADDRESS = frozenset({"0.0.0.0", "[::]"})


@dataclass(frozen=True)
class Settings:
    database: Path
    keys: str
    """A JSON Web Key Set: a file, or an http(s) address."""
    origins: frozenset[str] | None
    """The origins this service is called by; None takes whatever the request's Host says."""
    audiences: frozenset[str] = frozenset()
    """Further audiences that a token may be made out to."""
    tenants: frozenset[str] = frozenset({"mall"})
    admin_key: str | None = None


def origins_of(host: str, port: int) -> frozenset[str] | None:
    """The origins that reach a service bound to `host` and `port`."""
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    if host in EVERY_ADDRESS:
        return None
    names = LOOPBACK if host in LOOPBACK else {host}
    return frozenset(f"http://{name}:{port}" for name in names)
