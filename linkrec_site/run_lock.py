"""One `make run` for a data directory: a lock that ends with its process, and says who holds it."""

import fcntl
import os
from pathlib import Path
from typing import IO


class AlreadyRunning(Exception):
    """Another process runs on this data directory."""


def hold_run_lock(data_dir: Path, url: str) -> IO[str]:
    """The locked file; keep it open for as long as the run lasts. Raises AlreadyRunning naming the other process."""
    file = open(data_dir / "run.lock", "a+", encoding="utf-8")  # noqa: SIM115 (the caller keeps it open)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip() or "another process"
        file.close()
        raise AlreadyRunning(
            f"It runs already on {data_dir} ({holder}). Stop that one with Ctrl-C, "
            "or set LINKREC_DATA_DIR to another folder for a second installation."
        ) from None
    file.truncate(0)
    file.write(f"process {os.getpid()}, {url}")
    file.flush()
    return file
