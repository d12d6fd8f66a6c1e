"""Where the queue is and how it is spoken to: RQ's settings for settings.py.

One queue, JSON payloads, a password in any case. Leaves running a server to queue_server.py and the job classes to
recommendations.rq_worker.
"""

from pathlib import Path
from urllib.parse import quote

from linkrec_site.data_directory import ensure_private_directory, read_or_make_secret

QUEUE_NAME = "linkrec"
SERIALIZER = "rq.serializers.JSONSerializer"
#: A unix socket's path may have 107 bytes on Linux, 103 on macOS.
SOCKET_PATH_LIMIT = 100
#: Only a job that has hung for good is this old; a stop request ends one sooner.
JOB_TIMEOUT_SECONDS = 7 * 24 * 3600
FAILURE_TTL_SECONDS = 24 * 3600


def queue_directory(data_dir: Path) -> Path:
    """The embedded queue server's folder, readable by its owner alone."""
    directory = ensure_private_directory(data_dir / "queue")
    directory.chmod(0o700)
    return directory


def queue_password(data_dir: Path) -> str:
    """The embedded server's password, made on first use."""
    return read_or_make_secret(queue_directory(data_dir) / "password")


def socket_path(data_dir: Path) -> Path | None:
    """The unix socket of the embedded server; None where the path is longer than a socket's may be."""
    path = data_dir / "queue" / "socket"
    return path if len(str(path).encode()) <= SOCKET_PATH_LIMIT else None


def port_path(data_dir: Path) -> Path:
    """The file that names the embedded server's loopback port where no unix socket can be used."""
    return data_dir / "queue" / "port"


def queue_url(data_dir: Path, redis_url: str) -> str:
    """REDIS_URL, or the address of the embedded server in the data directory."""
    if redis_url:
        return redis_url
    password = quote(queue_password(data_dir), safe="")
    try:
        port = int(port_path(data_dir).read_text("ascii"))
    except (FileNotFoundError, ValueError):
        port = 0
    socket = socket_path(data_dir)
    if port or socket is None:
        return f"redis://:{password}@127.0.0.1:{port}/0"
    return f"unix://:{password}@{quote(str(socket))}?db=0"


def rq_queues(data_dir: Path, redis_url: str) -> dict[str, dict[str, object]]:
    """RQ_QUEUES: one queue, because a worker that listens to two loses a job when it is killed right after the pop."""
    return {
        QUEUE_NAME: {
            "URL": queue_url(data_dir, redis_url),
            "DEFAULT_TIMEOUT": JOB_TIMEOUT_SECONDS,
            "SERIALIZER": SERIALIZER,
        }
    }


def rq_settings() -> dict[str, object]:
    """RQ: the worker and job classes, and how long an ended job is remembered."""
    return {
        "WORKER_CLASS": "recommendations.rq_worker.LeaseWorker",
        "JOB_CLASS": "recommendations.rq_job.JsonJob",
        "DEFAULT_RESULT_TTL": 60,
        "COMMIT_MODE": "on_db_commit",
    }
