"""What every table of the console has in common: its tenant, who may do what, and no trace of other tenants.

Rows come from managers that put the tenant into the SQL, so lists, searches, filters and choices are scoped by
themselves. What is not tenant-owned (people) is narrowed here. Django's LogEntry knows no tenant and is not used;
a line in the log tells who changed what, and versions keep their author.
"""

from __future__ import annotations

from typing import Any, TypeGuard

import structlog
from django import forms
from django.contrib.admin import RelatedFieldListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db import models
from django.db.models import ForeignKey, Model, QuerySet
from django.forms import ModelChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from platform_site.access import Actor
from platform_site.console.widgets import pretty
from platform_site.models import Membership, User

log = structlog.get_logger(__name__)


class ConsoleRequest(HttpRequest):
    """A request that passed the console's door: there is an actor, and they may configure."""

    actor: Actor
    user: User


def is_let_in(request: HttpRequest) -> TypeGuard[ConsoleRequest]:
    """Whether this is an owner or admin of the tenant in the path."""
    actor = getattr(request, "actor", None)
    return actor is not None and actor.can_configure and actor.tenant == getattr(request, "tenant", None)


def colleagues() -> QuerySet[User]:
    """The people of the acting tenant."""
    return User.objects.filter(pk__in=Membership.objects.values("user_id"))


def badge(tone: str, text: Any) -> SafeString:
    """A word in a coloured pill; `tone` is a CSS class."""
    return format_html('<span class="console-badge {}">{}</span>', tone, text)


def json_block(value: Any) -> str:
    """JSON, or text as it is, escaped."""
    if value in (None, "", [], {}):
        return "–"
    return format_html(
        '<pre class="console-json">{}</pre>', value if isinstance(value, str) else pretty(value)
    )


class UniqueInTenantForm(forms.ModelForm):
    """Catches a name that is taken before the database does: the tenant is not a field of the form."""

    unique_in_tenant = "slug"

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        name = self.cleaned_data.get(self.unique_in_tenant)
        if name and self._others().filter(**{self.unique_in_tenant: name}).exists():
            self.add_error(self.unique_in_tenant, _("This name is already taken."))
        return cleaned

    def _others(self) -> QuerySet[Model]:
        return self._meta.model._default_manager.exclude(pk=self.instance.pk)


class TenantModelAdmin(ModelAdmin):
    """A table of the tenant that owners and admins configure."""

    actions = None
    list_per_page = 50
    warn_unsaved_form = True

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_let_in(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_let_in(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_let_in(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_let_in(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """History points to almost everything: disable it instead."""
        return False

    def formfield_for_foreignkey(
        self, db_field: ForeignKey, request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField | None:
        if db_field.related_model is User:
            kwargs["queryset"] = colleagues()
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: models.Field, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        for offer in ("can_add_related", "can_change_related", "can_delete_related", "can_view_related"):
            if field and hasattr(field.widget, offer):
                setattr(field.widget, offer, False)
        return field

    def row_or_404(self, request: HttpRequest, object_id: str) -> Any:
        """The row, if it is this tenant's."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return row

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Days that no calendar has are told as every filter that means nothing is: Django goes back to the list."""
        try:
            return super().get_changelist_instance(request)
        except (ValueError, OverflowError) as error:
            if request.GET:
                raise IncorrectLookupParameters(error) from error
            raise

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> HttpResponse:
        """Absent or another tenant's: the same 404."""
        raise Http404

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        context["show_save_and_add_another"] = False
        return super().render_change_form(request, context, *args, **kwargs)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        raise Http404

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None:
        self._tell(request, "added", obj)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:
        self._tell(request, "changed", obj)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Model]) -> None:
        for obj in queryset:
            self._tell(request, "deleted", obj)

    def _tell(self, request: HttpRequest, what: str, obj: Model) -> None:
        log.info("configuration", what=what, table=obj._meta.label_lower, row=obj.pk, by=request.user.pk)


class ReadOnlyAdmin(TenantModelAdmin):
    """A record of what happened: looked at, never changed here."""

    warn_unsaved_form = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PeopleFilter(RelatedFieldListFilter):
    """A list filter over a column that points to a person: it offers the tenant's people alone."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(person.pk, str(person)) for person in colleagues().order_by("name", "email")]
