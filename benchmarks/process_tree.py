"""Runs a command and watches the peak memory of every process that it starts, from /proc (Linux)."""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PROC = Path("/proc")
SECONDS_BETWEEN_LOOKS = 0.2


@dataclass(slots=True)
class TreeFigures:
    """What a command and its children took. `peak_bytes` maps a process id to the kernel's own high-water mark."""

    status: int = 0
    seconds: float = 0.0
    peak_bytes: dict[int, int] = field(default_factory=dict)
    commands: dict[int, str] = field(default_factory=dict)

    def largest(self) -> tuple[str, int]:
        """Command and peak of the process that took most."""
        if not self.peak_bytes:
            return "", 0
        pid = max(self.peak_bytes, key=lambda pid: self.peak_bytes[pid])
        return self.commands.get(pid, ""), self.peak_bytes[pid]


def _parents() -> dict[int, int]:
    parents = {}
    for stat in PROC.glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:  # gone meanwhile
            continue
        parents[int(stat.parent.name)] = int(text.rpartition(")")[2].split()[1])
    return parents


def descendants(root: int) -> set[int]:
    """The process and all that it started and that still run."""
    parents = _parents()
    family, grown = {root}, True
    while grown:
        children = {pid for pid, parent in parents.items() if parent in family} - family
        family |= children
        grown = bool(children)
    return family


def _peak_of(pid: int) -> int | None:
    try:
        for line in (PROC / str(pid) / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:  # gone meanwhile
        return None
    return None


def _command_of(pid: int) -> str:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:  # gone meanwhile
        return ""


def run_watched(
    command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], timeout: float = 3600
) -> TreeFigures:
    """Run the command to its end; its standard error stays visible. The high-water mark cannot miss a short peak."""
    if not PROC.is_dir():
        sys.exit("process_tree: /proc is missing here, so memory cannot be watched. Run this on Linux.")
    figures, start = TreeFigures(), time.monotonic()
    process = subprocess.Popen(command, cwd=cwd, env=dict(environment), stdin=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            for pid in descendants(process.pid):
                if peak := _peak_of(pid):
                    figures.peak_bytes[pid] = max(figures.peak_bytes.get(pid, 0), peak)
                    figures.commands[pid] = figures.commands.get(pid) or _command_of(pid)
            if time.monotonic() - start > timeout:
                raise TimeoutError(f"{' '.join(command)} still runs after {timeout:.0f} seconds.")
            time.sleep(SECONDS_BETWEEN_LOOKS)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    figures.status, figures.seconds = process.returncode, time.monotonic() - start
    return figures
