"""Installations for these tests; each ends with its processes."""

import shutil
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


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database that needs no migration: making one takes longer than most of these tests."""
    data_dir = tmp_path_factory.mktemp("migrated")
    Installation(data_dir, stand_ins=True).do("from django.db import connection\nconnection.close()")
    return data_dir / "db.sqlite3"


@pytest.fixture
def installation(private_dir: Path, migrated_database: Path) -> Iterator[Installation]:
    """Stand-in services behind a real queue server, with no worker yet."""
    shutil.copy(migrated_database, private_dir)
    one = Installation(private_dir, stand_ins=True)
    try:
        one.start_queue()
        yield one
    finally:
        one.stop()
