"""The sections `tenant`, `people` and `credentials` of the configuration file (protocol.md), in and out.

Applying is idempotent and answers with (name, "created" | "changed" | "unchanged") for each entry. What is wrong
raises `BadDefinition` with every fault. All but `apply_tenant` act within a tenant. `author` is None for the
operator, who alone may name environment variables, allow private hosts and set the password of an existing person.
Secrets go in and never come out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import available_timezones

from django.conf import settings
from django.utils.translation import gettext as _
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from platform_site import audit, credentials, people, secrets
from platform_site.access import Actor
from platform_site.base_url import normalised
from platform_site.errors import BadDefinition, Problem
from platform_site.model_servers import refusal
from platform_site.models import Credential, Membership, Role, Tenant, User
from platform_site.notices.models import Webhook
from platform_site.shape_words import words_of
from platform_site.tenancy import acting_for

Done = list[tuple[str, str]]
CREATED, CHANGED, UNCHANGED = "created", "changed", "unchanged"
S = TypeVar("S", bound="Section")


def _locale(value: str) -> str:
    if value not in dict(settings.LANGUAGES):
        known = ", ".join(dict(settings.LANGUAGES))
        raise ValueError(
            _("There is no language “%(given)s”; there are %(known)s.") % {"given": value, "known": known}
        )
    return value


def _timezone(value: str) -> str:
    if value not in available_timezones():
        raise ValueError(_("“%(given)s” is not an IANA time zone.") % {"given": value})
    return value


class Section(BaseModel):
    """No unknown keys, no guessing at types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class TenantSection(Section):
    slug: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    name: str = Field(min_length=1, max_length=120)
    locale: Annotated[str, AfterValidator(_locale)] | None = None
    timezone: Annotated[str, AfterValidator(_timezone)] | None = None
    egress: list[Annotated[str, Field(pattern=r"^[^\s/@]+:\d{1,5}$")]] | None = None
    notify_after_s: int | None = Field(default=None, ge=0, le=24 * 3600, multiple_of=60)


class PersonSection(Section):
    email: str = Field(pattern=r"^[^@\s]+@[^@\s]+$", max_length=254)
    name: str | None = Field(default=None, max_length=120)
    password: str | None = Field(default=None, min_length=8)
    role: Literal["owner", "admin", "reviewer", "member"]


class CredentialSection(Section):
    slug: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,60}$")
    provider: Literal["openai", "gemini", "perplexity", "http"]
    base_url: Annotated[str, AfterValidator(normalised)] | None = Field(default=None, max_length=300)
    api_key: str | None = None
    api_key_env: str | None = Field(default=None, max_length=80, pattern=r"^[A-Z][A-Z0-9_]*$")


# Tenant


def apply_tenant(section: Mapping[str, Any], author: User | None) -> tuple[Tenant, str]:
    """Make or update the tenant. Only the operator can make one, or let it reach private hosts."""
    asked = _read(TenantSection, section, "$.tenant")
    given = asked.model_dump(exclude_none=True)
    tenant = Tenant.objects.filter(slug=asked.slug).first()
    if author and (tenant is None or sorted(given.get("egress", tenant.egress)) != sorted(tenant.egress)):
        raise BadDefinition(
            [{"path": "$.tenant", "message": _("The operator alone makes tenants and allows private hosts.")}]
        )
    with audit.recording():
        before = audit.digest(export_tenant(tenant)) if tenant else ""
        outcome = update(tenant, given) if tenant else CREATED
        tenant = tenant or Tenant.objects.create(**given)
        if outcome != UNCHANGED:
            _note_tenant(tenant, before, sorted(given), author)
    return tenant, outcome


def _note_tenant(tenant: Tenant, before: str, given: list[str], author: User | None) -> None:
    after = audit.digest(export_tenant(tenant))
    with acting_for(tenant):
        verb = "tenant.changed" if before else "tenant.created"
        audit.note(verb, tenant, by=author, before=before, after=after, given=given)


def export_tenant(tenant: Tenant) -> dict[str, Any]:
    return {key: getattr(tenant, key) for key in TenantSection.model_fields}


# People


def apply_people(entries: Iterable[Mapping[str, Any]], author: User | None) -> Done:
    """Each person is a member with the role named here. Nobody is removed."""
    return each("people", PersonSection, entries, lambda asked: (asked.email, _apply_person(asked, author)))


def _apply_person(asked: PersonSection, author: User | None) -> str:
    membership = (
        Membership.objects.select_related("user").filter(user__email=asked.email.strip().lower()).first()
    )
    by = _acting(author)
    if membership is None:
        made = people.add_person(by, asked.email, asked.role, asked.name or "", asked.password)
        _apply_account(made.user, asked, author)
        return CREATED
    changed = _apply_account(membership.user, asked, author)
    if membership.role != asked.role:
        people.change_role(by, membership.pk, asked.role)
        changed = True
    if not membership.is_active:
        people.reactivate(by, membership.pk)
        changed = True
    return CHANGED if changed else UNCHANGED


