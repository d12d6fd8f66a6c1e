"""`make run` as a person sees it: one command up to the suggestions, one run at a time, nothing left behind."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.installation import ROOT, Installation, children_of, is_alive

pytestmark = pytest.mark.slow


class TerminalRun:
    """`manage.py run_everything` with its output in a file."""

    def __init__(self, data_dir: Path, *, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._output = data_dir.parent / f"{data_dir.name}.{time.monotonic_ns()}.txt"
        environment = Installation(data_dir, stand_ins=False).environment
        environment.pop("LINKREC_ALLOWED_PRIVATE_HOSTS")
        with open(self._output, "wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "run_everything", "--port", str(port)],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        return self._output.read_text("utf-8")

    def wait_for(self, pattern: str, seconds: float) -> "re.Match[str]":
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            assert self.process.poll() is None, self.text
            assert time.monotonic() < deadline, f"no {pattern!r} in {seconds} s:\n{self.text}"
            time.sleep(0.1)
        return found

    def family(self) -> list[int]:
        """Every process below this one."""
        found, waiting = [], [self.process.pid]
        while waiting:
            with contextlib.suppress(FileNotFoundError):
                below = children_of(waiting.pop())
                found += below
                waiting += below
        return found

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._output.unlink()


@pytest.fixture
def runs() -> Iterator[list[TerminalRun]]:
    started: list[TerminalRun] = []
    yield started
    for run in started:
        run.end()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_dead(pids: list[int], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while living := [pid for pid in pids if is_alive(pid)]:
        assert time.monotonic() < deadline, f"still running: {living}"
        time.sleep(0.1)


def test_one_command_from_nothing_to_suggestions(private_dir: Path, runs: list[TerminalRun]) -> None:
    runs.append(first := TerminalRun(private_dir, port=free_port()))
    first.wait_for("Sign in as admin with the password .{16}", 60)
    first.wait_for(f"Open {first.url}", 60)
    with urllib.request.urlopen(first.url, timeout=20) as response:
        assert response.status == 200
    assert int(first.wait_for(r"(\d+) links are suggested", 240)[1]) > 10

    runs.append(second := TerminalRun(private_dir, port=free_port()))
    assert second.process.wait(60) != 0
    assert second.text.count("\n") == 1, second.text
    assert f"process {first.process.pid}, {first.url}" in second.text

    family = first.family()
    assert len(family) >= 5
    first.process.send_signal(signal.SIGINT)
    assert first.process.wait(30) == 0, first.text
    assert "Traceback" not in first.text
    wait_until_dead(family, 1)

    begun = time.monotonic()
    runs.append(third := TerminalRun(private_dir, port=free_port()))
    third.wait_for(f"Open {third.url}", 60)
    print(f"second start: {time.monotonic() - begun:.1f} s")
    assert "password .{16}" not in third.text
    assert "Reading the site" not in third.text
    family = third.family()
    # Killed with -9 it can stop nobody: its children must notice by themselves.
    os.kill(third.process.pid, signal.SIGKILL)
    wait_until_dead(family)


def test_a_busy_port_is_told_in_one_sentence(private_dir: Path, runs: list[TerminalRun]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        runs.append(run := TerminalRun(private_dir, port=port))
        assert run.process.wait(60) != 0
    assert run.text.count("\n") == 1, run.text
    assert f"Port {port} is in use" in run.text
