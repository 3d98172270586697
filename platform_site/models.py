"""The ground everyone stands on: people, tenants, who may do what, the event ledger, sealed secrets, the audit log."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from platform_site.append_only import AppendOnlyModel
from platform_site.ids import new_id
from platform_site.tenancy import TenantModel


class UserManager(BaseUserManager["User"]):
    """Users are found by e-mail, whatever its case."""

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        user = self.model(email=email.strip().lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser):
    """A person. What they may do in a tenant is their Membership there."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    locale = models.CharField(_("language"), max_length=12, blank=True)
    timezone = models.CharField(_("time zone"), max_length=64, blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")

    def __str__(self) -> str:
        return self.name or self.email


class Tenant(models.Model):
    """An organisation. Its rows, files, events, secrets and jobs are never seen by another."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    slug = models.SlugField(_("short name"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=120)
    locale = models.CharField(_("language"), max_length=12, default="en")
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC")
    egress = models.JSONField(_("allowed private hosts"), default=list, blank=True)
    notify_after_s = models.PositiveIntegerField(default=300)
    """Seconds after which people are told by mail and webhook of what still waits for them."""
    is_active = models.BooleanField(_("active"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("tenant")
        verbose_name_plural = _("tenants")

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    OWNER = "owner", _("Owner")
    ADMIN = "admin", _("Admin")
    REVIEWER = "reviewer", _("Reviewer")
    MEMBER = "member", _("Member")


ADMIN_ROLES = frozenset({Role.OWNER, Role.ADMIN})


class Membership(TenantModel):
    """A person's place in a tenant."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", verbose_name=_("person"))
    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.MEMBER)
    is_active = models.BooleanField(_("active"), default=True)
    mail_notices = models.BooleanField(default=True)
    """Whether they are sent mail about what waits for them here."""
    created_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_membership_per_tenant")]

    def __str__(self) -> str:
        return str(self.user)


class ApiToken(TenantModel):
    """A program's way in: bound to a person and a tenant, hashed, scoped, revocable."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", verbose_name=_("person"))
    name = models.CharField(_("name"), max_length=80)
    hint = models.CharField(_("begins with"), max_length=12, editable=False)
    hash = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"


class Credential(TenantModel):
    """A secret for talking to somebody else's server; the key is sealed and never shown again."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    slug = models.SlugField(_("short name"), max_length=60)
    provider = models.CharField(_("provider"), max_length=20)
    base_url = models.CharField(_("base URL"), max_length=300, blank=True)
    sealed = models.TextField(editable=False, blank=True)
    key_env = models.CharField(_("key from environment"), max_length=80, blank=True)
    updated_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("credential")
        verbose_name_plural = _("credentials")
        constraints = [models.UniqueConstraint(fields=["tenant", "slug"], name="credential_slug_per_tenant")]

    def __str__(self) -> str:
        return self.slug


class Topic(TenantModel):
    """What events are numbered within; a conversation is one, under the same id."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    last_seq = models.PositiveIntegerField(default=0)


class Event(TenantModel):
    """One numbered, immutable AG-UI event of a topic. Written by `ledger` alone."""

    id = models.BigAutoField(primary_key=True)
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    seq = models.PositiveIntegerField()
    payload = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["topic", "seq"], name="event_number_once_per_topic")]


class IdempotentReply(TenantModel):
    """What a POST with this Idempotency-Key was answered, so that a repeat gets the same answer."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "user", "key"], name="idempotency_key_once")]


class AuditEntry(AppendOnlyModel):
    """Who did what to which thing, from where: one link of the tenant's audit chain. Written by `audit` alone.

    Names stand beside ids as they were then, and nothing points anywhere: an entry outlives what it tells of.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    number = models.PositiveBigIntegerField(_("number"))
    time = models.DateTimeField(_("time"))
    actor = models.CharField(max_length=32, blank=True)
    """A user's id; empty when the operator or the system itself did it."""
    actor_name = models.CharField(pgettext_lazy("of an act", "who"), max_length=254, blank=True)
    behalf = models.CharField(max_length=32, blank=True)
    behalf_name = models.CharField(_("on behalf of"), max_length=254, blank=True)
    verb = models.CharField(pgettext_lazy("of an act", "what"), max_length=60)
    object_kind = models.CharField(_("kind of thing"), max_length=40, blank=True)
    object_id = models.CharField(_("id of the thing"), max_length=64, blank=True)
    object_name = models.CharField(_("thing"), max_length=200, blank=True)
    before = models.CharField(_("fingerprint before"), max_length=64, blank=True)
    after = models.CharField(_("fingerprint after"), max_length=64, blank=True)
    details = models.TextField(_("details"), default="{}")
    """Canonical JSON as text: what is hashed is what is stored, to the byte."""
    way = models.CharField(_("way in"), max_length=12)
    ip = models.CharField(_("address"), max_length=45, blank=True)
    request = models.CharField(_("request"), max_length=64, blank=True)
    key = models.CharField(max_length=40)
    """The id of the key `hash` was made with."""
    hash = models.CharField(_("link"), max_length=64)

    class Meta(AppendOnlyModel.Meta):
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        constraints = [models.UniqueConstraint(fields=["tenant", "number"], name="audit_number_once")]
        indexes = [
            models.Index(fields=["tenant", "verb", "number"], name="audit_by_verb"),
            models.Index(fields=["tenant", "object_id"], name="audit_by_object"),
        ]

    def __str__(self) -> str:
        return f"#{self.number} {self.verb}"


class AuditHead(TenantModel):
    """Where a tenant's audit chain ends: so that an end that was cut off is missed."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    count = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, blank=True)
    key = models.CharField(max_length=40, blank=True)
    mac = models.CharField(max_length=64, blank=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_audit_head_per_tenant")]


# Django finds an app's tables through this module.
from platform_site.notices.models import Notice, Webhook  # noqa: E402, F401
