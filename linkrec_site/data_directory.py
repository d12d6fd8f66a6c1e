"""Makes the data directory and its database ready: every command and server calls this first.

Leaves what lies inside to its owners (vectors to `embeddings`, the queue to `linkrec_site.queue_server`).
"""

import contextlib
import fcntl
import os
import secrets
import stat
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def ensure_private_directory(path: Path) -> Path:
    """Create `path` readable by its owner alone. Raises ImproperlyConfigured where that cannot be done."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data directory {path} cannot be made ({error.strerror}). "
            "Set LINKREC_DATA_DIR to a folder that you may write to."
        ) from error
    if not os.access(path, os.W_OK):
        raise ImproperlyConfigured(
            f"The data directory {path} is not writable. Set LINKREC_DATA_DIR to another folder."
        )
    _close_to_others(path)
    return path


def _close_to_others(path: Path) -> None:
    """Mode 0700, or 0600 for a file. Only of what is ours: a folder such as /tmp may have been named by mistake."""
    found = path.stat()
    if found.st_uid != os.getuid() or not found.st_mode & 0o077 or found.st_mode & stat.S_ISVTX:
        return
    if path.is_file() or (path / "secret_key").exists() or not any(path.iterdir()):
        path.chmod(0o600 if path.is_file() else 0o700)


def read_or_make_secret(path: Path) -> str:
    """The secret in `path`, made on first use with mode 0600; two processes agree on one."""
    ensure_private_directory(path.parent)
    for _ in range(2):
        try:
            text = path.read_text("ascii").strip()
            if text:
                return text
        except FileNotFoundError:
            pass
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(temporary, path)
        except FileExistsError:
            if not path.stat().st_size:
                os.replace(temporary, path)
                continue
        temporary.unlink(missing_ok=True)
    return path.read_text("ascii").strip()


def prepare_data_directory() -> None:
    """Create the data directory and bring its database up to date; safe to call from many processes at once."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import DEFAULT_DB_ALIAS, connections
    from django.db.migrations.executor import MigrationExecutor

    ensure_private_directory(settings.LINKREC_DATA_DIR)
    with open(settings.LINKREC_DATA_DIR / "migrate.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        for path in settings.LINKREC_DATA_DIR.glob("db.sqlite3*"):
            # SQLite may take -wal and -shm away at any moment.
            with contextlib.suppress(FileNotFoundError):
                _close_to_others(path)
