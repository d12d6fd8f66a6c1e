"""Django's system checks of this installation: what an operator should know before others find out.

`manage.py check` prints them, `manage.py check --deploy` adds Django's own. Leaves settings to settings.py.
"""

import os
import stat
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register


@register()
def check_data_directory(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """The data directory can be written to, and its secrets are nobody else's."""
    directory: Path = settings.LINKREC_DATA_DIR
    if directory.exists() and not os.access(directory, os.W_OK | os.X_OK):
        return [
            Error(
                f"The data directory {directory} is not writable.",
                hint="Set LINKREC_DATA_DIR to a folder that this user may write to.",
                id="linkrec.E001",
            )
        ]
    secrets = (directory / "secret_key", directory / "queue" / "password")
    private = (directory, directory / "db.sqlite3")
    return [
        *(_open_secret(path) for path in secrets if path.exists() and _is_open(path)),
        *(_open_data(path) for path in private if path.exists() and _is_open(path)),
    ]


@register()
def check_debug(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """DEBUG shows settings and code to whoever meets an error page."""
    if settings.DEBUG:
        return [
            Warning(
                "LINKREC_DEBUG is on: error pages show this installation's settings and code.",
                hint="Leave LINKREC_DEBUG out wherever others can reach the server.",
                id="linkrec.W001",
            )
        ]
    return []


@register()
def check_https(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """A server that others reach should be told that it stands behind HTTPS."""
    local = {"127.0.0.1", "localhost", "[::1]"}
    others = [host for host in settings.ALLOWED_HOSTS if host not in local]
    if others and not settings.SESSION_COOKIE_SECURE:
        return [
            Warning(
                f"LINKREC_ALLOWED_HOSTS names {others[0]}, but LINKREC_HTTPS is off: passwords travel in clear.",
                hint="Serve it behind a proxy with HTTPS and set LINKREC_HTTPS=1.",
                id="linkrec.W002",
            )
        ]
    return []


def _is_open(path: Path) -> bool:
    return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _open_data(path: Path) -> CheckMessage:
    return Warning(
        f"Others on this machine may read {path} (mode {stat.S_IMODE(path.stat().st_mode):04o}).",
        hint=f"Type: chmod {'700' if path.is_dir() else '600'} {path}",
        id="linkrec.W003",
    )


def _open_secret(path: Path) -> CheckMessage:
    return Error(
        f"Others on this machine may read {path} (mode {stat.S_IMODE(path.stat().st_mode):04o}).",
        hint=f"Type: chmod 600 {path}",
        id="linkrec.E002",
    )
