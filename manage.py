#!/usr/bin/env python3
"""Django's command line for the link recommender."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkrec_site.settings")
    try:
        from django.core.management import execute_from_command_line

        from linkrec_site.env import keep_files_private
    except ImportError:
        sys.exit(
            "manage.py: Django is not installed for this Python. Type `make run`, or use .venv/bin/python manage.py."
        )
    keep_files_private()
    execute_from_command_line(sys.argv)


def main_without_traceback() -> None:
    # Ctrl-C is an ordinary way to end a command, also while it is still importing.
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main_without_traceback()
