"""The processes below this one, from /proc. Leaves what to do with them to the tests."""

import os
from pathlib import Path


def descendants() -> dict[int, str]:
    """Process id -> command line of every process that this one started, or one of those."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            status = (entry / "stat").read_text()
            commands[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        parents[int(entry.name)] = int(status.rpartition(")")[2].split()[1])

    def is_ours(pid: int) -> bool:
        while pid in parents:
            pid = parents[pid]
            if pid == os.getpid():
                return True
        return False

    return {pid: command for pid, command in commands.items() if is_ours(pid)}


def environment_of(pid: int) -> set[str]:
    """Names of the environment that the process was started with."""
    data = Path(f"/proc/{pid}/environ").read_bytes()
    return {entry.partition(b"=")[0].decode() for entry in data.split(b"\0") if entry}
