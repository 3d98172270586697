"""How our pages draw the fields of allauth's forms."""

from __future__ import annotations

from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def without_placeholder(field: BoundField) -> SafeString:
    """The field's widget. allauth's placeholders only repeat the label, which stands right above."""
    return field.as_widget(attrs={"placeholder": False})