def _apply_account(user: User, asked: PersonSection, author: User | None) -> bool:
    """Name and password are the person's own: of what exists, only the operator changes them."""
    if author:
        return False
    changed = update(user, {"name": asked.name} if asked.name is not None else {}) == CHANGED
    if asked.password and not user.check_password(asked.password):
        people.set_password(user, asked.password, by=author)
        changed = True
    return changed


def _acting(author: User | None) -> Actor | None:
    if author is None:
        return None
    place = Membership.objects.select_related("tenant").filter(user=author, is_active=True).first()
    if place is None:
        raise Problem(403, "forbidden", _("The author does not take part in this tenant."))
    return Actor(author, place.tenant, Role(place.role), None, "session")


def export_people() -> list[dict[str, Any]]:
    """Active members, without their passwords."""
    rows = Membership.objects.filter(is_active=True, user__is_active=True).order_by("user__email")
    found = rows.values_list("user__email", "user__name", "role")
    return [{"email": email, **({"name": name} if name else {}), "role": role} for email, name, role in found]


# Credentials


def apply_credentials(entries: Iterable[Mapping[str, Any]], author: User | None) -> Done:
    """A key that is given is sealed; one that is not given stays as it was."""
    return each(
        "credentials", CredentialSection, entries, lambda asked: (asked.slug, _apply_one(asked, author))
    )


def _apply_one(asked: CredentialSection, author: User | None) -> str:
    if asked.api_key and asked.api_key_env:
        raise Problem(400, "bad_request", _("Give api_key or api_key_env, not both."))
    kept = Credential.objects.filter(slug=asked.slug).first()
    if author and asked.api_key_env and asked.api_key_env != (kept.key_env if kept else ""):
        raise Problem(403, "forbidden", _("The operator alone names environment variables."))
    if author and kept and _goes_elsewhere(kept, asked) and not asked.api_key:
        raise Problem(403, "forbidden", _("Give the key again when the server it is for changes."))
    if refused := refusal(asked.provider, asked.base_url or ""):
        raise Problem(403, "forbidden", refused)
    before = copy(kept)
    credential = kept or Credential.objects.create(slug=asked.slug, provider=asked.provider)
    changed = update(
        credential, {"provider": asked.provider, "base_url": asked.base_url or "", **_key(credential, asked)}
    )
    credentials.note_saved(credential, before, by=author)
    return changed if kept else CREATED


def _goes_elsewhere(kept: Credential, asked: CredentialSection) -> bool:
    """Whether a key nobody may read would be sent to another server than it was given for."""
    has_key = bool(kept.sealed or kept.key_env)
    return has_key and credentials.goes_elsewhere(kept, asked.provider, asked.base_url or "")


def _key(credential: Credential, asked: CredentialSection) -> dict[str, str]:
    """The columns to write; nothing when the key is the one we have (sealing makes another text each time)."""
    if asked.api_key_env:
        return {"key_env": asked.api_key_env, "sealed": ""}
    if asked.api_key and asked.api_key != secrets.key_of(credential):
        return {"key_env": "", "sealed": secrets.seal(asked.api_key, secrets.context_of(credential))}
    return {}


def export_credentials() -> list[dict[str, Any]]:
    """Without the keys. The name of an environment variable is no secret."""
    return [
        {
            "slug": row.slug,
            "provider": row.provider,
            **({"base_url": row.base_url} if row.base_url else {}),
            **({"api_key_env": row.key_env} if row.key_env else {}),
        }
        for row in Credential.objects.order_by("slug")
    ]


# Shared


def each(
    section: str, shape: type[S], entries: Iterable[Mapping[str, Any]], apply: Callable[[S], tuple[str, str]]
) -> Done:
    """All entries or none; the faults of all of them together."""
    done, faults = Done(), list[Mapping[str, str]]()
    with audit.recording():
        for number, entry in enumerate(entries):
            path = f"$.{section}[{number}]"
            try:
                done.append(apply(_read(shape, entry, path)))
            except BadDefinition as bad:
                faults += bad.errors
            except Problem as problem:
                faults.append({"path": path, "message": problem.detail})
        if faults:
            raise BadDefinition(faults)
    return done


def _read(shape: type[S], given: Mapping[str, Any], path: str) -> S:
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        raise BadDefinition([_fault(path, fault["loc"], words_of(fault)) for fault in faults]) from None


def _fault(path: str, steps: Iterable[str | int], message: str) -> dict[str, str]:
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return {"path": path + where, "message": message}


def update(row: Tenant | User | Credential | Webhook, values: Mapping[str, Any]) -> str:
    """Save what differs."""
    differing = [key for key, value in values.items() if getattr(row, key) != value]
    for key in differing:
        setattr(row, key, values[key])
    if differing:
        row.save(update_fields=differing)
    return CHANGED if differing else UNCHANGED
