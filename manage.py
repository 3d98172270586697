#!/usr/bin/env python
"""Django's command line: `manage.py up` starts everything, `manage.py help` lists the rest."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "platform_site.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
