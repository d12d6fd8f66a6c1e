"""Keeps a handful of processes running: starts them, restarts those that die, stops them in order.

Knows nothing of what they are. Children get a session of their own, so that Ctrl-C reaches the supervisor alone, and
die with it, should it be killed.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from linkrec_site.process_death import die_with_parent

LONGEST_WAIT_SECONDS = 30.0
#: Having run so long, a process that dies is restarted at once.
SETTLED_SECONDS = 60.0
LOG_BYTES = 5_000_000


@dataclass
class Child:
    """One process to keep running, and how its last start went."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    stop_seconds: float = 10.0
    #: Others need it until they have stopped themselves.
    is_stopped_last: bool = False
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    deaths: int = 0
    restart_at: float = field(default=0.0)


class Supervisor:
    """`say` is told in a sentence when a process had to be restarted; output goes to one log file a process."""

    def __init__(self, working_dir: Path, log_dir: Path, say: Callable[[str], None]) -> None:
        self._working_dir, self._log_dir, self._say = working_dir, log_dir, say
        self._children: list[Child] = []

    def start(self, child: Child) -> "subprocess.Popen[bytes]":
        """Start the process and keep it running from now on."""
        _rotate(self.log_path(child.name))
        self._children.append(child)
        return self._launch(child)

    def adopt(self, child: Child) -> None:
        """Keep a process running that was started elsewhere, in a session of its own."""
        child.started_at = time.monotonic()
        self._children.append(child)

    def watch(self) -> None:
        """Restart what has died; call it a few times a second. Each death in a row waits twice as long."""
        now = time.monotonic()
        for child in self._children:
            if child.process is None:
                if now >= child.restart_at:
                    self._launch(child)
            elif child.process.poll() is not None:
                self._note_death(child, now)

    def stop_all(self) -> None:
        """Stop all with SIGTERM and, when their time is over, with SIGKILL; those that others need come last."""
        for is_last in (False, True):
            running = [child for child in self._children if child.process and child.is_stopped_last == is_last]
            for child in running:
                assert child.process is not None
                child.process.terminate()
            for child in running:
                assert child.process is not None
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.process.wait(child.stop_seconds)
                _kill_group(child.process)
        self._children.clear()

    def kill_all(self) -> None:
        """Stop everything at once, for people who are in a hurry."""
        for child in reversed(self._children):
            if child.process is not None:
                _kill_group(child.process)
        self._children.clear()

    def log_path(self, name: str) -> Path:
        return self._log_dir / f"{name}.log"

    def last_words(self, name: str, count: int = 5) -> str:
        """The last lines of a process's log."""
        with contextlib.suppress(OSError):
            return "\n".join(self.log_path(name).read_text("utf-8", "replace").splitlines()[-count:])
        return ""

    def _launch(self, child: Child) -> "subprocess.Popen[bytes]":
        parent = os.getpid()

        def prepare() -> None:
            os.umask(0o077)
            die_with_parent(parent, signal.SIGTERM)

        with open(self.log_path(child.name), "ab") as log:
            child.process = subprocess.Popen(
                child.command,
                cwd=self._working_dir,
                env=dict(child.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=prepare,
            )
        child.started_at = time.monotonic()
        return child.process

    def _note_death(self, child: Child, now: float) -> None:
        assert child.process is not None
        status = child.process.returncode
        _kill_group(child.process)
        child.deaths = 0 if now - child.started_at > SETTLED_SECONDS else child.deaths + 1
        wait = min(LONGEST_WAIT_SECONDS, 2.0 ** (child.deaths - 1)) if child.deaths else 0.0
        child.process, child.restart_at = None, now + wait
        self._say(
            f"The {child.name} process ended ({_how(status)}); it is started again "
            f"{f'in {wait:.0f} s' if wait else 'now'}. Its log: {self.log_path(child.name)}"
        )


def _how(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    # The group and not the process alone: a server's own workers must not live on.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _rotate(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
