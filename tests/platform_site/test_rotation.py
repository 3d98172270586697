"""A new sealing key for everything that is sealed: begun, interrupted, gone on with, ended."""

from __future__ import annotations

import json
import os
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.core.management import CommandError, call_command
from django.db import connection

from platform_site import audit, checks, keyring, rotation, sealed_fields, secrets
from platform_site.audit.verifying import Sound, verify
from platform_site.models import AuditEntry, Credential, Tenant, User
from platform_site.sealed_fields import SealedField
from platform_site.secrets import CannotOpen, context_of, key_of, seal
from platform_site.tenancy import acting_for

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def key_file(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path
    return secrets.key_file()


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotation, "ROWS_AT_ONCE", 2)


def make(tenant: Tenant, *keys: str) -> None:
    """A credential for each key, named like it."""
    with acting_for(tenant), audit.recording():
        for key in keys:
            row = Credential.objects.create(slug=key, provider="openai")
            Credential.objects.filter(pk=row.pk).update(sealed=seal(key, context_of(row)))
        audit.note("tenant.changed", tenant, by=None)


def opened(tenant: Tenant) -> dict[str, str]:
    with acting_for(tenant):
        return {row.slug: key_of(row) for row in Credential.objects.order_by("slug")}


def key_ids() -> set[str]:
    return {
        secrets.key_id_of(text)
        for text in Credential.objects.across_tenants().values_list("sealed", flat=True)
    }


def run(*words: str) -> str:
    out = StringIO()
    call_command("secrets", *words, stdout=out)
    return out.getvalue()


@pytest.fixture
def five(tenant: Tenant, other_tenant: Tenant) -> Tenant:
    make(tenant, "a", "b", "c")
    make(other_tenant, "d", "e")
    return tenant


def test_everything_is_sealed_with_a_new_key(five: Tenant, other_tenant: Tenant) -> None:
    """T62."""
    assert "Key k2 seals from now on" in run("rotate")
    assert key_ids() == {"k2"}
    assert opened(five) == {"a": "a", "b": "b", "c": "c"}
    assert opened(other_tenant) == {"d": "d", "e": "e"}
    assert "5 secrets; the current key is k2" in run("verify")


