"""A whole installation in a folder of its own: its queue server, its workers, its database read from outside."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from linkrec_site.queue_server import start_embedded_server

ROOT = Path(__file__).resolve().parent.parent.parent
LEASE_SECONDS = 4


class Installation:
    """Processes are real; what they do is real too, or `stand_ins` where only the jobs around it are of interest."""

    def __init__(self, data_dir: Path, *, stand_ins: bool, lease_seconds: int = LEASE_SECONDS) -> None:
        self.data_dir = data_dir
        self._stand_ins = stand_ins
        self._processes: list[subprocess.Popen[bytes]] = []
        self.queue: subprocess.Popen[bytes] | None = None
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "DATABASE_URL")},
            "LINKREC_DATA_DIR": str(data_dir),
            "LINKREC_LEASE_SECONDS": str(lease_seconds),
            "LINKREC_ALLOWED_PRIVATE_HOSTS": "127.0.0.1",
            "LINKREC_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "DJANGO_SETTINGS_MODULE": "linkrec_site.settings",
        }

    def start_queue(self) -> None:
        plan, self.queue = start_embedded_server(self.data_dir)
        self.queue_url = plan.url

    def stop_queue(self, number: int = signal.SIGTERM) -> None:
        if self.queue is not None:
            self.queue.send_signal(number)
            self.queue.wait(10)
            self.queue = None

    def start_worker(self) -> "subprocess.Popen[bytes]":
        module = "tests.operations.stand_ins" if self._stand_ins else "manage"
        log = open(self.data_dir / "worker.log", "ab")  # noqa: SIM115 (the process keeps it)
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, "run_worker"],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def do(self, code: str) -> str:
        """Run `code` with Django set up and return what it prints."""
        setup = "import django; django.setup()\nfrom linkrec_site.data_directory import prepare_data_directory\n"
        setup += "prepare_data_directory()\nfrom crawler.models import *\nfrom recommendations.models import *\n"
        setup += "from recommendations import pipeline\n"
        done = subprocess.run(
            [sys.executable, "-c", setup + code],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with contextlib.closing(sqlite3.connect(self.data_dir / "db.sqlite3", timeout=30)) as database:
            return database.execute(statement, values).fetchall()

    def status_of(self, table: str) -> str:
        return str(self.rows(f"SELECT status FROM {table} ORDER BY id DESC LIMIT 1")[0][0])

    def wait_for(self, what: str, is_true: Callable[[], bool], seconds: float = 60) -> float:
        """Seconds until `is_true()`. Fails with the worker's log after `seconds`."""
        started = time.monotonic()
        while not is_true():
            if time.monotonic() - started > seconds:
                log = (self.data_dir / "worker.log").read_text("utf-8", "replace")[-4000:]
                raise AssertionError(f"No {what} within {seconds} s. The worker's log ends:\n{log}")
            time.sleep(0.05)
        return time.monotonic() - started

    def stop(self) -> None:
        for process in self._processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.stop_queue()


def kill_with_job(worker: "subprocess.Popen[bytes]") -> None:
    """kill -9 of the worker; its job process must not survive it."""
    jobs = children_of(worker.pid)
    worker.kill()
    worker.wait()
    deadline = time.monotonic() + 5
    while any(is_alive(job) for job in jobs):
        assert time.monotonic() < deadline, f"job processes {jobs} outlived their worker"
        time.sleep(0.02)


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    return [int(word) for word in text.split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
