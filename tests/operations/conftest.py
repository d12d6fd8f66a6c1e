"""Installations for these tests; each ends with its processes."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.installation import Installation


@pytest.fixture
def private_dir() -> Iterator[Path]:
    # Not tmp_path: its name, long with the test's own, would not leave room for a socket.
    with tempfile.TemporaryDirectory(prefix="linkrec-") as name:
        yield Path(name)


@pytest.fixture
def installation(private_dir: Path) -> Iterator[Installation]:
    """Stand-in services behind a real queue server, with no worker yet."""
    one = Installation(private_dir, stand_ins=True)
    try:
        one.start_queue()
        yield one
    finally:
        one.stop()
