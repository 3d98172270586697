"""The admin console's own parts, shared by the `admin.py` of every app: base classes, widgets, versions, navigation.

What a table looks like there stands in its app's `admin.py`; the one site object is `platform_site.admin_site`.
"""
