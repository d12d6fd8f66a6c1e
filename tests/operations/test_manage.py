"""manage.py where it cannot work: one sentence that names the setting, and no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("command", ["export_links", "run_everything"])
@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LINKREC_DATA_DIR", "/proc/linkrec", "The data directory /proc/linkrec cannot be made"),
        ("LINKREC_DATA_DIR", "{file}", "The data directory {file} cannot be made"),
        ("LINKREC_LEASE_SECONDS", "x", "LINKREC_LEASE_SECONDS='x' is not a whole number"),
        ("LINKREC_TIME_ZONE", "Mars/North", "LINKREC_TIME_ZONE='Mars/North' is no time zone"),
        ("LINKREC_TIME_ZONE", "../etc", "LINKREC_TIME_ZONE='../etc' is no time zone"),
        ("DATABASE_URL", "mysql://h/d", "DATABASE_URL has the scheme 'mysql'"),
    ],
)
def test_a_bad_setting_is_told_in_a_sentence(command: str, name: str, value: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    words = [command] if command == "run_everything" else [command, "1"]
    result = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        env={**os.environ, "LINKREC_DATA_DIR": str(tmp_path / "data"), name: value.format(file=file)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"manage.py: {told.format(file=file)}")
    assert len(result.stderr.splitlines()) == 1
