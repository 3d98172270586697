"""`manage.py apply FILE.json`: take a tenant's configuration in, all or nothing."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from platform_site.audit import coming_from
from platform_site.setup.config_file import BadConfiguration, Report, apply_file, warnings
from tools import strictjson


class Command(BaseCommand):
    help = "Applies a configuration file to its tenant: what exists is updated, what the file does not name stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a JSON file; - reads standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            with coming_from("command"):
                report = apply_file(read(file), author=None)
        except BadConfiguration as error:
            faults = "\n".join(f"  {fault}" for fault in error.faults)
            raise CommandError(f"Nothing was applied.\n{faults}") from None
        self.show(report)
        for warning in warnings(report.tenant):
            self.stderr.write(self.style.WARNING(f"Warning: {warning}"))

    def show(self, report: Report) -> None:
        for change in report.changes:
            if change.outcome != "unchanged":
                self.stdout.write(f"{change.outcome:<9} {change.section:<11} {change.name}")
        counts = ", ".join(
            f"{report.count(outcome)} {outcome}" for outcome in ("created", "changed", "unchanged")
        )
        self.stdout.write(f"Tenant {report.tenant.slug}: {counts}.")


def read(file: str) -> object:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
        value: object = strictjson.loads(text)
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{file} is not UTF-8 text.") from None
    except strictjson.NotJson as error:
        raise CommandError(f"{file} is not JSON: {error}.") from None
    return value
