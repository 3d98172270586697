"""Secrets at rest: they open in their own place and nowhere else."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from platform_site import keyring
from platform_site.models import Credential
from platform_site.secrets import CannotOpen, key_of, made_once, open_sealed, seal

HERE = "tenant1:credential:c1:key"


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, settings: Any) -> Iterator[Path]:
    settings.DATA_DIR = tmp_path
    yield tmp_path / "keys"


def test_a_secret_opens_in_its_place() -> None:
    sealed = seal("sk-canary-密", HERE)
    assert "canary" not in sealed
    assert open_sealed(sealed, HERE) == "sk-canary-密"
    assert seal("sk-canary-密", HERE) != sealed


@pytest.mark.parametrize("there", ["tenant2:credential:c1:key", "tenant1:credential:c2:key", ""])
def test_a_moved_secret_opens_nowhere(there: str) -> None:
    """T62."""
    with pytest.raises(CannotOpen):
        open_sealed(seal("s", HERE), there)


@pytest.mark.parametrize("broken", ["", "k1:", "k1:AAAA", "k2:AAAA", "k1:%%%", "plain", "k1:" + "A" * 60])
def test_what_was_not_sealed_here_does_not_open(broken: str) -> None:
    with pytest.raises(CannotOpen):
        open_sealed(broken, HERE)


def test_a_wrong_key_fails_closed(keys: Path) -> None:
    """T62: and the message holds nothing of the secret."""
    sealed = seal("canary", HERE)
    (keys / "sealing.json").unlink()
    with pytest.raises(CannotOpen) as failed:
        open_sealed(sealed, HERE)
    assert "canary" not in str(failed.value)


def test_an_older_key_still_opens_after_a_newer_one_seals(keys: Path) -> None:
    """T62."""
    old = seal("before", HERE)
    stored = json.loads((keys / "sealing.json").read_text())
    stored["keys"]["k2"] = json.loads(keyring.first())["keys"]["k1"]
    (keys / "sealing.json").write_text(json.dumps(stored | {"current": "k2"}))
    new = seal("after", HERE)
    assert new.startswith("k2:")
    assert (open_sealed(old, HERE), open_sealed(new, HERE)) == ("before", "after")


def test_key_files_are_made_once_for_the_owner_alone(keys: Path) -> None:
    assert made_once("one", lambda: b"first") == made_once("one", lambda: b"second") == b"first"
    assert stat.S_IMODE((keys / "one").stat().st_mode) == 0o600
    assert [path.name for path in keys.iterdir()] == ["one"]


def test_a_key_from_the_environment_is_a_providers(monkeypatch: pytest.MonkeyPatch) -> None:
    """T35, T61: naming the installation's own secrets gives nothing."""
    for name in ("SHOP_API_KEY", "SECRET_KEY", "DATABASE_URL", "PATH"):
        monkeypatch.setenv(name, "value")
    found = {
        name: key_of(Credential(tenant_id="t", key_env=name))
        for name in ("SHOP_API_KEY", "SECRET_KEY", "DATABASE_URL", "PATH", "")
    }
    assert found == {"SHOP_API_KEY": "value", "SECRET_KEY": "", "DATABASE_URL": "", "PATH": "", "": ""}
