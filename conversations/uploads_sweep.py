"""What nobody needs any more is removed: pictures that were not sent within a day, and files without a row.

Called by the runner's clock, in any number of processes. Each call does a bounded piece of work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from django.db import transaction

from conversations.uploads_models import Upload
from platform_site import stored_files
from platform_site.models import Tenant

UNSENT_FOR = timedelta(days=1)
YOUNG = timedelta(hours=1)
"""A file is written before its row; within this time its row may still come."""
EVERY_S, FILES_EVERY_S = 60.0, 600.0
BATCH = 100
FILES_A_ROUND = 1000
Found = tuple[str, str]


class Sweep:
    """Looks for forgotten pictures each minute, for lost files each ten."""

    def __init__(self) -> None:
        self._rows_at = self._files_at = 0.0
        self._files: Iterator[Found] = iter(())

    def look(self, now: datetime) -> None:
        """Do what is due at `now`."""
        moment = now.timestamp()
        if moment >= self._rows_at:
            full = remove_unsent(now) == BATCH
            self._rows_at = moment if full else moment + EVERY_S
        if moment >= self._files_at:
            more = self._look_at_files(now)
            self._files_at = moment if more else moment + FILES_EVERY_S

    def _look_at_files(self, now: datetime) -> bool:
        """One piece of the walk over all files; whether there is more."""
        piece = list(islice(self._files, FILES_A_ROUND))
        if not piece:
            self._files = stored_files.older_than(now - YOUNG)
            piece = list(islice(self._files, FILES_A_ROUND))
        remove_lost(piece)
        return len(piece) == FILES_A_ROUND


def remove_unsent(now: datetime) -> int:
    """Remove pictures that were uploaded and not sent for a day, in all tenants; returns how many."""
    uploads = Upload.objects.across_tenants()
    with transaction.atomic():
        # Locked, so that none of them can be sent between being found and being removed.
        old = list(
            uploads.filter(conversation=None, created_at__lt=now - UNSENT_FOR)
            .select_for_update(skip_locked=True)
            .order_by("created_at")[:BATCH]
        )
        uploads.filter(pk__in=[upload.pk for upload in old]).delete()
        names = [(upload.tenant_id or "", upload.file_name) for upload in old]
        transaction.on_commit(lambda: stored_files.remove_all(names))
    return len(old)


def remove_lost(files: Iterable[Found]) -> list[Found]:
    """Remove those of `files` (tenant, name) that no row names: what a crash left behind.

    A tenant that this database does not know is another database's: its files are left alone.
    """
    ours = set(Tenant.objects.values_list("pk", flat=True))
    found = [(tenant, name) for tenant, name in files if tenant in ours]
    known = Upload.objects.across_tenants().filter(pk__in=[name.partition(".")[0] for _, name in found])
    kept = {(upload.tenant_id, upload.file_name) for upload in known}
    lost = [file for file in found if file not in kept]
    stored_files.remove_all(lost)
    return lost
