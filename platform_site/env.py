"""What the environment says, read once and typed.

Every setting an operator can change is a field here; `settings.py` turns them into Django's names.
A value that cannot be read is an error that names the variable. Nothing else reads `os.environ`.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from platform_site.egress import Egress

BASE_DIR = Path(__file__).resolve().parent.parent


class Env(BaseSettings):
    """The operator's settings. Names are the environment's, in lower case."""

    model_config = SettingsConfigDict(extra="ignore", case_sensitive=False)

    debug: bool = False
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    sluice_data_dir: Path = BASE_DIR / "var"
    database_url: str = ""
    redis_url: str = ""
    secret_key: SecretStr | None = None
    secret_key_file: Path | None = None
    allowed_hosts: Annotated[list[str], NoDecode] = []
    csrf_trusted_origins: Annotated[list[str], NoDecode] = []
    https: bool = False
    """Served behind TLS: cookies are Secure, HSTS is sent, plain HTTP is redirected."""

    openai_api_key: SecretStr | None = None
    openai_base_url: str = ""
    gemini_api_key: SecretStr | None = None
    gemini_base_url: str = ""
    perplexity_model: str = Field(default="sonar", min_length=1, max_length=120)
    """The model that `perplexity_search` asks for."""
    model_connect_s: float = Field(default=5, gt=0)
    """Seconds a model server may take to accept a connection."""
    model_stall_s: float = Field(default=60, gt=0)
    """Seconds a model server may say nothing, before its answer and within it."""
    share_model_keys: bool = True
    """Tenants whose model names no credential use the installation's own keys, at the operator's cost."""
    model_egress: Annotated[list[str] | None, NoDecode] = None
    """`host:port` of private model servers that every tenant's credentials may name; a port `*` is each port.
    Unset, `up` on a loopback host takes the machine's own; empty is none."""

    email_url: str = ""
    """`smtp://user:password@host:587/?tls=1` or `smtps://…:465`; empty prints mail to the log."""
    default_from_email: str = "sluice@localhost"
    public_url: str = ""
    """Where people reach this, for links in mails; empty takes the first allowed host, or host and port."""

    metrics_token: SecretStr | None = None
    """Opens `/metrics` to who sends it as a Bearer token; without it only the machine itself may look."""

    mall_port: int = 0
    """Port of the sample mall backend; 0 takes the web port + 1."""
    market_port: int = 0
    """Port of the sample market source; 0 takes the sample mall's + 1."""
    demo_pace_ms: int = Field(default=20, ge=0)
    """Milliseconds the demo model waits between two pieces of text."""
    runner_concurrency: int = Field(default=100, ge=1)
    queue_patience_s: float = Field(default=45.0, gt=0)
    """How long the queue may stand still before `up` starts its cluster again."""
    db_threads: int = Field(default=4, ge=1, le=64)
    upload_most_unsent: int = Field(default=40, ge=1)
    """Pictures one person may have uploaded and not sent yet."""
    upload_tenant_mb: int = Field(default=10_240, ge=1)
    """Megabytes of pictures a tenant may keep."""
    log_format: str = "auto"
    """`json`, `console`, or `auto` (console on a terminal)."""
    log_level: str = "INFO"

    @field_validator("allowed_hosts", "csrf_trusted_origins", "model_egress", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return (
            [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
        )

    @field_validator("model_egress")
    @classmethod
    def _readable(cls, value: list[str] | None) -> list[str] | None:
        for listed in value or ():
            if "/" in listed or not Egress([listed]).listed:
                raise ValueError(f"{listed!r} is not host:port")
        return value

    def origin(self) -> str:
        """`https://host[:port]` of this installation as people reach it, without a slash at the end."""
        if self.public_url:
            return self.public_url.rstrip("/")
        named = [host for host in self.allowed_hosts if not host.startswith(("*", "."))]
        if named:
            return f"{'https' if self.https else 'http'}://{named[0]}"
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def data_dir(self) -> Path:
        """The data directory, made with its subfolders when it is not there yet."""
        folder = self.sluice_data_dir.resolve()
        (folder / "uploads").mkdir(parents=True, exist_ok=True)
        (folder / "logs").mkdir(exist_ok=True)
        (folder / "static").mkdir(exist_ok=True)
        return folder

    def the_secret_key(self) -> str:
        """`SECRET_KEY`, or `SECRET_KEY_FILE`, or one made once and kept in the data directory."""
        if self.secret_key:
            return self.secret_key.get_secret_value()
        kept = self.secret_key_file or self.data_dir() / "secret_key"
        return read_or_make(kept)


def read_or_make(path: Path) -> str:
    """The secret in `path`; the first caller makes it, readable by the owner alone and never seen half written."""
    if not path.exists():
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text().strip()


def database(url: str, data_dir: Path) -> dict[str, object]:
    """Django's DATABASES entry. Empty URL: SQLite in the data directory.

    Connections are kept by the threads that opened them. No psycopg pool: the queue's cluster forks, and a forked pool
    loses results.
    """
    if not url:
        return _sqlite(data_dir / "sluice.sqlite3")
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(Path(parts.path))
    if parts.scheme not in ("postgres", "postgresql"):
        raise ValueError(
            f"DATABASE_URL: the scheme {parts.scheme!r} is not known; use postgresql:// or sqlite:///"
        )
    options: dict[str, object] = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def _sqlite(path: Path) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "CONN_MAX_AGE": None,
        # A file, as in life: threads that share a database in memory lock its tables, not the database.
        "TEST": {"NAME": str(path.with_name("test.sqlite3"))},
        "OPTIONS": {
            "timeout": 30,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }


def read_environment() -> Env:
    """The operator's settings; what cannot be read is named plainly, without a traceback."""
    try:
        return Env()
    except ValidationError as error:
        lines = [
            f"{str(fault['loc'][0]).upper()}: {fault['msg']}" for fault in error.errors(include_url=False)
        ]
        raise SystemExit("These settings cannot be read:\n  " + "\n  ".join(lines)) from None


env = read_environment()
