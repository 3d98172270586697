"""The tenant is in the SQL: without one nothing is read or written, with one only what is its own.

The walk below takes every public method of a queryset, so a new one of Django's without a row fails.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.serializers import deserialize, serialize
from django.db import IntegrityError, models, transaction
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, Subquery

from platform_site.models import Credential, Event, Membership, Tenant, Topic, User
from platform_site.tenancy import (
    ForeignTenant,
    NoTenant,
    TenantManager,
    TenantQuerySet,
    acting_for,
    current_tenant_id,
)
from tools.models import Tool, ToolVersion

Rows = models.QuerySet[Credential]


@pytest.fixture
def mine(tenant: Tenant) -> Credential:
    with acting_for(tenant):
        return Credential.objects.create(slug="mine", provider="http")


@pytest.fixture
def theirs(other_tenant: Tenant) -> Credential:
    with acting_for(other_tenant):
        return Credential.objects.create(slug="theirs", provider="http")


# Each asks the database something; the result's slugs, ids or numbers are compared.

READS: dict[str, Callable[[Rows], Any]] = {
    "aggregate": lambda rows: rows.aggregate(n=Count("pk"))["n"],
    "all": lambda rows: list(rows.all()),
    "annotate": lambda rows: list(rows.annotate(x=F("slug"))),
    "alias": lambda rows: list(rows.alias(x=F("slug")).filter(x="theirs")),
    "complex_filter": lambda rows: list(rows.complex_filter(Q(slug="theirs"))),
    "contains": lambda rows: rows.contains(Credential(pk="x", tenant_id="y")),
    "count": lambda rows: rows.count(),
    "dates": lambda rows: list(rows.dates("updated_at", "year")),
    "datetimes": lambda rows: list(rows.datetimes("updated_at", "year")),
    "defer": lambda rows: list(rows.defer("slug")),
    "difference": lambda rows: list(rows.difference(rows.none())),
    "distinct": lambda rows: list(rows.distinct()),
    "earliest": lambda rows: rows.earliest("slug"),
    "exclude": lambda rows: list(rows.exclude(slug="mine")),
    "exists": lambda rows: rows.exists(),
    "explain": lambda rows: rows.explain(),
    "extra": lambda rows: list(rows.extra(where=["1=1"])),
    "filter": lambda rows: list(rows.filter(slug="theirs")),
    "first": lambda rows: rows.first(),
    "get": lambda rows: rows.get(slug="theirs"),
    "in_bulk": lambda rows: list(rows.in_bulk()),
    "intersection": lambda rows: list(rows.intersection(rows)),
    "iterator": lambda rows: list(rows.iterator()),
    "last": lambda rows: rows.last(),
    "latest": lambda rows: rows.latest("slug"),
    "only": lambda rows: list(rows.only("slug")),
    "order_by": lambda rows: list(rows.order_by("-slug")),
    "prefetch_related": lambda rows: list(rows.prefetch_related(Prefetch("tenant"))),
    "reverse": lambda rows: list(rows.order_by("slug").reverse()),
    "select_for_update": lambda rows: list(rows.select_for_update()),
    "select_related": lambda rows: list(rows.select_related("tenant")),
    "union": lambda rows: list(rows.union(rows.filter(slug="theirs"))),
    "using": lambda rows: list(rows.using("default")),
    "values": lambda rows: list(rows.values("slug")),
    "values_list": lambda rows: list(rows.values_list("slug")),
    # not methods of their own, and easy to forget
    "slice": lambda rows: list(rows[:5]),
    "len": len,
    "bool": bool,
    "or": lambda rows: list(rows.filter(slug="a") | rows.exclude(slug="a")),
    "subquery": lambda rows: list(User.objects.filter(email__in=Subquery(rows.values("slug")))),
    "exists subquery": lambda rows: list(User.objects.filter(Exists(rows.filter(slug=OuterRef("email"))))),
    "in": lambda rows: list(User.objects.filter(email__in=rows.values("slug"))),
    "subquery below": lambda rows: list(rows.filter(pk__in=Credential.objects.values("pk"))),
    "get_or_create": lambda rows: rows.get_or_create(slug="mine"),
    "update_or_create": lambda rows: rows.update_or_create(slug="mine"),
}
WRITES: dict[str, Callable[[Rows], Any]] = {
    "bulk_create": lambda rows: rows.bulk_create([Credential(slug="new", provider="http")]),
    "bulk_update": lambda rows: rows.bulk_update([Credential(pk="x", tenant_id="y", slug="new")], ["slug"]),
    "create": lambda rows: rows.create(slug="new", provider="http"),
    "delete": lambda rows: rows.delete(),
    "update": lambda rows: rows.update(slug="new"),
}
ASYNC_READS: dict[str, Callable[[Rows], Awaitable[Any]]] = {
    "aaggregate": lambda rows: rows.aaggregate(n=Count("pk")),
    "acontains": lambda rows: rows.acontains(Credential(pk="x", tenant_id="y")),
    "acount": lambda rows: rows.acount(),
    "aearliest": lambda rows: rows.aearliest("slug"),
    "aexists": lambda rows: rows.aexists(),
    "aexplain": lambda rows: rows.aexplain(),
    "afirst": lambda rows: rows.afirst(),
    "aget": lambda rows: rows.aget(slug="theirs"),
    "ain_bulk": lambda rows: rows.ain_bulk(),
    "aiterator": lambda rows: each(rows.aiterator()),
    "alast": lambda rows: rows.alast(),
    "alatest": lambda rows: rows.alatest("slug"),
    "aget_or_create": lambda rows: rows.aget_or_create(slug="mine"),
    "aupdate_or_create": lambda rows: rows.aupdate_or_create(slug="mine"),
    "async for": lambda rows: each(rows.all()),
    "async for exclude": lambda rows: each(rows.exclude(slug="mine")),
    "async for select_related": lambda rows: each(rows.select_related("tenant")),
    "async for values": lambda rows: each(rows.values_list("slug", flat=True)),
}
ASYNC_WRITES: dict[str, Callable[[Rows], Awaitable[Any]]] = {
    "abulk_create": lambda rows: rows.abulk_create([Credential(slug="new", provider="http")]),
    "abulk_update": lambda rows: rows.abulk_update([Credential(pk="x", tenant_id="y")], ["slug"]),
    "acreate": lambda rows: rows.acreate(slug="new", provider="http"),
    "adelete": lambda rows: rows.adelete(),
    "aupdate": lambda rows: rows.aupdate(slug="new"),
}
NOT_QUERIES = {"as_manager", "none", "raw", "resolve_expression"}


async def each(rows: Any) -> list[Any]:
    return [row async for row in rows]


def said(answer: Any) -> str:
    """Everything an answer shows, rows with their columns."""
    if isinstance(answer, models.Model):
        return f"{answer.pk} {vars(answer)}"
    if isinstance(answer, list | tuple):
        return " ".join(said(one) for one in answer)
    return str(answer)


def test_every_queryset_method_is_in_the_walk() -> None:
    walked = {*READS, *WRITES, *ASYNC_READS, *ASYNC_WRITES, *NOT_QUERIES}
    public = {
        name
        for name, _method in inspect.getmembers(models.QuerySet, inspect.isfunction)
        if not name.startswith("_")
    }
    assert public - walked == set()


@pytest.mark.parametrize("name", [*READS, *WRITES])
def test_without_a_tenant_nothing_is_asked_of_the_database(name: str, mine: Credential) -> None:
    """T35: a missing tenant never falls back to anything."""
    with pytest.raises(NoTenant):
        (READS | WRITES)[name](Credential.objects.all())


@pytest.mark.parametrize("name", [*ASYNC_READS, *ASYNC_WRITES])
def test_without_a_tenant_nothing_is_asked_asynchronously(name: str, db: None) -> None:
    """T35, for the methods that other packages forget: `aexists`, `async for` over `exclude`."""

    async def ask() -> None:
        await (ASYNC_READS | ASYNC_WRITES)[name](Credential.objects.all())

    with pytest.raises(NoTenant):
        async_to_sync(ask)()


@pytest.mark.parametrize("name", READS)
def test_no_read_shows_a_row_of_another_tenant(
    name: str, tenant: Tenant, mine: Credential, theirs: Credential
) -> None:
    """T32: whatever is asked, the answer is without them, in content and in number."""
    with acting_for(tenant):
        if name in ("get",):
            with pytest.raises(Credential.DoesNotExist):
                READS[name](Credential.objects.all())
            return
        answer = READS[name](Credential.objects.all())
        assert theirs.pk not in said(answer)
        assert "theirs" not in said(answer)
        if name in ("count", "aggregate", "len"):
            assert answer == 1


def test_values_and_counts_are_those_of_the_acting_tenant(
    tenant: Tenant, other_tenant: Tenant, mine: Credential, theirs: Credential
) -> None:
    rows = Credential.objects.all()  # asked for outside, evaluated inside
    with acting_for(tenant):
        assert [row.slug for row in rows.all()] == ["mine"]
    with acting_for(other_tenant):
        assert [row.slug for row in rows.all()] == ["theirs"]


def test_bulk_writes_touch_no_row_of_another_tenant(
    tenant: Tenant, mine: Credential, theirs: Credential
) -> None:
    with acting_for(tenant):
        assert Credential.objects.filter(pk=theirs.pk).update(slug="stolen") == 0
        assert Credential.objects.filter(pk=theirs.pk).delete()[0] == 0
        theirs.slug = "stolen"
        assert Credential.objects.bulk_update([theirs], ["slug"]) == 0
    assert Credential.objects.across_tenants().get(pk=theirs.pk).slug == "theirs"


def test_raw_sql_is_refused(inside: Tenant) -> None:
    with pytest.raises(NoTenant):
        Credential.objects.raw("SELECT * FROM platform_site_credential")
    with pytest.raises(NoTenant):
        Credential.objects.across_tenants().raw("SELECT * FROM platform_site_credential")


# Writing


def foreign_inserts(theirs: Credential) -> dict[str, Callable[[], Any]]:
    tenant = theirs.tenant
    row = {"tenant": tenant, "slug": "planted", "provider": "http"}
    return {
        "create": lambda: Credential.objects.create(**row),
        "by id": lambda: Credential.objects.create(tenant_id=tenant.pk, slug="planted", provider="http"),
        "save": lambda: Credential(**row).save(),
        "force_insert": lambda: Credential(**row).save(force_insert=True),
        "bulk_create": lambda: Credential.objects.bulk_create([Credential(**row)]),
        "bulk_create, crossing": lambda: Credential.objects.across_tenants().bulk_create([Credential(**row)]),
        "bulk_create, second of two": lambda: Credential.objects.bulk_create(
            [Credential(slug="fine", provider="http"), Credential(**row)]
        ),
        "get_or_create": lambda: Credential.objects.get_or_create(**row),
        "update_or_create": lambda: Credential.objects.update_or_create(**row),
        "upsert on the id": lambda: Credential.objects.bulk_create(
            [Credential(pk=theirs.pk, slug="planted", provider="http")],
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["slug"],
        ),
        "upsert of the tenant": lambda: Credential.objects.bulk_create(
            [Credential(slug="planted", provider="http")],
            update_conflicts=True,
            unique_fields=["tenant", "slug"],
            update_fields=["tenant"],
        ),
        "fixture": lambda: [one.save() for one in deserialize("json", serialize("json", [theirs]))],
        "copy under the same id": lambda: Credential(pk=theirs.pk, tenant=tenant, slug="planted").save(),
    }


@pytest.mark.parametrize("way", foreign_inserts(Credential(tenant=Tenant(), slug="")))
def test_a_row_of_another_tenant_cannot_be_planted(way: str, tenant: Tenant, theirs: Credential) -> None:
    """T34"""
    with acting_for(tenant), pytest.raises(ForeignTenant), transaction.atomic():
        foreign_inserts(theirs)[way]()
    slugs = set(Credential.objects.across_tenants().values_list("slug", flat=True))
    assert slugs == {"theirs"}


def test_a_row_cannot_take_the_id_of_another_tenants_row(tenant: Tenant, theirs: Credential) -> None:
    """Saving under a known foreign id updates nothing, and the insert that follows collides."""
    with acting_for(tenant), pytest.raises(IntegrityError), transaction.atomic():
        Credential(pk=theirs.pk, slug="planted", provider="http").save()
    assert Credential.objects.across_tenants().get(pk=theirs.pk).slug == "theirs"


def test_a_loaded_row_of_another_tenant_can_be_neither_saved_nor_deleted(
    tenant: Tenant, theirs: Credential
) -> None:
    loaded = Credential.objects.across_tenants().get(pk=theirs.pk)
    with acting_for(tenant):
        loaded.slug = "stolen"
        for write in (loaded.save, lambda: loaded.save(update_fields=["slug"]), loaded.delete):
            with pytest.raises(ForeignTenant), transaction.atomic():
                write()
    with pytest.raises(NoTenant), transaction.atomic():
        loaded.save()
    assert Credential.objects.across_tenants().get().slug == "theirs"


def test_a_row_cannot_be_given_to_another_tenant(
    tenant: Tenant, other_tenant: Tenant, mine: Credential
) -> None:
    with acting_for(tenant):
        mine.tenant = other_tenant
        for write in (
            mine.save,
            lambda: mine.save(update_fields=["tenant"]),
            lambda: [one.save() for one in deserialize("json", serialize("json", [mine]))],
            lambda: Credential.objects.bulk_update([mine], ["tenant"]),
            lambda: Credential.objects.filter(pk=mine.pk).update(tenant=other_tenant),
            lambda: Credential.objects.across_tenants().update(tenant_id=other_tenant.pk),
        ):
            with pytest.raises(ForeignTenant), transaction.atomic():
                write()
    assert Credential.objects.across_tenants().get().tenant_id == tenant.pk


def test_a_row_cannot_point_to_another_tenants_row(tenant: Tenant, other_tenant: Tenant) -> None:
    """T34: the object at hand is checked; ids from outside are exchanged for rows by scoped managers first."""
    with acting_for(other_tenant):
        foreign = Tool.objects.create(name="theirs")
    with acting_for(tenant):
        with pytest.raises(ForeignTenant), transaction.atomic():
            ToolVersion.objects.create(tool=foreign, number=1, definition={}, risk="SAFE")
        with pytest.raises(ForeignTenant), transaction.atomic():
            ToolVersion.objects.bulk_create([ToolVersion(tool=foreign, number=1, definition={}, risk="SAFE")])
        with pytest.raises(Tool.DoesNotExist):
            Tool.objects.get(pk=foreign.pk)


def test_a_foreign_key_is_followed_inside_the_tenant_alone(tenant: Tenant, other_tenant: Tenant) -> None:
    with acting_for(tenant):
        tool = Tool.objects.create(name="mine")
        version = ToolVersion.objects.create(tool=tool, number=1, definition={}, risk="SAFE")
    fresh = ToolVersion.objects.across_tenants().get(pk=version.pk)
    with pytest.raises(NoTenant):
        _ = fresh.tool
    with acting_for(other_tenant):
        with pytest.raises(Tool.DoesNotExist):
            _ = fresh.tool
        assert list(tool.versions.all()) == []
        with pytest.raises(ToolVersion.DoesNotExist):
            fresh.refresh_from_db()
    with acting_for(tenant):
        assert fresh.tool == tool
        assert list(tool.versions.all()) == [version]
        assert list(Tool.objects.prefetch_related("versions").get().versions.all()) == [version]


def test_the_tenant_is_stamped_on_what_is_made(inside: Tenant) -> None:
    assert Topic.objects.create().tenant_id == inside.pk
    topic = Topic.objects.create()
    made = Event.objects.bulk_create([Event(topic=topic, seq=1, payload={})])
    assert made[0].tenant_id == inside.pk


def test_a_tenant_owned_row_cannot_even_be_begun_without_a_tenant() -> None:
    with pytest.raises(NoTenant):
        Topic()


def test_a_scope_needs_a_tenant() -> None:
    with pytest.raises(NoTenant), acting_for(""):
        pass


def test_scopes_nest_and_end(tenant: Tenant, other_tenant: Tenant) -> None:
    with acting_for(tenant):
        with acting_for(other_tenant):
            assert current_tenant_id() == other_tenant.pk
        assert current_tenant_id() == tenant.pk
        with pytest.raises(ZeroDivisionError), acting_for(other_tenant):
            _ = 1 / 0
        assert current_tenant_id() == tenant.pk
    with pytest.raises(NoTenant):
        current_tenant_id()


def test_every_table_with_a_tenant_is_scoped() -> None:
    """The system check that says so finds nothing, and would find something."""
    from platform_site.checks import check_tenancy

    assert list(check_tenancy()) == []
    assert isinstance(Membership._base_manager, TenantManager)
    assert isinstance(Membership._default_manager.all.__self__, TenantManager)
    with acting_for("x"):
        assert isinstance(Membership.objects.all(), TenantQuerySet)
