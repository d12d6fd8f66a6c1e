"""Loopback ports: whether one is free, and which one is the demo site's."""

import socket
from pathlib import Path

DEMO_PORT = 8017


def is_port_free(port: int) -> bool:
    """Whether a server could listen on this loopback port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def demo_port(data_dir: Path) -> int:
    """The demo site's port, the same at every run: a site is known by its address."""
    path = data_dir / "demo_port"
    try:
        return int(path.read_text("ascii"))
    except (FileNotFoundError, ValueError):
        port = DEMO_PORT if is_port_free(DEMO_PORT) else free_port()
        path.write_text(str(port), "ascii")
        return port
