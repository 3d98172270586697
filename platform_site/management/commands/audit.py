"""`manage.py audit verify | export | heads`: check the audit chains, write a tenant's log out, sign the heads now."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from pathlib import Path
from typing import Any, assert_never

from django.core.management.base import BaseCommand, CommandError

from platform_site.audit import coming_from, exporting, heads, note, recording
from platform_site.audit.chain import Broken, Witness
from platform_site.audit.heads import Exported, NotOurs
from platform_site.audit.verifying import Sound, verify
from platform_site.models import AuditEntry, Tenant
from platform_site.tenancy import acting_for

Witnesses = dict[str, list[Witness]]


class Command(BaseCommand):
    help = "The audit log: verify its chains, export a tenant's entries, or sign the heads now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="verify | export | heads")
        one = verbs.add_parser("verify", help="find the first entry that is not as it was written")
        one.add_argument("--tenant", default="", help="the tenant's short name; without it, all tenants")
        one.add_argument(
            "--heads", type=Path, default=heads.folder(), metavar="DIR",
            help="a folder of exported heads, best a copy kept elsewhere; without it, the data directory's own",
        )  # fmt: skip
        two = verbs.add_parser("export", help="write a tenant's entries to standard output")
        two.add_argument("tenant", help="the tenant's short name")
        two.add_argument("--format", choices=["json", "csv"], default="json", help="JSON lines, or CSV")
        verbs.add_parser("heads", help="sign the heads now, as the schedule does every few minutes")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        match verb:
            case "verify":
                self.verify(options["tenant"], options["heads"])
            case "export":
                self.export(options["tenant"], options["format"])
            case _:
                self.stdout.write(f"Signed {heads.export()} heads.")

    def verify(self, slug: str, where: Path) -> None:
        if not where.is_dir() and where != heads.folder():
            raise CommandError(f"There is no folder {where}.")
        tenants = [tenant_named(slug)] if slug else list(Tenant.objects.order_by("slug"))
        witnesses, complaints = sorted_out(heads.read(where))
        known = set(Tenant.objects.values_list("pk", flat=True))
        complaints += [
            f"tenant {pk}: gone, though {found[-1].where} counts {found[-1].length} entries"
            for pk, found in witnesses.items() if pk not in known
        ]  # fmt: skip
        complaints += [told for tenant in tenants if (told := self.verify_one(tenant, witnesses[tenant.pk]))]
        if complaints:
            raise CommandError("\n".join(complaints))

    def verify_one(self, tenant: Tenant, witnesses: list[Witness]) -> str:
        """Say that a tenant's chain is sound, or return what is wrong with it."""
        with acting_for(tenant):
            found = verify(witnesses)
            match found:
                case Sound(length=length):
                    self.stdout.write(
                        f"{tenant.slug}: {length} entries, sound; {len(witnesses)} exported heads agree."
                    )
                    return ""
                case Broken(number=number, why=why):
                    return f"{tenant.slug}: broken at entry {number}: {why}.{whats_there(number)}"
                case _:
                    assert_never(found)

    def export(self, slug: str, form: exporting.Form) -> None:
        tenant = tenant_named(slug)
        with acting_for(tenant), coming_from("command"):
            with recording():
                note("audit.exported", tenant, by=None, form=form)
            entries = AuditEntry.objects.order_by("number").iterator(2_000)
            for line in exporting.lines(entries, form):
                self.stdout.write(line, ending="")


def tenant_named(slug: str) -> Tenant:
    found = Tenant.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no tenant {slug!r}.")
    return found


def sorted_out(read: list[Exported | NotOurs]) -> tuple[Witnesses, list[str]]:
    """The heads by tenant, and a complaint for each line that we never signed."""
    witnesses: Witnesses = defaultdict(list)
    complaints = []
    for head in read:
        match head:
            case Exported(tenant=tenant, witness=witness):
                witnesses[tenant].append(witness)
            case NotOurs(where=where):
                complaints.append(f"{where}: this head was not signed here")
            case _:
                assert_never(head)
    return witnesses, complaints


def whats_there(number: int) -> str:
    """What stands at a position now, as a help to find it; it is not to be believed."""
    entry = AuditEntry.objects.filter(number=number).first()
    return f" There now: {entry.time:%Y-%m-%d %H:%M:%S} {entry.verb} {entry.object_name}." if entry else ""
