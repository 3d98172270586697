"""`manage.py audit verify`: what was done to the real tables by SQL is found, named, and told from what is sound."""

from __future__ import annotations

import random
from io import StringIO
from pathlib import Path
from typing import Any

import jwt
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils.module_loading import import_string

from platform_site import audit, jobs, signing
from platform_site.audit import heads, rows
from platform_site.audit.chain import COLUMNS, Broken, Row
from platform_site.audit.verifying import Sound, verify
from platform_site.models import AuditHead, Tenant, User
from platform_site.tenancy import acting_for
from tests.audit.conftest import log_of
from tests.audit.tampering import TAMPERINGS, Chain, Tampering

pytestmark = pytest.mark.django_db
LENGTH = 12
TABLE = "platform_site_auditentry"


def fill(tenant: Tenant, by: User, count: int = LENGTH) -> None:
    for number in range(count):
        with acting_for(tenant), audit.recording():
            audit.note("tool.version_saved", tenant, by=by, version=number)


def sql(text: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(text, values)


def as_seen(tenant: Tenant) -> Chain:
    return Chain(list(rows.rows_after(0)), rows.stored_head())


def written_back(tenant: Tenant, told: Chain) -> None:
    """Put a tampered chain into the tables, as a database's owner would."""
    sql(f"DELETE FROM {TABLE} WHERE tenant_id = %s", tenant.pk)
    names = ", ".join(f'"{name}"' for name in (*COLUMNS, "hash"))
    marks = ", ".join(["%s"] * (len(COLUMNS) + 1))
    for row in told.rows:
        sql(f"INSERT INTO {TABLE} ({names}) VALUES ({marks})", *row.values, row.hash)
    if told.head is None:
        sql("DELETE FROM platform_site_audithead WHERE tenant_id = %s", tenant.pk)
    else:
        head = "UPDATE platform_site_audithead SET count = %s, hash = %s, key = %s WHERE tenant_id = %s"
        sql(head, told.head.length, told.head.hash, told.head.key, tenant.pk)


def fits(told: Chain, tenant: Tenant) -> bool:
    """Whether the tables would take it: some edits break a column's type, length or a constraint."""
    numbers = [row.number for row in told.rows]
    ours = all(row.values[1] == tenant.pk and row.values[3][:4].isdigit() for row in told.rows)
    times = all(_is_time(row) for row in told.rows)
    return ours and times and len(set(numbers)) == len(numbers) and all(_short(row) for row in told.rows)


def _is_time(row: Row) -> bool:
    from django.utils.dateparse import parse_datetime

    try:
        return parse_datetime(row.values[3]) is not None
    except ValueError:
        return False


def _short(row: Row) -> bool:
    longest = {"id": 32, "before": 64, "after": 64, "verb": 60, "way": 12, "key": 40}
    return len(row.hash) <= 64 and all(
        len(row.values[COLUMNS.index(name)]) <= length for name, length in longest.items()
    )


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_what_is_done_by_sql_is_found_at_the_right_place(
    tampering: Tampering, inside: Tenant, alice: User
) -> None:
    """T63: the same tamperings as in memory, on the real tables; each is undone afterwards."""
    fill(inside, alice)
    dice = random.Random(tampering.__name__)
    done = 0
    while done < 15:
        told = as_seen(inside)
        first = tampering(told, dice)
        if not fits(told, inside):
            continue
        with transaction.atomic():
            written_back(inside, told)
            found = verify()
            transaction.set_rollback(True)
        assert isinstance(found, Broken) and found.number == first, (found, first)
        done += 1
    assert verify() == Sound(LENGTH)


def verified(*args: str) -> str:
    out = StringIO()
    call_command("audit", "verify", *args, stdout=out)
    return out.getvalue()


def refused(*args: str) -> str:
    with pytest.raises(CommandError) as error:
        verified(*args)
    assert error.value.returncode == 1
    return str(error.value)


def test_the_command_names_the_first_bad_entry(tenant: Tenant, other_tenant: Tenant, alice: User) -> None:
    """T63: one tenant's broken chain says nothing of another's."""
    fill(tenant, alice)
    fill(other_tenant, alice, 2)
    assert "acme: 12 entries, sound" in verified() and "globex: 2 entries, sound" in verified()
    sql(f"UPDATE {TABLE} SET actor_name = 'eve@acme.test' WHERE tenant_id = %s AND number = 7", tenant.pk)
    told = refused()
    assert "acme: broken at entry 7: it is not what was written here" in told and "tool.version_saved" in told
    assert "globex" not in told
    assert "sound" in verified("--tenant", "globex")
    assert "no tenant 'nowhere'" in refused("--tenant", "nowhere")


def test_a_cut_tail_with_its_head_is_found_through_the_exported_head(
    tenant: Tenant, alice: User, data_dir: Path
) -> None:
    """T63: the database is set back to an earlier state that was right then."""
    fill(tenant, alice, 4)
    earlier = AuditHead.objects.across_tenants().values().get()
    fill(tenant, alice, 3)
    assert heads.export() == 1
    sql(f"DELETE FROM {TABLE} WHERE number > 4")
    AuditHead.objects.across_tenants().filter(pk=earlier["id"]).update(
        count=4, hash=earlier["hash"], mac=earlier["mac"]
    )
    with acting_for(tenant):
        assert verify() == Sound(4), "nothing in the database tells"
    assert "broken at entry 5: missing up to 7, as the head exported to" in refused()
    elsewhere = data_dir / "copied"
    heads.folder().rename(elsewhere)
    assert "4 entries, sound; 0 exported heads agree" in verified()
    assert "broken at entry 5" in refused("--heads", str(elsewhere))


def test_a_log_that_is_gone_altogether_is_missed(tenant: Tenant, alice: User) -> None:
    """T63"""
    fill(tenant, alice, 2)
    heads.export()
    sql(f"DELETE FROM {TABLE}")
    sql("DELETE FROM platform_site_audithead")
    assert "acme: broken at entry 1" in refused()
    tenant_id = tenant.pk
    sql("DELETE FROM platform_site_membership")
    sql("DELETE FROM platform_site_tenant")
    assert f"tenant {tenant_id}: gone" in refused()


def test_heads_are_exported_when_something_was_noted(
    tenant: Tenant, other_tenant: Tenant, alice: User, caplog: Any
) -> None:
    """On the schedule; into a file a day and into the log, from where a copy gets out of the house."""
    export = import_string(jobs.OFTEN["audit heads"])
    assert export() == 0
    fill(tenant, alice, 2)
    fill(other_tenant, alice, 1)
    assert (export(), export()) == (2, 0)
    fill(tenant, alice, 1)
    with caplog.at_level("INFO"):
        assert export() == 1
    (file,) = heads.folder().iterdir()
    lines = file.read_text().splitlines()
    assert len(lines) == 3 and lines[-1] in caplog.text
    said = signing.opened(heads.KIND, lines[-1])
    assert (said["tenant"], said["count"], said["hash"]) == (tenant.pk, 3, log_of(tenant)[-1].hash)
    assert "3 entries, sound; 2 exported heads agree" in verified()


def test_a_head_is_checked_with_the_published_key_and_opens_nothing_else(tenant: Tenant, alice: User) -> None:
    """Whoever keeps the lines needs nothing of ours; and no such line passes for an acting user's token."""
    fill(tenant, alice, 1)
    heads.export()
    line = next(heads.folder().iterdir()).read_text().strip()
    key = jwt.PyJWK(signing.jwks()["keys"][0]).key
    assert jwt.decode(line, key, algorithms=["EdDSA"])["slug"] == "acme"
    with pytest.raises(jwt.InvalidTokenError):
        jwt.decode(line, key, algorithms=["EdDSA"], audience="http://127.0.0.1:8001")
    token = signing.acting_user_token(alice, tenant, call="c1", audience="http://127.0.0.1:8001")
    with pytest.raises(jwt.InvalidTokenError):
        signing.opened(heads.KIND, token)


def test_a_head_that_we_did_not_sign_is_told(tenant: Tenant, alice: User) -> None:
    fill(tenant, alice, 1)
    heads.export()
    file = next(heads.folder().iterdir())
    file.write_text(file.read_text() + "not.a.head\n")
    assert f"{file.name}:2: this head was not signed here" in refused()


def test_a_head_that_somebody_changed_is_not_signed(tenant: Tenant, alice: User) -> None:
    """Our signature would make it true."""
    fill(tenant, alice, 3)
    AuditHead.objects.across_tenants().update(count=2)
    assert heads.export() == 0


def test_the_heads_lie_in_the_data_directory(tenant: Tenant, alice: User) -> None:
    fill(tenant, alice, 1)
    call_command("audit", "heads", stdout=StringIO())
    assert heads.folder() == Path(settings.DATA_DIR) / "audit-heads"
    assert "1 exported heads agree" in verified()
