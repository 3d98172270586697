"""The verbs that change who takes part in a tenant. Called by the console, the API and `apply`.

`by` is who does it, None for the operator. Owners may do everything; admins everything that makes or touches no
owner. A tenant keeps at least one owner who can sign in. Passwords belong to the person: nobody in a tenant can
set one for somebody who already has an account, who may be at home in other tenants too.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from platform_site import audit, tokens
from platform_site.access import Actor, check_scope
from platform_site.errors import Problem
from platform_site.models import Membership, Role, User


def add_person(
    by: Actor | None, email: str, role: str, name: str = "", password: str | None = None
) -> Membership:
    """Make this person a member. Somebody new gets an account; `name` and `password` are for them alone."""
    _check_may_give(by, role)
    with audit.recording():
        known = User.objects.filter(email=email.strip().lower()).first()
        user = known or User.objects.create_user(email, password, name=name)
        if Membership.objects.filter(user=user).exists():
            raise Problem(409, "conflict", _("This person already takes part here."))
        membership = Membership.objects.create(user=user, role=Role(role))
        audit.note("member.added", membership, by=_person(by), role=role, new_account=known is None)
    return membership


def change_role(by: Actor | None, membership_id: str, role: str) -> Membership:
    """Give a member another role."""
    _check_may_give(by, role)
    with audit.recording():
        membership = _locked(by, membership_id)
        if role != Role.OWNER:
            _check_not_last_owner(membership)
        Membership.objects.filter(pk=membership.pk).update(role=Role(role))
        audit.note("member.role_changed", membership, by=_person(by), was=membership.role, now=role)
        membership.role = Role(role)
    return membership


def deactivate(by: Actor | None, membership_id: str) -> Membership:
    """End a membership: sessions, sockets and tokens lose this tenant at once. What the person did stays."""
    return _set_active(by, membership_id, active=False)


def reactivate(by: Actor | None, membership_id: str) -> Membership:
    """Let a former member back in, with the role they had."""
    return _set_active(by, membership_id, active=True)


def _set_active(by: Actor | None, membership_id: str, *, active: bool) -> Membership:
    with audit.recording():
        membership = _locked(by, membership_id)
        if not active:
            _check_not_last_owner(membership)
        Membership.objects.filter(pk=membership.pk).update(is_active=active)
        audit.note("member.reactivated" if active else "member.deactivated", membership, by=_person(by))
        membership.is_active = active
    return membership


def set_password(user: User, password: str, *, by: User | None) -> None:
    """A new password; whatever was opened with the old one ends (sessions by Django, API tokens here)."""
    with audit.recording():
        user.set_password(password)
        user.save(update_fields=["password"])
        audit.note_of_person(user, "password.changed", by=by)
        tokens.revoke_all_of(user, by=by)


def _person(by: Actor | None) -> User | None:
    return by.user if by else None


def _check_may_give(by: Actor | None, role: str) -> None:
    if role not in Role.values:
        raise Problem(400, "bad_request", _("There is no such role."))
    if by:
        check_scope(by, "configure")
        if role == Role.OWNER and by.role != Role.OWNER:
            raise Problem(403, "forbidden", _("Only an owner can make an owner."))


def _locked(by: Actor | None, membership_id: str) -> Membership:
    """The membership, after a lock on the tenant's owners: two owners cannot demote each other at once."""
    if by:
        check_scope(by, "configure")
    list(Membership.objects.select_for_update().filter(role=Role.OWNER).order_by("pk"))
    membership = Membership.objects.select_related("user").filter(pk=membership_id).first()
    if membership is None:
        raise Problem(404, "not_found", _("There is no such person here."))
    if by and membership.role == Role.OWNER and by.role != Role.OWNER:
        raise Problem(403, "forbidden", _("Only an owner can change an owner."))
    return membership


def _check_not_last_owner(membership: Membership) -> None:
    others = Membership.objects.filter(role=Role.OWNER, is_active=True, user__is_active=True)
    is_owner = membership.role == Role.OWNER and membership.is_active
    if is_owner and not others.exclude(pk=membership.pk).exists():
        raise Problem(409, "conflict", _("A tenant needs an owner: make somebody else an owner first."))
