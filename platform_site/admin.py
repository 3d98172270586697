"""People, API tokens and credentials in the admin console. What changes them stands in `people` and `tokens`."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ResetPasswordForm
from django.contrib import messages
from django.contrib.admin import EmptyFieldListFilter, display, register
from django.db import transaction
from django.db.models import Field
from django.forms import Form, ModelForm, TypedChoiceField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, get_script_prefix, path, reverse, set_script_prefix
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST

from platform_site import audit, credentials, people, tokens
from platform_site.access import scopes_for
from platform_site.admin_site import site
from platform_site.audit import admin as audit_admin  # noqa: F401  # its table registers itself
from platform_site.console.base import ConsoleRequest, TenantModelAdmin, badge
from platform_site.console.forms import SCOPES, AddPersonForm, ApiTokenForm, CredentialForm
from platform_site.errors import Problem
from platform_site.models import ApiToken, Credential, Membership, Role, User
from platform_site.notices import admin as notices_admin  # noqa: F401  # as above


@register(Membership, site=site)
class PersonAdmin(TenantModelAdmin):
    """Who takes part here, and as what. Only owners touch owners; one owner always stays."""

    list_display = ("email", "called", "role", "is_active", "created_at")
    list_filter = ("role", "is_active")
    search_fields = ("user__email", "user__name")
    ordering = ("user__email",)
    list_select_related = ("user",)

    @display(description=gettext_lazy("e-mail address"), ordering="user__email")
    def email(self, membership: Membership) -> str:
        return membership.user.email

    @display(description=pgettext_lazy("of a person", "name"), ordering="user__name")
    def called(self, membership: Membership) -> str:
        return membership.user.name or "–"

    def has_change_permission(self, request: HttpRequest, obj: Membership | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or obj.role != Role.OWNER or _is_owner(request))

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> type[ModelForm]:
        return super().get_form(request, obj, change, **({} if obj else {"form": AddPersonForm}), **options)

    def get_fields(self, request: HttpRequest, obj: Membership | None = None) -> tuple[str, ...]:
        return ("email", "called", "role", "is_active") if obj else ("email", "name", "role", "password")

    def get_readonly_fields(self, request: HttpRequest, obj: Membership | None = None) -> tuple[str, ...]:
        return ("email", "called") if obj else ()

    def formfield_for_choice_field(
        self, db_field: Field, request: HttpRequest, **options: Any
    ) -> TypedChoiceField:
        if db_field.name == "role" and not _is_owner(request):
            options["choices"] = [choice for choice in Role.choices if choice[0] != Role.OWNER]
        return super().formfield_for_choice_field(db_field, request, **options)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """What `people` refuses is told, and nothing of it is kept."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Problem as problem:
            messages.error(request, str(problem.detail))
            return HttpResponseRedirect(request.get_full_path())

    def save_model(self, request: ConsoleRequest, obj: Membership, form: Form, change: bool) -> None:
        if change:
            _change(request, obj, form)
        else:
            _add(request, obj, form)


def _is_owner(request: Any) -> bool:
    return bool(request.actor.role == Role.OWNER)


def _change(request: ConsoleRequest, membership: Membership, form: Form) -> None:
    if "role" in form.changed_data:
        people.change_role(request.actor, membership.pk, form.cleaned_data["role"])
    if "is_active" in form.changed_data:
        verb = people.reactivate if form.cleaned_data["is_active"] else people.deactivate
        verb(request.actor, membership.pk)


def _add(request: ConsoleRequest, membership: Membership, form: Form) -> None:
    given = form.cleaned_data
    made = people.add_person(
        request.actor, given["email"], given["role"], given["name"], given["password"] or None
    )
    membership.pk, membership.user = made.pk, made.user
    if not made.user.has_usable_password():
        transaction.on_commit(lambda: _send_password_link(request, made.user), robust=True)
        messages.info(request, _("They are sent a link to choose a password."))


def _send_password_link(request: HttpRequest, user: User) -> None:
    """Through allauth, whose pages stand outside the tenant's path."""
    form = ResetPasswordForm({"email": user.email})
    inside = get_script_prefix()
    set_script_prefix("/")
    try:
        if form.is_valid():
            form.save(request)
    finally:
        set_script_prefix(inside)


