"""Ties a process's life to its parent's, so that a parent killed with -9 leaves nothing running behind."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
# Loaded here, because a freshly forked child must not load libraries.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent_pid: int, number: int = signal.SIGTERM) -> None:
    """Ask the kernel to signal this process when its parent dies. Linux only; elsewhere it does nothing.

    Call in the child, with the parent's pid taken before the fork: a parent that died in between sends no signal.
    """
    if _LIBC is None:
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    if os.getppid() != parent_pid:
        os.kill(os.getpid(), number)
