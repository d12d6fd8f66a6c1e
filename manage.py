#!/usr/bin/env python3
"""Django's command line for the link recommender."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkrec_site.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line

        from linkrec_site.env import keep_files_private
    except ImportError:
        sys.exit(
            "manage.py: Django is not installed for this Python. Type `make run`, or use .venv/bin/python manage.py."
        )
    keep_files_private()
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # Its sentence names the setting: there is nothing to look for in the code.
        sys.exit(f"manage.py: {error}")


def main_without_traceback() -> None:
    # Ctrl-C is an ordinary way to end a command, also while it is still importing.
    try:
        main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # So is `| head`. What is still buffered goes nowhere, or Python would complain of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


if __name__ == "__main__":
    main_without_traceback()