@register(ApiToken, site=site)
class ApiTokenAdmin(TenantModelAdmin):
    """Tokens of this tenant's people. Each makes their own; whoever configures may revoke any."""

    form = ApiTokenForm
    list_display = ("name", "user", "starts_with", "may", "state", "last_used_at", "expires_at")
    list_filter = (("revoked_at", EmptyFieldListFilter),)
    search_fields = ("name", "user__email")
    ordering = ("-id",)
    list_select_related = ("user",)
    change_form_outer_after_template = "admin_console/revoke.html"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> tuple[str, ...]:
        made = ("name", "user", "starts_with", "may", "state", "created_at", "last_used_at", "expires_at")
        return made if obj else ("name", "scopes", "expires_at")

    def get_readonly_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> tuple[str, ...]:
        return ("starts_with", "may", "state", "created_at") if obj else ()

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> type[ModelForm]:
        form = super().get_form(request, obj, change, **options)
        if "scopes" in form.base_fields:
            mine = scopes_for(request.actor.role)  # type: ignore[attr-defined]
            form.base_fields["scopes"].choices = [scope for scope in SCOPES if scope[0] in mine]  # type: ignore[attr-defined]
        return form

    @display(description=gettext_lazy("begins with"))
    def starts_with(self, token: ApiToken) -> str:
        return f"{token.hint}…"

    @display(description=pgettext_lazy("what a token allows", "may"))
    def may(self, token: ApiToken) -> str:
        return ", ".join(token.scopes)

    @display(description=gettext_lazy("state"))
    def state(self, token: ApiToken) -> SafeString:
        if token.revoked_at:
            return badge("bad", _("revoked"))
        return badge("good", _("live")) if tokens.alive([token.pk]) else badge("warn", _("expired"))

    def save_model(self, request: ConsoleRequest, obj: Any, form: Form, change: bool) -> None:
        given = form.cleaned_data
        made, obj.raw = tokens.make(request.user, given["name"], given["scopes"], given["expires_at"])
        obj.pk = made.pk

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        context["show_save_and_continue"] = False
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        """The only time the token is seen: straight in the answer, kept nowhere."""
        context = self.admin_site.each_context(request)
        context |= {"title": _("API token"), "opts": self.opts, "token": obj, "raw": obj.raw}
        return TemplateResponse(request, "admin_console/token_made.html", context)

    def get_urls(self) -> list[URLPattern]:
        revoke = self.admin_site.admin_view(require_POST(self.revoke_view))
        name = "platform_site_apitoken_revoke"
        return [path("<str:object_id>/revoke/", revoke, name=name), *super().get_urls()]

    def revoke_view(self, request: ConsoleRequest, object_id: str) -> HttpResponse:
        token = self.row_or_404(request, object_id)
        tokens.revoke(token, by=request.user)
        self.log_change(request, token, None)
        messages.success(request, _("The token is revoked: it opens nothing any more."))
        return HttpResponseRedirect(reverse("admin:platform_site_apitoken_changelist"))


@register(Credential, site=site)
class CredentialAdmin(TenantModelAdmin):
    """Keys for other people's servers. The key itself is never shown."""

    form = CredentialForm
    list_display = ("slug", "provider", "base_url", "key", "updated_at")
    list_filter = ("provider",)
    search_fields = ("slug", "base_url")
    ordering = ("slug",)
    change_form_outer_after_template = "admin_console/credential_try.html"

    def get_fields(self, request: HttpRequest, obj: Credential | None = None) -> tuple[str, ...]:
        return ("slug", "provider", "base_url", *(("key",) if obj else ()), "api_key", *_if_a_key(obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Credential | None = None) -> tuple[str, ...]:
        return ("slug", "key") if obj else ()

    def save_model(self, request: ConsoleRequest, obj: Any, form: Form, change: bool) -> None:
        with audit.recording():
            before = Credential.objects.filter(pk=obj.pk).first()
            super().save_model(request, obj, form, change)
            credentials.note_saved(obj, before, by=request.user)

    @display(description=gettext_lazy("stored key"))
    def key(self, credential: Credential) -> str:
        if credential.sealed:
            return _("sealed")
        return _("from %(name)s") % {"name": credential.key_env} if credential.key_env else _("none")


def _if_a_key(credential: Credential | None) -> tuple[str, ...]:
    """Nothing to remove where nothing is stored."""
    return ("clear_key",) if credential and (credential.sealed or credential.key_env) else ()
