"""`manage.py secrets verify | rotate`: does every sealed secret open, and a new key for all of them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from platform_site import keyring, rotation, secrets
from platform_site.audit import coming_from


class Command(BaseCommand):
    help = "Sealed secrets: check that each opens, or seal all of them with a new key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="verify | rotate")
        verbs.add_parser("verify", help="open every sealed secret; exits 1 when one does not open")
        rotate = verbs.add_parser(
            "rotate", help="make a new key and seal everything with it; goes on after a crash"
        )
        end = rotate.add_mutually_exclusive_group()
        end.add_argument(
            "--prepare", action="store_true",
            help="only make the new key, to copy keys/ to every machine before it is used",
        )  # fmt: skip
        end.add_argument(
            "--forget", action="store_true", help="end a rotation: forget the old keys (backups made before need them)"
        )  # fmt: skip

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        if verb == "verify":
            self.verify()
        elif options["prepare"]:
            self.stdout.write(
                f"Key {rotation.prepare()} is made. Copy {secrets.key_file().parent}, then rotate."
            )
        else:
            self.rotate(forget=options["forget"])

    def verify(self) -> None:
        found = rotation.look()
        for (model, key_id), count in sorted(found.counts.items()):
            self.stdout.write(f"{count:>6} {model} ({key_id})")
        if found.lost:
            raise CommandError("These do not open with the keys there are:\n  " + "\n  ".join(found.lost))
        self.stdout.write(f"{found.states.total()} secrets; the current key is {secrets.current_key_id()}.")

    def rotate(self, *, forget: bool) -> None:
        try:
            with keyring.alone(secrets.key_file()), coming_from("command"):
                if not forget:
                    self.begin()
                self.reseal()
                if forget:
                    gone = rotation.forget()
                    self.stdout.write(f"Forgotten: {', '.join(gone) or 'nothing'}.")
        except BlockingIOError:
            raise CommandError("Another rotation is under way.") from None
        except rotation.NotYet as why:
            raise CommandError(f"Not forgotten: {why}.") from None
        if not forget:
            self.stdout.write("Old keys still open what backups hold; `secrets rotate --forget` ends that.")

    def begin(self) -> None:
        key_id, is_new = rotation.begin()
        self.stdout.write(f"Key {key_id} seals from now on." if is_new else f"Going on with key {key_id}.")

    def reseal(self) -> None:
        for model, count in sorted(rotation.reseal().items()):
            self.stdout.write(f"{count:>6} {model} sealed anew")
        found = rotation.look()
        self.stdout.write(
            f"{found.states['current']} of {found.states.total()} secrets have the current key."
        )
        if found.lost:
            raise CommandError("These do not open with the keys there are:\n  " + "\n  ".join(found.lost))
