"""A strict run fails for a test that was left out; any other says so in one line a kind."""

import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = "from tests.left_out import LeftOut\ndef pytest_configure(config): config.pluginmanager.register(LeftOut())\n"


def run(folder: Path, reason: str, strict: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    (folder / "conftest.py").write_text(PLUGIN)
    skipping = f"import pytest\n@pytest.mark.skipif(True, reason={reason!r})\n"
    (folder / "test_some.py").write_text(
        f"{skipping}def test_a(): ...\n{skipping}def test_b(): ...\ndef test_c(): ...\n"
    )
    (folder / "pytest.ini").write_text("[pytest]\n")
    root = str(Path(__file__).resolve().parent.parent.parent)
    monkeypatch.setenv("PYTHONPATH", root)
    monkeypatch.setenv("LINKREC_TESTS_STRICT", strict)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:django", "-p", "no:cacheprovider", str(folder)],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("reason", "strict", "status"),
    [
        ("Chromium is missing", "", 0),
        ("Chromium is missing", "1", 1),
        ("the corpora in ../shared are absent: floors left out", "1", 1),
    ],
)
def test_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, strict: str, status: int) -> None:
    returned, text = run(tmp_path, reason, strict, monkeypatch)
    assert returned == status, text
    assert text.count("left out:") == 1
    assert f"left out: 2 tests: {reason}" in text