def test_the_audit_log_verifies_before_and_after(five: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    """T62, T63: its keys are made from the sealing keys; they outlive a key that is forgotten."""
    monkeypatch.setattr(rotation, "SETTLED_S", 0)
    for words in ("rotate",), ("rotate",), ("rotate", "--forget"):
        run(*words)
        with acting_for(five):
            assert isinstance(verify(), Sound)
    with acting_for(five):
        assert {entry.key for entry in AuditEntry.objects.all()} == {"k1", "k2", "k3"}
        assert AuditEntry.objects.filter(verb="secrets.resealed").count() == 4, (
            "two steps for three rows, twice"
        )
    assert list(json.loads(secrets.key_file().read_text())["keys"]) == ["k3"]


def test_what_was_interrupted_goes_on(five: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    """T62: after a kill between two steps, with the same key; nothing is lost on the way."""
    real = rotation._reseal_some
    steps = []

    def dies(*args: Any, **more: Any) -> int:
        steps.append(1)
        if len(steps) == 2:
            raise KeyboardInterrupt
        return real(*args, **more)

    monkeypatch.setattr(rotation, "_reseal_some", dies)
    with pytest.raises(KeyboardInterrupt):
        run("rotate")
    assert key_ids() == {"k1", "k2"}
    assert opened(five) == {"a": "a", "b": "b", "c": "c"}
    monkeypatch.setattr(rotation, "_reseal_some", real)
    assert "Going on with key k2" in run("rotate")
    assert key_ids() == {"k2"}


def test_an_old_key_stays_until_it_is_forgotten(five: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    """T62: what a backup holds opens until then."""
    with acting_for(five):
        row = Credential.objects.get(slug="a")
    run("rotate")
    assert key_of(row) == "a"
    with pytest.raises(CommandError, match="try again in"):
        run("rotate", "--forget")
    monkeypatch.setattr(rotation, "SETTLED_S", 0)
    assert "Forgotten: k1" in run("rotate", "--forget")
    with pytest.raises(CannotOpen):
        key_of(row)
    assert opened(five)["a"] == "a"


def test_a_key_is_not_forgotten_while_it_is_needed(five: Tenant, key_file: Path) -> None:
    keyring.use(key_file, keyring.add(key_file))
    with pytest.raises(rotation.NotYet):
        rotation.forget()


def test_a_prepared_key_seals_nothing_until_the_rotation(five: Tenant) -> None:
    """It can be copied to every machine before any of them meets it."""
    assert "k2" in run("rotate", "--prepare")
    assert secrets.current_key_id() == "k1"
    assert "Key k2 seals" in run("rotate")


def test_a_running_process_uses_the_new_key_at_once(key_file: Path) -> None:
    before = seal("s", "here")
    keyring.use(key_file, keyring.add(key_file))
    assert seal("s", "here").startswith("k2:")
    assert secrets.open_sealed(before, "here") == "s"


def test_one_rotation_at_a_time(five: Tenant, key_file: Path) -> None:
    with keyring.alone(key_file), pytest.raises(CommandError, match="under way"):
        run("rotate")
    assert secrets.current_key_id() == "k1"


def test_what_does_not_open_is_named_and_left(five: Tenant, other_tenant: Tenant) -> None:
    """T62: a ciphertext that was moved to another row or tenant, or made with a key that is gone, opens nowhere."""
    with acting_for(five):
        a, b, c = Credential.objects.order_by("slug")
        Credential.objects.filter(pk=b.pk).update(sealed=a.sealed)
        Credential.objects.filter(pk=c.pk).update(sealed="k9:" + c.sealed.partition(":")[2])
    with acting_for(other_tenant):
        d = Credential.objects.get(slug="d")
        Credential.objects.filter(pk=d.pk).update(sealed=a.sealed)
    for words in ("verify",), ("rotate",):
        with pytest.raises(CommandError) as told:
            run(*words)
        named = str(told.value)
        assert [row.pk in named for row in (a, b, c, d)] == [False, True, True, True]
    assert opened_one(five, "a") == "a"
    assert "Key k3 seals" in failing_run("rotate"), "what is lost holds no later rotation up"


def opened_one(tenant: Tenant, slug: str) -> str:
    with acting_for(tenant):
        return key_of(Credential.objects.get(slug=slug))


def failing_run(*words: str) -> str:
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("secrets", *words, stdout=out)
    return out.getvalue()


def test_a_key_that_is_saved_meanwhile_is_not_overwritten(
    five: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = rotation._plain

    def slow(text: str, place: str) -> str:
        with acting_for(five):
            row = Credential.objects.get(slug="a")
            if secrets.key_id_of(row.sealed) == "k1" and place == context_of(row):
                Credential.objects.filter(pk=row.pk).update(sealed=seal("newer", place))
        return real(text, place)

    monkeypatch.setattr(rotation, "_plain", slow)
    run("rotate")
    assert opened(five)["a"] == "newer"


def test_the_database_alone_reveals_nothing(five: Tenant, alice: User) -> None:
    """T62: neither keys nor second factors stand in it as they are."""
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    make(five, "canary-in-a-row")
    with acting_for(five):
        Credential.objects.filter(slug="canary-in-a-row").update(slug="renamed")
    dump = database_text()
    assert "JBSWY3DPEHPK3PXP" not in dump
    assert "canary-in-a-row" not in dump
    for key in json.loads(secrets.key_file().read_text())["keys"].values():
        assert key not in dump


def database_text() -> str:
    """Every value of every table that may hold a secret."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        tables = [name for name in names if name.startswith(("platform_site", "mfa"))]
        rows = []
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')
            rows += cursor.fetchall()
    return str(rows)


def test_a_second_factor_works_sealed_and_after_a_rotation(alice: User) -> None:
    factor = TOTP.activate(alice, "JBSWY3DPEHPK3PXP").instance
    run("rotate")
    factor.refresh_from_db()
    assert factor.data["secret"].startswith("k2:")
    assert adapter_opens(factor) == "JBSWY3DPEHPK3PXP"


def test_a_second_factor_from_before_is_sealed_by_the_next_rotation(alice: User) -> None:
    factor = Authenticator.objects.create(user=alice, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    assert adapter_opens(factor) == "JBSWY3DPEHPK3PXP"
    assert "not sealed" in run("verify")
    run("rotate")
    factor.refresh_from_db()
    assert "JBSWY" not in str(factor.data)
    assert adapter_opens(factor) == "JBSWY3DPEHPK3PXP"


def adapter_opens(factor: Authenticator) -> str:
    from allauth.mfa.utils import decrypt

    return str(decrypt(factor.data["secret"]))


def test_a_sealed_column_nobody_listed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(checks.check_sealed()) == []
    others = tuple(field for field in sealed_fields.FIELDS if field.model != "platform_site.Credential")
    monkeypatch.setattr(sealed_fields, "FIELDS", others)
    assert ["platform_site.Credential.sealed" in str(one) for one in checks.check_sealed()] == [True]


def test_every_line_leads_somewhere(tenant: Tenant) -> None:
    with acting_for(tenant):
        assert [list(field.rows()) for field in sealed_fields.FIELDS] == [[] for _ in sealed_fields.FIELDS]
    assert all(isinstance(field, SealedField) and callable(field.place_of) for field in sealed_fields.FIELDS)


def test_the_key_file_stays_the_owners_alone(key_file: Path) -> None:
    keyring.use(key_file, keyring.add(key_file))
    assert os.stat(key_file).st_mode & 0o777 == 0o600
    assert sorted(path.name for path in key_file.parent.iterdir()) == ["sealing.json"]
