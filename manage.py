#!/usr/bin/env python3
"""Django's command line for the link recommender."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkrec_site.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit(
            "manage.py: Django is not installed for this Python. Type `make run`, or use .venv/bin/python manage.py."
        )
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
